/** Where sources that were built elsewhere are on this machine: paths below `from` lie below `to`. */
export interface SourcePathRule {
  readonly from: string;
  readonly to: string;
}

/** The path on this machine of a source file that a profile names; the rule with the longest matching prefix of whole folders decides. */
export function mapSourcePath(file: string, rules: readonly SourcePathRule[]): string {
  let best: { readonly length: number; readonly mapped: string } | undefined;
  for (const { from, to } of rules) {
    const prefix = withoutEnd(from);
    const rest = file.slice(prefix.length);
    if (prefix === '' || !file.startsWith(prefix) || !(rest === '' || rest.startsWith('/'))) continue;
    if (best === undefined || prefix.length > best.length)
      best = { length: prefix.length, mapped: `${withoutEnd(to)}${rest}` };
  }
  return best?.mapped ?? file;
}

/**
 * The rule that maps one file to the other, as general as their common end allows: `/build/x/src/a.c` and `/home/me/src/a.c` →
 * `/build/x` to `/home/me`. Undefined when not even the names are the same.
 */
export function sourcePathRule(recorded: string, actual: string): SourcePathRule | undefined {
  const same = commonEnd(recorded, actual);
  if (same === 0 || recorded === actual) return undefined;
  const from = segmentsOf(recorded).slice(0, -same).join('/');
  const to = segmentsOf(actual).slice(0, -same).join('/');
  return from === '' ? undefined : { from, to: to === '' ? '/' : to };
}

/** The rule as a workspace's settings store it: a folder within the workspace relative to it, so that the rule holds for every clone. */
export function ruleWithin(root: string, { from, to }: SourcePathRule): SourcePathRule {
  const folder = withoutEnd(root);
  if (to === folder) return { from, to: '.' };
  return { from, to: folder !== '' && to.startsWith(`${folder}/`) ? to.slice(folder.length + 1) : to };
}

/** The candidate that shares the longest end with the recorded one; undefined when none has its name, or two are equally good. */
export function likeliestSource(recorded: string, candidates: readonly string[]): string | undefined {
  let best: string | undefined;
  let most = 0;
  for (const candidate of candidates) {
    const same = commonEnd(recorded, candidate);
    if (same === 0 || same < most) continue;
    best = same === most ? undefined : candidate;
    most = same;
  }
  return best;
}

/** Number of equal segments, counted from the end. */
function commonEnd(a: string, b: string): number {
  const [left, right] = [segmentsOf(a), segmentsOf(b)];
  let same = 0;
  while (same < Math.min(left.length, right.length) && left.at(-1 - same) === right.at(-1 - same)) same++;
  return same;
}

function segmentsOf(file: string): readonly string[] {
  return file.split('/');
}

function withoutEnd(folder: string): string {
  return folder.replace(/\/+$/, '');
}
