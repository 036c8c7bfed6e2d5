import { at } from '../../at';
import { present } from '../../present';
import { placeToLookAt } from '../../series/series';
import { formatPercent, formatValue, shareWithDeviation } from '../../format';
import type { AllIterations, Property } from '../../properties/property';
import { lowerFirst, placeKey, type RowOfMembers } from './makeRows';
import type { Periodic, ReportRow } from '../model/result';
import { quantityOf, type StaticRuleDefinition } from '../../rules/rule';

/**
 * Rows with the ids of their properties, and the properties: one per row, which refines that of the problem that it is part of. Waiting is
 * part of the time of the same place, and its row says so.
 * @param unit of costs
 */
export function toProperties(
  rows: readonly RowOfMembers[],
  unit: string,
): {
  readonly rows: readonly ReportRow[];
  readonly properties: readonly Property[];
} {
  const ids = uniqueIds(rows);
  const whole: ReportRow[] = [];
  const properties: Property[] = [];
  rows.forEach((own, index) => {
    const parent = parentOf(rows, own);
    const partOf = parent === undefined || !own.static ? undefined : quantityOfRow(at(rows, parent));
    const event = own.event === undefined ? undefined : at(ids, rows.indexOf(own.event));
    whole.push({
      ...{ ...own.row, ...titleOfPart(own, partOf), property: at(ids, index) },
      ...present({ partOf: event }),
    });
    properties.push({
      id: at(ids, index),
      ...describe(own, partOf, unit),
      ...present({ refines: parent === undefined ? undefined : at(ids, parent) }),
    });
  });
  return { rows: whole, properties };
}

function titleOfPart(row: RowOfMembers, partOf: string | undefined): Partial<Pick<ReportRow, 'title'>> {
  return partOf === undefined ? {} : { title: `${quantityOfRow(row)}, part of ${lowerFirst(partOf)}` };
}

function quantityOfRow({ members }: RowOfMembers): string {
  return quantityOf(at(members, 0).found.rule);
}

/** @param partOf quantity of the static row that this one is part of */
function describe(
  { row, members, quantities, static: isStatic }: RowOfMembers,
  partOf: string | undefined,
  unit: string,
): Omit<Property, 'id'> {
  const { kind, region, callPath, severity, excess, ranks, confidence, iterations, periodic, all } = row;
  const { file, line } = placeToLookAt(region);
  const { found } = at(members, 0);
  const evidence: Record<string, number> = { ranks: new Set(members.map(({ rank }) => rank)).size };
  for (const [key, value] of Object.entries(quantities)) if (Number.isFinite(value)) evidence[key] = value;
  if (severity !== undefined) evidence.severity = severity;
  if (excess !== undefined) {
    evidence.excessSeverity = excess;
    const { chance, excessDeviation, onset: [onsetFirst, onsetLast] = [] } = row;
    Object.assign(evidence, present({ chance, excessDeviation, onsetFirst, onsetLast }));
    evidence.aftermathSeverity = members.reduce((sum, member) => sum + member.aftermath, 0) / members.length;
  }
  const isPeriodic = periodic !== undefined && kind === 'periodic-peaks';
  if (isPeriodic) Object.assign(evidence, evidenceOf(periodic, unit));
  return {
    kind,
    title: [
      isPeriodic
        ? `${quantityOf(found.rule)} of ${region.name} ${periodWords(periodic, unit)}`
        : titleOf(row, isStatic ? found.rule : undefined),
      partOf === undefined ? '' : `, part of its ${lowerFirst(partOf)}`,
      found.movesEach === undefined || !isStatic ? '' : `: ${movingWords(found.movesEach)}`,
    ].join(''),
    severity: severity ?? 0,
    confidence,
    region: {
      name: region.name,
      ...present({ file, line }),
    },
    ...present({ callPath: callPath?.map((callee) => callee.name) }),
    ranks,
    iterations,
    ...present({ all }),
    evidence,
  };
}

/** `peaks every 15 iterations (each costs 32 ms, all of them 320 ms, jitter 0)` */
function periodWords({ period, costEach, cost, jitter }: Periodic, unit: string): string {
  const digits = (value: number): string => String(Number(value.toPrecision(3)));
  const costs = [costEach, cost].map((value) => formatValue(value, isSeconds(unit) ? 'sec' : unit));
  const jitterWords = jitter === 0 ? '0' : `${digits(jitter)} ${jitter === 1 ? 'iteration' : 'iterations'}`;
  return `peaks every ${digits(period)} iterations (each costs ${costs[0]}, all of them ${costs[1]}, jitter ${jitterWords})`;
}

function evidenceOf(
  { period, jitter, occurrences, costEach, cost }: Periodic,
  unit: string,
): Property['evidence'] {
  return {
    periodIterations: period,
    jitterIterations: jitter,
    occurrences,
    ...(isSeconds(unit) ? { costEachSeconds: costEach, costSeconds: cost } : {}),
  };
}

function isSeconds(unit: string): boolean {
  return unit === 's' || unit === 'sec';
}

function movingWords(each: number): string {
  const iterations = Math.round(each);
  return `the slow rank changes every ${iterations <= 1 ? 'iteration' : `${iterations} iterations`}`;
}

/** Intervals that a title can hold. */
const shownIntervals = 4;

function titleOf(row: Omit<ReportRow, 'property'>, problem: StaticRuleDefinition | undefined): string {
  const { kind, title, region, severity, iterations, ranks } = row;
  const percent = severity === undefined ? '' : `${formatPercent(severity)} of the phase time`;
  if (problem !== undefined) return `${quantityOf(problem)} of ${region.name} is ${percent}`;
  const where = row.all === undefined ? listWords(iterations) : allWords(row.all);
  if (kind === 'late-rank') {
    const several = /[-,]/.test(ranks);
    return `${several ? 'Ranks' : 'Rank'} ${ranks} ${several ? 'have' : 'has'} none of the peaks of ${region.name} in ${where} that the others have: they wait for ${several ? 'them' : 'it'}`;
  }
  return `${title} of ${region.name}, ${where}${percent === '' ? '' : `: ${percent}`}${costWords(row)}`;
}

function costWords({ kind, severity, excess, excessDeviation, onset }: Omit<ReportRow, 'property'>): string {
  if (excess === undefined || kind === 'improvement') return '';
  const begin =
    onset === undefined || onset[0] === onset[1]
      ? ''
      : `, begun between iterations ${onset[0]} and ${onset[1]}`;
  const costs = shareWithDeviation(excess, excessDeviation);
  return severity !== undefined && excess <= severity
    ? `, ${costs} caused by the degradation itself${begin}`
    : `; with what follows it costs ${costs}${begin}`;
}

function listWords(iterations: ReportRow['iterations']): string {
  const isSingle = iterations.length === 1 && iterations.every(([from, to]) => from === to);
  return `${isSingle ? 'iteration' : 'iterations'} ${intervalWords(iterations)}`;
}

function allWords({ iterations, range: [first, last] }: AllIterations): string {
  return `${iterations} iterations between ${first} and ${last}`;
}

/** `1–92, 100–120 and 3 more`. */
export function intervalWords(iterations: ReportRow['iterations']): string {
  const words = iterations
    .slice(0, shownIntervals)
    .map(([from, to]) => (from === to ? String(from) : `${from}–${to}`));
  const more = iterations.length - words.length;
  return `${words.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** The static row that a row is part of. */
function parentOf(rows: readonly RowOfMembers[], child: RowOfMembers): number | undefined {
  if (child.static) return child.row.metric === 'wait' ? timeOf(rows, child) : undefined;
  if (child.row.kind === 'late-rank') {
    const peaks = rows.findIndex((row) => row !== child && row.members === child.members);
    if (peaks >= 0) return peaks;
  }
  const own = new Set(child.members.map(({ found }) => found));
  return withMost(rows, ({ members }) => members.filter(({ found }) => own.has(found)).length);
}

/**
 * The row about the time of the same place, which waiting is part of, with most of the ranks. Shares are means over the ranks of a row: where these are
 * others, the mean of the part may be more than that of the whole, and would contradict it.
 */
function timeOf(rows: readonly RowOfMembers[], { row: waiting, members }: RowOfMembers): number | undefined {
  const place = placeKey({ ...waiting, metric: 'time' });
  const lanes = new Set(members.map(({ rank, thread }) => `${rank} ${thread}`));
  return withMost(rows, ({ row, members: others }) =>
    placeKey(row) === place && (row.severity ?? 0) >= (waiting.severity ?? 0)
      ? others.filter(({ rank, thread }) => lanes.has(`${rank} ${thread}`)).length
      : 0,
  );
}

/** Position of the first static row for which `count` is the largest, and not 0. */
function withMost(rows: readonly RowOfMembers[], count: (row: RowOfMembers) => number): number | undefined {
  let best: number | undefined;
  let most = 0;
  rows.forEach((row, index) => {
    const own = row.static ? count(row) : 0;
    if (own > most) {
      most = own;
      best = index;
    }
  });
  return best;
}

/** Kind, rule, region, ranks and iterations: the same finding has the same id in every run with the same result. */
function uniqueIds(rows: readonly RowOfMembers[]): readonly string[] {
  const seen = new Map<string, number>();
  return rows.map(({ row, members, static: isStatic }) => {
    const { kind, region, callPath, metric, ranks, iterations } = row;
    const place = `${(callPath ?? [region]).map(({ name }) => name).join('/')}${region.line === undefined ? '' : `:${region.line}`}`;
    const where = isStatic
      ? ''
      : `:${iterations
          .map(([from, to]) => `${from}-${to}`)
          .slice(0, 8)
          .join(',')}`;
    const problem = at(members, 0).found.rule.id;
    const id = `dynamics:${kind}:${problem}:${metric}:${place}:${ranks}${where}`;
    const count = seen.get(id) ?? 0;
    seen.set(id, count + 1);
    return count === 0 ? id : `${id}#${count + 1}`;
  });
}
