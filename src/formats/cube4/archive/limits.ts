import { tooLarge } from './errors';

/**
 * Limits that keep hostile or unreasonable files from taking the machine's memory and time. Defaults follow from the
 * size of the file: the reader refuses small files that claim to be huge, and accepts large ones.
 */
export interface CubeLimits {
  /** Values of all metrics together that are held at once (8 bytes each). */
  readonly cells: number;
  /** Metrics times call paths, with or without values: the cells of a table of the whole profile. */
  readonly tableCells: number;
  /** Bytes of anchor.xml, uncompressed. */
  readonly anchorBytes: number;
  /** Bytes of memory that the definitions may take, as `DefinitionBudget` estimates them. */
  readonly definitionBytes: number;
  /** Uncompressed bytes of the values of all metrics. */
  readonly inflatedBytes: number;
}

/** Limits for a file of `size` bytes. The minimum of each is about what the process uses anyway. */
export function limitsFor(size: number, overrides: Partial<CubeLimits> = {}): CubeLimits {
  return {
    // Sparse and compressed files are smaller than their values; much smaller only if they are small.
    cells: overrides.cells ?? Math.min(2 ** 28, Math.max(2 ** 22, size * 2)),
    // A call path takes 30 bytes or more of anchor.xml, so this allows more than a hundred metrics without any value.
    tableCells: overrides.tableCells ?? Math.max(2 ** 22, size * 4),
    // gzip reduces an anchor.xml to a tenth or a fifteenth, and every profile has more than an anchor.xml.
    anchorBytes: overrides.anchorBytes ?? Math.min(2 ** 29, Math.max(2 ** 23, size * 14)),
    definitionBytes: overrides.definitionBytes ?? Math.max(2 ** 26, size * 56),
    // Compression reduces rows of zeros to a hundredth, and only some rows are zeros.
    inflatedBytes: overrides.inflatedBytes ?? Math.max(2 ** 28, size * 256),
  };
}

/** Throws `KymoError` (`cube-too-large`) if `cells` exceeds the limit. `what`: subject and verb of the message. */
export function checkCells(file: string, what: string, cells: number, limits: CubeLimits): void {
  if (!(cells <= limits.cells))
    throw tooLarge(
      file,
      `${what} ${cells} values, and a file of its size may have ${limits.cells} in memory at once`,
    );
}

/** More metrics than any known tool writes; bounds code that is quadratic in the number of metrics. */
const mostMetrics = 10_000;

/** Estimated bytes of memory for an element of each kind, including intermediate objects. */
const bytesOf = {
  metric: 700,
  region: 500,
  callPath: 80,
  callSite: 150,
  parameter: 200,
  systemNode: 400,
  location: 350,
  topology: 450,
  dimension: 150,
  coordinates: 250,
  attribute: 150,
  mirror: 50,
  text: 60,
} as const;

/** Counts the memory that elements need while anchor.xml is read, so that files with too large definitions are refused early. */
export class DefinitionBudget {
  private remaining: number;
  private metrics = 0;

  /** @param anchorBytes its text takes about two bytes of memory for each, in addition to the bytes themselves */
  constructor(
    private readonly file: string,
    private readonly limits: Pick<CubeLimits, 'definitionBytes'>,
    anchorBytes: number,
  ) {
    this.remaining = limits.definitionBytes - 3 * anchorBytes;
  }

  /** Throws `KymoError` (`cube-too-large`). */
  count(what: keyof typeof bytesOf): void {
    this.remaining -= bytesOf[what];
    if (this.remaining < 0)
      throw tooLarge(
        this.file,
        `its definitions take more than the ${Math.floor(this.limits.definitionBytes / 1e6)} MB of memory that a file of its size may take`,
      );
    if (what === 'metric' && ++this.metrics > mostMetrics)
      throw tooLarge(this.file, `it has more than ${mostMetrics} metrics`);
  }
}
