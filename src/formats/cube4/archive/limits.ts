import { tooLarge } from './errors';

/**
 * Limits that keep hostile or unreasonable files from taking the machine's memory and time. Defaults follow from the
 * size of the file: the reader refuses small files that claim to be huge, and accepts large ones.
 */
export interface CubeLimits {
  /** Values of all metrics together that are held at once (8 bytes each). */
  readonly cells: number;
  /** Metrics times call paths, with values or without: what tables of a whole profile have. */
  readonly tableCells: number;
  /** Bytes of anchor.xml, uncompressed. */
  readonly anchorBytes: number;
  /** Bytes of memory that the definitions may take, as `DefinitionBudget` estimates them. */
  readonly definitionBytes: number;
  /** Bytes that the compressed values of all metrics may stand for. */
  readonly inflatedBytes: number;
}

/** What a file of that many bytes may ask for. The smallest amounts are of the order of what the process takes anyway. */
export function limitsFor(size: number, given: Partial<CubeLimits> = {}): CubeLimits {
  return {
    // Sparse and compressed files hold less than they stand for, by far more only where there is little of it.
    cells: given.cells ?? Math.min(2 ** 28, Math.max(2 ** 22, size * 2)),
    // A call path takes 30 bytes or more of anchor.xml, so that these are more than a hundred metrics without any value.
    tableCells: given.tableCells ?? Math.max(2 ** 22, size * 4),
    // gzip makes a tenth to a fifteenth of an anchor.xml, and no profile is an anchor.xml alone.
    anchorBytes: given.anchorBytes ?? Math.min(2 ** 29, Math.max(2 ** 23, size * 14)),
    definitionBytes: given.definitionBytes ?? Math.max(2 ** 26, size * 56),
    // Rows of zeros are a hundredth, and they are some of the rows.
    inflatedBytes: given.inflatedBytes ?? Math.max(2 ** 28, size * 256),
  };
}

/** Throws `KymoError` (`cube-too-large`) when `cells` values are more than may be held. `what`: whose they are, and a verb. */
export function checkCells(file: string, what: string, cells: number, limits: CubeLimits): void {
  if (!(cells <= limits.cells))
    throw tooLarge(
      file,
      `${what} ${cells} values, and a file of its size may have ${limits.cells} in memory at once`,
    );
}

/** More metrics than any known tool writes; what looks through all of them for each of them has an end. */
const mostMetrics = 10_000;

/** About how many bytes of memory what an element describes takes in the end, with what is needed to get there. */
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

/** Counts, while anchor.xml is read, what its elements take: files whose definitions take too much are refused before they do. */
export class DefinitionBudget {
  private left: number;
  private metrics = 0;

  /** @param anchorBytes of which the text takes about two bytes of memory each, and they are held beside it */
  constructor(
    private readonly file: string,
    private readonly limits: Pick<CubeLimits, 'definitionBytes'>,
    anchorBytes: number,
  ) {
    this.left = limits.definitionBytes - 3 * anchorBytes;
  }

  /** Throws `KymoError` (`cube-too-large`). */
  count(what: keyof typeof bytesOf): void {
    this.left -= bytesOf[what];
    if (this.left < 0)
      throw tooLarge(
        this.file,
        `its definitions take more than the ${Math.floor(this.limits.definitionBytes / 1e6)} MB of memory that a file of its size may take`,
      );
    if (what === 'metric' && ++this.metrics > mostMetrics)
      throw tooLarge(this.file, `it has more than ${mostMetrics} metrics`);
  }
}
