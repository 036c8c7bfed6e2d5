import { blankLine, type LineHashes } from './lineHashes';

/** A source file that a study measured. */
export interface RecordedSource {
  /** Absolute path. */
  readonly file: string;
  readonly lines: LineHashes;
}

/** Share of the measured lines that a file of another name must contain to be the measured one. */
const sameContent = 0.9;
/** The same for a file of the same name in another folder, which may have changed more. */
const sameName = 0.5;
/** With fewer different lines, other files could be like it by chance. */
const fewestLines = 5;

/**
 * Which of the measured files, none of which exists any more, a text was; undefined when it resembles none of them, or two equally.
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
    if (order > 0) {
      best = { file, likeness, named };
      tied = false;
    } else if (order === 0) tied = true;
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

/** Whether a file may be a source of C, C++, CUDA or Fortran. */
export function mayBeSource(file: string): boolean {
  return /\.(c|cc|cpp|cxx|c\+\+|cu|cuh|h|hh|hpp|hxx|h\+\+|inc|inl|ipp|tpp|txx|f|for|ftn|fpp|f\d\d)$/i.test(
    file,
  );
}
