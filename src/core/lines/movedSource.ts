import { blankLine, type LineHashes } from './lineHashes';

/** A source file that a study measured. */
export interface RecordedSource {
  /** Absolute path. */
  readonly file: string;
  readonly lines: LineHashes;
}

/** A file of another name is the measured one when so much of that is in it. */
const sameContent = 0.9;
/** One of the same name in another folder may have changed more: `main.cpp` alone says little. */
const sameName = 0.5;
/** Fewer lines with something in them could be anybody's. */
const fewestLines = 5;

/**
 * Which of the measured files, all of which are gone, a text was; undefined when it is like none of them, or like two of them alike.
 * @param name the file's name without folder
 */
export function movedSource(
  name: string,
  text: LineHashes,
  gone: readonly RecordedSource[],
): string | undefined {
  const present = new Set(text);
  let best: { readonly file: string; readonly likeness: number; readonly named: boolean } | undefined;
  let tied = false;
  for (const { file, lines } of gone) {
    const named = baseName(file) === name;
    const likeness = likenessOf(lines, present);
    if (likeness < (named ? sameName : sameContent)) continue;
    const order = best === undefined ? 1 : Number(named) - Number(best.named) || likeness - best.likeness;
    tied = order === 0 || (tied && order < 0);
    if (order > 0) best = { file, likeness, named };
  }
  return tied ? undefined : best?.file;
}

/** The share of the different lines of a measured file that are present in a text; blank lines do not count. */
function likenessOf(measured: LineHashes, present: ReadonlySet<number>): number {
  const lines = new Set(measured);
  lines.delete(blankLine);
  if (lines.size < fewestLines) return 0;
  let shared = 0;
  for (const line of lines) if (present.has(line)) shared++;
  return shared / lines.size;
}

function baseName(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1);
}

/** Whether a path may be one of C, C++, CUDA or Fortran: others need not be looked at. */
export function mayBeSource(file: string): boolean {
  return /\.(c|cc|cpp|cxx|c\+\+|cu|cuh|h|hh|hpp|hxx|h\+\+|inc|inl|ipp|tpp|txx|f|for|ftn|fpp|f\d\d)$/i.test(
    file,
  );
}
