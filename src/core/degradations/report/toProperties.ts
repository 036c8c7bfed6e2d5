import { at } from '../../at';
import { present } from '../../present';
import { placeToLookAt } from '../../series/series';
import { formatPercent } from '../../format';
import type { Property } from '../../properties/property';
import type { RowOfMembers } from './makeRows';
import type { ReportRow } from '../model/result';
import { quantityOf, type StaticRuleDefinition } from '../../rules/rule';

/** Rows with the ids of their properties, and the properties: one per row, which refines that of the problem that it is part of. */
export function toProperties(rows: readonly RowOfMembers[]): {
  readonly rows: readonly ReportRow[];
  readonly properties: readonly Property[];
} {
  const ids = uniqueIds(rows);
  const whole = rows.map(({ row }, index) => ({ ...row, property: at(ids, index) }));
  const properties = rows.map((row, index): Property => {
    const parent = parentOf(rows, row);
    return {
      id: at(ids, index),
      ...describe(row),
      ...present({ refines: parent === undefined ? undefined : at(ids, parent) }),
    };
  });
  return { rows: whole, properties };
}

function describe({ row, members, quantities, static: isStatic }: RowOfMembers): Omit<Property, 'id'> {
  const { kind, region, callPath, severity, excess, ranks, confidence, iterations } = row;
  const { file, line } = placeToLookAt(region);
  const evidence: Record<string, number> = { ranks: new Set(members.map(({ rank }) => rank)).size };
  for (const [key, value] of Object.entries(quantities)) if (Number.isFinite(value)) evidence[key] = value;
  if (severity !== undefined) evidence.severity = severity;
  if (excess !== undefined) {
    evidence.excessSeverity = excess;
    evidence.aftermathSeverity = members.reduce((sum, member) => sum + member.aftermath, 0) / members.length;
  }
  return {
    kind,
    title: titleOf(row, isStatic ? at(members, 0).found.rule : undefined),
    severity: severity ?? 0,
    confidence,
    region: {
      name: region.name,
      ...present({ file, line }),
    },
    ...present({ callPath: callPath?.map((callee) => callee.name) }),
    ranks,
    iterations,
    evidence,
  };
}

/** Intervals that a title can hold. */
const shownIntervals = 4;

function titleOf(row: Omit<ReportRow, 'property'>, problem: StaticRuleDefinition | undefined): string {
  const { kind, title, region, severity, iterations, ranks } = row;
  const percent = severity === undefined ? '' : `${formatPercent(severity)} of the phase time`;
  if (problem !== undefined) return `${quantityOf(problem)} of ${region.name} is ${percent}`;
  const where = `${iterations.every(([from, to]) => from === to) && iterations.length === 1 ? 'iteration' : 'iterations'} ${intervalWords(iterations)}`;
  if (kind === 'late-rank') {
    const several = /[-,]/.test(ranks);
    return `${several ? 'Ranks' : 'Rank'} ${ranks} ${several ? 'have' : 'has'} none of the peaks of ${region.name} in ${where} that the others have: they wait for ${several ? 'them' : 'it'}`;
  }
  return `${title} of ${region.name}, ${where}${percent === '' ? '' : `: ${percent}`}${costWords(row)}`;
}

function costWords({ kind, severity, excess }: Omit<ReportRow, 'property'>): string {
  if (excess === undefined || kind === 'improvement') return '';
  return severity !== undefined && excess <= severity
    ? `, ${formatPercent(excess)} caused by the degradation itself`
    : `; with what follows it costs ${formatPercent(excess)}`;
}

/** `1–92, 100–120 and 3 more`. */
export function intervalWords(iterations: ReportRow['iterations']): string {
  const words = iterations
    .slice(0, shownIntervals)
    .map(([from, to]) => (from === to ? String(from) : `${from}–${to}`));
  const more = iterations.length - words.length;
  return `${words.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** The static row of the same rule and region with which it shares most members. */
function parentOf(rows: readonly RowOfMembers[], child: RowOfMembers): number | undefined {
  if (child.static) return undefined;
  const own = new Set(child.members.map(({ found }) => found));
  if (child.row.kind === 'late-rank') {
    const peaks = rows.findIndex((row) => row !== child && row.members === child.members);
    if (peaks >= 0) return peaks;
  }
  let best: number | undefined;
  let most = 0;
  rows.forEach((row, index) => {
    if (!row.static) return;
    const shared = row.members.filter(({ found }) => own.has(found)).length;
    if (shared > most) {
      most = shared;
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
