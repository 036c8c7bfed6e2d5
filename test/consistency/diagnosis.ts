import { formatPercent } from '../../src/core/format';
import type { Hypothesis } from '../../src/core/diagnosis/hypotheses/hypothesis';
import type { Base } from '../../src/core/functions/base';
import type { Property } from '../../src/core/properties/property';
import type { EfficiencyReport } from '../../src/workflows/efficiency';
import { findingContradictions } from './findings';
import type { FlatOutput } from './flatProfile';
import { relative, sameNumber } from './numbers';

/** What `kymo diagnose --json` prints, as far as it is compared. */
export interface DiagnosisOutput {
  readonly base: Base;
  readonly processes: number;
  readonly threads: number;
  readonly findings: readonly { readonly hypothesis: string; readonly property: string }[];
  readonly properties: readonly Property[];
  readonly hypotheses: readonly Hypothesis[];
}

interface Beside {
  readonly flat: FlatOutput;
  /** The same for people. */
  readonly text: string;
  /** Of the same run; absent where the profile does not show it. */
  readonly efficiency?: EfficiencyReport;
}

/** `kymo diagnose` of a run against itself, the flat profile and the efficiency of the run, and its text for people. */
export function diagnosisContradictions(
  output: DiagnosisOutput,
  { flat, text, efficiency }: Beside,
): readonly string[] {
  const { properties, processes, threads } = output;
  const ranks = new Set(flat.locations.map(({ rank }) => rank)).size;
  return [
    ...findingContradictions(properties, flat),
    ...(processes === ranks ? [] : [`diagnosis: ${processes} processes, and the profile has ${ranks}`]),
    ...(threads <= flat.locations.length
      ? []
      : [`diagnosis: ${threads} threads, and the profile has ${flat.locations.length}`]),
    ...properties.flatMap((property) => [
      ...ofSeconds(property, output.base),
      ...ofThreshold(property, output),
      ...ofText(property, text),
    ]),
    ...ofWholes(properties),
    ...(efficiency === undefined || threads > processes ? [] : ofImbalance(properties, efficiency)),
  ];
}

/** Shares are of the time of all threads; what is lost is of the run time. */
function ofSeconds({ title, severity, evidence, base }: Property, whole: Base): readonly string[] {
  if (base === undefined) return [`diagnosis: ${title} has no base`];
  return [
    ...(title.includes(' takes ')
      ? sameNumber(`diagnosis: ${title}: its base, and that of the run`, base.seconds, whole.seconds)
      : []),
    ...sameNumber(
      `diagnosis: ${title}: its seconds, and its severity of the base`,
      evidence.seconds,
      (severity ?? 0) * base.seconds,
    ),
  ];
}

/** A finding is beyond the threshold that it names, which is that of its hypothesis. */
function ofThreshold({ id, title, evidence }: Property, output: DiagnosisOutput): readonly string[] {
  const name = output.findings.find(({ property }) => property === id)?.hypothesis;
  const hypothesis = output.hypotheses.find((one) => one.id === name);
  if (hypothesis === undefined) return [`diagnosis: ${title} is of no hypothesis`];
  const thresholds = Object.entries(evidence).filter(([key]) => key.startsWith('threshold'));
  const values = Object.entries(evidence).filter(([key]) => !/^threshold|^seconds$|^processes$/.test(key));
  const [[, threshold = NaN] = [], [, value = NaN] = []] = [thresholds[0], values[0]];
  const isBeyond = hypothesis.holds === 'above' ? value > threshold : value < threshold;
  return [
    ...(isBeyond ? [] : [`diagnosis: ${title}: ${value} is not ${hypothesis.holds} ${threshold}`]),
    ...sameNumber(
      `diagnosis: ${title}: its threshold, and that of its hypothesis`,
      threshold,
      hypothesis.threshold,
    ),
  ];
}

function ofText({ title, severity = 0 }: Property, text: string): readonly string[] {
  const lines = text.split('\n');
  const at = lines.findIndex((line) => line.endsWith(title));
  if (at < 0) return [`diagnosis: the text lacks ${title}`];
  const share = `${formatPercent(severity)} of the run`;
  return lines[at + 1]?.includes(share) === true
    ? []
    : [`diagnosis: ${title} has ${share} in the JSON, and the text has ${lines[at + 1] ?? 'nothing'}`];
}

/** Parts of the time that exclude each other. */
const apart = ['CPUBound', 'ExcessiveSyncWaitingTime', 'ExcessiveIOBlockingTime', 'Blocked'];

function ofWholes(properties: readonly Property[]): readonly string[] {
  const wholes = properties.filter(({ id }) => apart.some((name) => id === `diagnosis:${name}`));
  const sum = wholes.reduce((total, { severity = 0 }) => total + severity, 0);
  return sum <= 1 + relative
    ? []
    : [`diagnosis: parts of the time that exclude each other have ${sum} of it`];
}

/** Of processes with one thread, what unequal computing costs is what parallel efficiency loses beside communication. */
function ofImbalance(properties: readonly Property[], { run }: EfficiencyReport): readonly string[] {
  const found = properties.find(({ id }) => id === 'diagnosis:ImbalanceOfProcesses');
  return sameNumber(
    'diagnosis: imbalance of the processes, and communication efficiency − parallel efficiency',
    found?.evidence.focusShare,
    run.communication - run.parallel,
  );
}
