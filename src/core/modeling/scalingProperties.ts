import { formatPercent, formatRoundPercent, formatValue } from '../format';
import { present } from '../present';
import type { RegionPlace } from '../profile/place';
import type { Property, PropertyModel } from '../properties/property';
import type { WeighedFormula } from './choice';
import type { Formula, Segment } from './formula';
import { growthText, readableModel } from './formulaText';
import { regionsOf } from './regionsOf';
import { metricUnit } from './metricUnit';
import { verdictText, type Verdict } from './verdict';

/** The model of one metric of a function, with what properties say of it. */
export interface ModelledFunction {
  readonly region: RegionPlace;
  readonly metric: string;
  readonly formula: Formula;
  readonly segments?: readonly Segment[];
  /** The chosen formula and the most probable others; unknown for a sum of several call paths. */
  readonly formulas?: readonly WeighedFormula[];
  readonly verdict?: Verdict;
  readonly noise?: number;
  readonly smape: number;
  /** Number of measured points, and of call paths. */
  readonly points: number;
  readonly callPaths: number;
  /** The only one. */
  readonly callPath?: string;
  readonly prediction: { readonly value: number; readonly low?: number; readonly high?: number };
  /** Share of the prediction in those of all functions. */
  readonly share?: number;
  /** The same share at the largest measured point. */
  readonly measuredShare?: number;
  /** What was expected of it, with the probability that it grows faster. */
  readonly expected?: { readonly expectation: { readonly text: string }; readonly worse: number };
}

/** What the models of a study have in common. */
export interface ModelledStudy {
  readonly parameters: readonly string[];
  /** The point that is predicted, and the largest measured one. */
  readonly point: readonly number[];
  readonly largest: readonly number[];
  /** Name of the study, or of the files. */
  readonly run: string;
  /** How the values of locations are one: `mean of the ranks and threads that take part`. */
  readonly values: string;
}

/** Growth counts as worse than expected from this probability on. */
export const certainEnough = 0.9;
/** A function that grows is worth to know from this share of the predicted time on, as a hot spot is. */
const largeShare = 0.05;

/** Functions that grow faster than expected, and those that grow and have a large share of the predicted time. */
export function scalingProperties(
  functions: readonly ModelledFunction[],
  study: ModelledStudy,
): readonly Property[] {
  const worse = functions.flatMap((one) => scalesWorse(one, study) ?? []);
  const known = new Set(worse.map(({ id }) => id));
  const growing = functions.filter((one) => isLarge(one) && grows(one) && !known.has(worseId(one)));
  return [...worse, ...growing.map((one) => growth(one, study))];
}

function scalesWorse(one: ModelledFunction, study: ModelledStudy): Property | undefined {
  const { region, metric, expected, share } = one;
  if (expected === undefined || expected.worse < certainEnough) return undefined;
  const { expectation, worse } = expected;
  return {
    id: worseId(one),
    kind: 'scales-worse-than-expected',
    title: `${region.name} grows with ${growthOf(one, study)}, and ${expectation.text} is expected (${metric}, ${formatPercent(worse)} certain)`,
    confidence: worse,
    evidence: { probability: worse, ...evidenceOf(one) },
    ...commonOf(one, study),
    ...(metric === 'time' ? present({ severity: share }) : {}),
  };
}

function growth(one: ModelledFunction, study: ModelledStudy): Property {
  const { region, share = 0, measuredShare } = one;
  const { parameters, point, largest } = study;
  const measured =
    measuredShare === undefined
      ? ''
      : ` (${formatRoundPercent(measuredShare)} measured at ${pointText(parameters, largest)})`;
  return {
    id: `growth:${region.name}`,
    kind: 'growth',
    title: `${region.name} grows with ${growthOf(one, study)}: ${formatRoundPercent(share)} of the time predicted for ${pointText(parameters, point)}${measured}`,
    severity: share,
    confidence: one.formulas?.[0]?.probability ?? 0,
    evidence: evidenceOf(one),
    ...commonOf(one, study),
  };
}

function worseId({ metric, region }: ModelledFunction): string {
  return `scales-worse-than-expected:${metric}:${region.name}`;
}

function isLarge({ metric, share = 0 }: ModelledFunction): boolean {
  return metric === 'time' && share >= largeShare;
}

/** Without a formula, the mean stands in its place, and nothing is known of the growth. */
function grows({ formula, verdict }: ModelledFunction): boolean {
  return formula.terms.length > 0 && verdict?.kind !== 'not-enough-data' && verdict?.kind !== 'unusable';
}

function commonOf(
  one: ModelledFunction,
  study: ModelledStudy,
): Pick<Property, 'region' | 'callPath' | 'model' | 'origin'> {
  return {
    region: one.region,
    ...present({ callPath: one.callPath === undefined ? undefined : regionsOf(one.callPath) }),
    model: modelOf(one, study),
    origin: { run: study.run, analysis: 'models' },
  };
}

function evidenceOf({ share, measuredShare, noise, smape }: ModelledFunction): Property['evidence'] {
  return {
    ...present({ predictedShare: share, measuredShare, noiseShare: noise }),
    smapePercent: smape,
  };
}

function modelOf(one: ModelledFunction, study: ModelledStudy): PropertyModel {
  const { metric, expected, formula, verdict } = one;
  const { parameters, point } = study;
  const kind = verdict?.kind ?? 'clear';
  return {
    metric,
    formula: readableModel(one, parameters, (value) => formatValue(value, metricUnit(metric))),
    growth: formula.terms.length === 0 ? 'O(1)' : `O(${growthOf(one, study)})`,
    whole: `the ${metric} predicted for ${pointText(parameters, point)}`,
    ...present({
      doubt: kind === 'clear' ? undefined : kind.replaceAll('-', ' '),
      expected: expected?.expectation.text,
    }),
    facts: factsOf(one, study),
  };
}

function factsOf(
  { metric, verdict, noise, smape, points, callPaths, prediction, expected }: ModelledFunction,
  { parameters, point, run, values }: ModelledStudy,
): readonly string[] {
  const text = (value: number): string => formatValue(value, metricUnit(metric));
  const { value, low = -Infinity, high = Infinity } = prediction;
  const range = Number.isFinite(high - low)
    ? `, with a probability of 95 % between ${text(low)} and ${text(high)}`
    : '';
  const repetitions = noise === undefined ? '' : `; the repetitions differ by ${formatPercent(noise)}`;
  const paths = callPaths === 1 ? '' : `, sum of ${callPaths} call paths`;
  return [
    `Predicted for ${pointText(parameters, point)}: ${text(value)}${range}.`,
    ...(verdict === undefined ? [] : [verdictText(verdict, parameters)]),
    `SMAPE ${smape.toFixed(1)} % over ${points} points${repetitions}.`,
    ...(expected === undefined
      ? []
      : [
          `Expected is ${expected.expectation.text} at most; it grows faster with a probability of ${formatPercent(expected.worse)}.`,
        ]),
    `${metric === 'time' ? 'Time with waiting,' : metric} without callees${paths}, ${values}, in ${run}.`,
  ];
}

function growthOf({ formula }: ModelledFunction, { parameters }: ModelledStudy): string {
  return growthText(
    formula.terms.map(({ factors }) => factors),
    parameters,
  );
}

/** `p = 160, n = 2560` */
export function pointText(parameters: readonly string[], point: readonly number[]): string {
  return parameters.map((name, i) => `${name} = ${point[i] ?? ''}`).join(', ');
}
