import { existsSync, readFileSync } from 'node:fs';
import { formatPercent } from '../../src/core/format';
import type { Property } from '../../src/core/properties/property';
import { totalOf } from './callTree';
import { unknownRanks, type FlatOutput } from './flatProfile';
import { relative, sameNumber } from './numbers';

/** Findings of the profile of a run, or (`dynamics`) of its iterations, against it and each other. */
export function findingContradictions(findings: readonly Property[], flat: FlatOutput): readonly string[] {
  const byId = new Map(findings.map((finding) => [finding.id, finding]));
  return [
    ...(byId.size === findings.length ? [] : ['several findings have the same id']),
    ...findings.flatMap((finding) => [
      ...inRange(finding),
      ...ofPlace(finding),
      ...ofRanks(finding, flat),
      ...ofWhole(finding, byId),
      ...ofEvidence(finding, flat),
      ...ofTitle(finding),
    ]),
  ];
}

function inRange({ title, severity, confidence, evidence }: Property): readonly string[] {
  const shares = Object.entries(evidence).filter(([name]) => name.endsWith('Share'));
  const all = [['severity', severity] as const, ['confidence', confidence] as const, ...shares];
  return all.flatMap(([name, value]) =>
    value === undefined || (value >= 0 && value <= 1 + relative) ? [] : [`${title}: its ${name} is ${value}`],
  );
}

/** The lines of the sources. */
const lengths = new Map<string, number>();

function ofPlace({ title, region }: Property): readonly string[] {
  if (region?.file === undefined) return [];
  if (!existsSync(region.file)) return [`${title}: there is no ${region.file}`];
  const length = lengths.get(region.file) ?? readFileSync(region.file, 'utf8').split('\n').length;
  lengths.set(region.file, length);
  const { line = 1 } = region;
  return line >= 1 && line <= length ? [] : [`${title}: ${region.file} has no line ${line}`];
}

function ofRanks({ title, ranks, waitingRanks }: Property, { locations }: FlatOutput): readonly string[] {
  return [ranks, waitingRanks].flatMap((set) =>
    set === undefined ? [] : unknownRanks(title, set, locations),
  );
}

/** A part is of the same base as its whole, and not more. What a phase loses of its own time, and what an imbalance costs, are no parts of a share. */
function ofWhole(
  { title, refines, severity = 0, kind, base }: Property,
  byId: ReadonlyMap<string, Property>,
): readonly string[] {
  if (refines === undefined) return [];
  const whole = byId.get(refines);
  if (whole === undefined) return [`${title} refines ${refines}, which is no finding`];
  const isPart = whole.kind === kind && whole.base?.clock === base?.clock && whole.severity !== undefined;
  return isPart &&
    !['imbalance', 'parallel-efficiency'].includes(kind) &&
    severity > (whole.severity ?? 0) * (1 + relative)
    ? [`${title}, more than “${whole.title}”`]
    : [];
}

function ofEvidence(finding: Property, flat: FlatOutput): readonly string[] {
  const { id, title, kind, severity, refines, evidence } = finding;
  const { exclusiveSeconds = 0, exclusiveShare, inclusiveSeconds = Infinity } = evidence;
  const row = flat.functions?.find(({ key }) => id === `${kind}:${key}`);
  const isPart = refines?.startsWith(id) === true;
  return [
    ...sameNumber(`${title}: its severity, and its exclusive share`, severity, exclusiveShare),
    ...ofBase(finding),
    ...(exclusiveSeconds <= inclusiveSeconds * (1 + relative)
      ? []
      : [`${title}: ${exclusiveSeconds} s itself, ${inclusiveSeconds} s with callees`]),
    ...(isPart ? [] : sameNumber(`${title}: visits, and those of the profile`, evidence.visits, row?.visits)),
    ...(id === 'communication:run'
      ? sameNumber(`${title}: bytes, and those of the calls`, evidence.bytesSent, totalOf(flat, 'bytes_sent'))
      : []),
    ...(row === undefined ? [] : ofSeconds(finding, row)),
  ];
}

function ofBase({ title, evidence, base }: Property): readonly string[] {
  if (base === undefined) return [];
  return (['exclusive', 'inclusive'] as const).flatMap((kind) => {
    const [seconds, share] = [evidence[`${kind}Seconds`], evidence[`${kind}Share`]];
    return share === undefined
      ? []
      : sameNumber(
          `${title}: its ${kind} seconds, and its share of ${base.seconds} s`,
          seconds,
          share * base.seconds,
        );
  });
}

/** Hot spots are of times without waiting, other kinds with it. */
function ofSeconds(
  { title, kind, evidence: { exclusiveSeconds } }: Property,
  row: Required<FlatOutput>['functions'][number],
): readonly string[] {
  if (kind === 'hot-spot')
    return sameNumber(`${title}: seconds, and those of the profile`, exclusiveSeconds, row.exclusiveSeconds);
  if (row.waiting === undefined || exclusiveSeconds === undefined) return [];
  return sameNumber(
    `${title}: seconds, and those of the profile with waiting`,
    exclusiveSeconds,
    row.exclusiveSeconds + row.waiting.exclusiveSeconds,
    // Both are without the cost of recording, which is taken off as far as there is time.
    1e-3 * exclusiveSeconds,
  );
}

/** A title states the severity, if it states a share that something takes; shares of the time of some ranks are others. */
function ofTitle({ title, severity }: Property): readonly string[] {
  const [, stated] = /\btakes (<?[\d.]+ %)(?! of the time of )/.exec(title) ?? [];
  return stated === undefined || severity === undefined || stated === formatPercent(severity)
    ? []
    : [`“${title}” has the severity ${formatPercent(severity)}`];
}
