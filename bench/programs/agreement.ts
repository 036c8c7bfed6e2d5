import type { SampledProfile, TailCalls } from './perfScript';

/** What of a row of `functions.json` the comparison needs (docs/INTERFACES.md). */
export interface FunctionRow {
  readonly key: string;
  readonly name: string;
  readonly mangledName?: string;
  readonly selected: boolean;
  readonly reason: string;
  readonly inclusiveShare?: number;
  readonly notRecorded?: string;
  readonly timeIn?: readonly number[];
  readonly inlinedToo?: boolean;
}

/** What of the findings the comparison needs. */
export interface Finding {
  readonly kind: string;
  readonly title: string;
  readonly region?: { readonly name: string };
}

export interface Comparison {
  readonly name: string;
  readonly perf: number;
  readonly kymo?: number;
  /** `explained`: without a share, and the result names it and who holds its time; `missing`: neither. */
  readonly state: 'agrees' | 'differs' | 'explained' | 'missing';
  readonly why?: string;
}

/** Functions with at least this share of the samples are compared. */
export const comparedShare = 0.05;

/** Farthest that two inclusive shares may lie apart: three points, or a tenth of the sampled one. */
export function tolerance(perf: number): number {
  return Math.max(0.03, 0.1 * perf);
}

/**
 * Each function that is hot for `perf`, beside what the final result says of it; the hottest first.
 * @param sampled inclusive shares, and which functions end in jumps to others: `perf` does not see them while these run
 */
export function compareShares(
  {
    inclusiveShares: sampled,
    tailCalls,
  }: Pick<SampledProfile, 'inclusiveShares'> & { readonly tailCalls?: TailCalls },
  rows: readonly FunctionRow[],
  findings: readonly Finding[],
): readonly Comparison[] {
  const byName = new Map<string, FunctionRow[]>();
  const inlinedByName = new Map<string, FunctionRow[]>();
  for (const row of rows) {
    for (const name of new Set([linkerName(row), row.name]))
      byName.set(name, [...(byName.get(name) ?? []), row]);
    if (row.inclusiveShare !== undefined) continue;
    const name = unqualified(row.name);
    inlinedByName.set(name, [...(inlinedByName.get(name) ?? []), row]);
  }
  const meant = (symbol: string): readonly FunctionRow[] =>
    byName.get(unified(symbol)) ?? inlinedByName.get(unqualified(symbol)) ?? [];
  return [...sampled]
    .filter(([, share]) => share >= comparedShare)
    .sort(([, a], [, b]) => b - a)
    .map(([name, perf]) => {
      const one = compareOne(name, perf, meant(name), rows, findings);
      if (one.state !== 'differs' || one.kymo === undefined) return one;
      const below = [...(tailCalls?.get(name) ?? [])].filter((callee) => sampled.has(callee));
      const unseen = below.reduce((sum, callee) => sum + (sampled.get(callee) ?? 0), 0);
      if (one.kymo < perf || one.kymo > perf + unseen + tolerance(perf)) return one;
      return {
        ...one,
        state: 'explained',
        why: `perf does not see it while ${below.join(', ')} runs, to which it jumps`,
      };
    });
}

function linkerName({ key, mangledName }: FunctionRow): string {
  return unified(mangledName ?? key.replace(/@.*$/, ''));
}

/** Debug information has one name for all variants of a constructor or destructor (`C4`), the linker one for each. */
function unified(symbol: string): string {
  return symbol.startsWith('_Z') ? symbol.replace(/([CD])\d(?=E)/g, '$1*') : symbol;
}

/** Inlined functions of unnamed namespaces have no linker name, and each tool has its own way to write the others. */
function unqualified(name: string): string {
  let rest = name.replace(/[({]anonymous[^)}]*[)}]::/g, '').replace(/ \[.*$/, '');
  for (let before = ''; rest !== before;) [before, rest] = [rest, rest.replace(/<[^<>]*>/g, '')];
  return /([\w~]+)(\(.*)?$/.exec(rest)?.[1] ?? rest;
}

function compareOne(
  symbol: string,
  perf: number,
  own: readonly FunctionRow[],
  rows: readonly FunctionRow[],
  findings: readonly Finding[],
): Comparison {
  const name = own[0]?.name ?? symbol;
  const shares = own.flatMap(({ inclusiveShare }) => (inclusiveShare === undefined ? [] : [inclusiveShare]));
  // Functions of one file each may share a name; the samples do not distinguish them.
  const kymo = shares.reduce((sum, share) => sum + share, 0);
  if (shares.length > 0 && Math.abs(kymo - perf) <= tolerance(perf))
    return { name, perf, kymo, state: 'agrees' };
  // `perf` counts its inlined copies, too.
  if (shares.length > 0 && kymo < perf && own.some(({ inlinedToo }) => inlinedToo))
    return { name, perf, kymo, state: 'explained', why: 'without its inlined copies' };
  if (shares.length > 0) return { name, perf, kymo, state: 'differs' };
  const why = explanation(own, rows, findings);
  if (why !== undefined) return { name, perf, state: 'explained', why };
  return { name, perf, state: 'missing', why: own[0]?.reason ?? 'the result does not know it' };
}

/** The explanation in the result for a function without a share of its own. */
function explanation(
  own: readonly FunctionRow[],
  rows: readonly FunctionRow[],
  findings: readonly Finding[],
): string | undefined {
  for (const row of own) {
    const holders = (row.timeIn ?? []).flatMap((position) => rows[position]?.name ?? []);
    if (holders.length > 0) return `in ${holders.join(', ')}`;
    const finding = findings.find(
      ({ kind, region }) => (kind === 'inlined-away' || kind === 'not-recorded') && region?.name === row.name,
    );
    if (finding !== undefined) return finding.title;
    if (row.notRecorded !== undefined) return row.notRecorded;
  }
  return undefined;
}

/**
 * Two results of one program, one of them made on a busy machine: functions that only one has recorded or has a share of, and shares
 * that lie further apart than five points.
 */
export function compareLoaded(
  quiet: readonly FunctionRow[],
  loaded: readonly FunctionRow[],
): {
  readonly onlyOnce: readonly string[];
  readonly toldOnce: readonly string[];
  readonly apart: readonly string[];
} {
  const other = new Map(loaded.map((row) => [row.key, row]));
  const hot = (row: FunctionRow | undefined): boolean => (row?.inclusiveShare ?? 0) >= comparedShare;
  const pairs = quiet.map((row) => [row, other.get(row.key)] as const).filter(([a, b]) => hot(a) || hot(b));
  const shares = pairs.map(([a, b]) => ({
    name: a.name,
    quiet: a.inclusiveShare,
    loaded: b?.inclusiveShare,
  }));
  const percent = (share: number): string => (100 * share).toFixed(1);
  return {
    onlyOnce: pairs.filter(([a, b]) => a.selected !== b?.selected).map(([{ name }]) => name),
    toldOnce: shares.flatMap((one) =>
      one.quiet === undefined || one.loaded === undefined ? [one.name] : [],
    ),
    apart: shares.flatMap(({ name, quiet: a, loaded: b }) =>
      a === undefined || b === undefined || Math.abs(a - b) <= 0.05
        ? []
        : [`${name} ${percent(a)} → ${percent(b)} %`],
    ),
  };
}
