import { formatPercent } from '../format';
import { standingOf, type MeasuredOverhead } from './overheadWords';

/** Whether the overhead of what a refinement selected meets its target. */
export interface TargetVerdict {
  /** `unknown`: the noise of the runs is larger than the distance from the target, or nothing measured it. */
  readonly kind: 'met' | 'missed' | 'unknown';
  readonly targetPercent: number;
  readonly sentence: string;
}

/** Overheads of a final selection. */
export interface JudgedSelection {
  readonly targetPercent: number;
  /** By calibrated costs, percent. */
  readonly predictedPercent: number;
  /** Measured ones, for each number of ranks; none: no round measured the selection. */
  readonly measured: readonly MeasuredOverhead[];
  /** They follow from visits and calibrated costs (rounds inside one run), so that runs have no noise in them. */
  readonly calculated?: boolean;
}

/** The verdict on the worst of the measured overheads; it claims nothing that the noise does not allow. */
export function targetVerdict(judged: JudgedSelection): TargetVerdict {
  const { targetPercent, predictedPercent, measured } = judged;
  const target = `target of ${percent(targetPercent)}`;
  if (measured.length === 0)
    return {
      kind: 'unknown',
      targetPercent,
      sentence: `Cannot tell whether the overhead meets the ${target}: no round measured the final selection. Its predicted overhead is ${percent(predictedPercent)}.`,
    };
  const kinds = measured.map((overhead) => kindOf(overhead, judged));
  const kind = (['missed', 'unknown', 'met'] as const).find((one) => kinds.includes(one)) ?? 'unknown';
  const worst = measured
    .filter((_, index) => kinds[index] === kind)
    .reduce((a, b) => (b.overheadPercent > a.overheadPercent ? b : a));
  return { kind, targetPercent, sentence: sentenceOf(kind, worst, target, judged) };
}

function kindOf(
  { overheadPercent, noisePercent }: MeasuredOverhead,
  { targetPercent, calculated = false }: JudgedSelection,
): TargetVerdict['kind'] {
  const doubt = calculated ? 0 : noisePercent;
  if (doubt === undefined) return 'unknown';
  if (overheadPercent + doubt <= targetPercent) return 'met';
  return overheadPercent - doubt > targetPercent ? 'missed' : 'unknown';
}

function sentenceOf(
  kind: TargetVerdict['kind'],
  overhead: MeasuredOverhead,
  target: string,
  { calculated = false }: JudgedSelection,
): string {
  const { overheadPercent, noisePercent } = overhead;
  const value = percent(overheadPercent);
  const how = calculated ? ', by visits and their calibrated cost' : ` (±${percent(noisePercent ?? 0)})`;
  switch (kind) {
    case 'met':
      return !calculated && standingOf(overhead) === 'within noise'
        ? `The overhead meets the ${target}: it is smaller than this machine's noise of ±${percent(noisePercent ?? 0)}.`
        : `The overhead of ${value}${how} meets the ${target}.`;
    case 'missed':
      return `The overhead of ${value}${how} exceeds the ${target}.`;
    case 'unknown':
      return noisePercent === undefined
        ? `Cannot tell whether the overhead meets the ${target}: ${value} was measured, and this machine's noise is unknown, because each configuration ran once. Set "repetitions" in kymo.json to 3 or more.`
        : `Cannot tell whether the overhead meets the ${target}: ${value} was measured, and this machine's noise is ±${percent(noisePercent)}. Use a quieter machine, longer runs or more repetitions ("repetitions" in kymo.json).`;
  }
}

function percent(value: number): string {
  return formatPercent(value / 100);
}
