import { at } from '../core/at';
import type { GateEntry } from '../core/gate/gate';
import type { Verdict } from '../core/gate/verdict';
import { isMpiName } from '../core/functions/activities';
import { growthText } from '../core/modeling/formulaText';
import { regionsOf } from '../core/modeling/regionsOf';
import { present } from '../core/present';
import type { ProgressSink } from '../core/progress';
import type { RegionPlace } from '../core/profile/place';
import { makeModels, type ModelRow, type ModelsReport } from './models';
import { readParameterStudy } from './study/parameterStudyFile';

interface Context {
  readonly signal: AbortSignal;
  readonly progress: ProgressSink;
}

/** Formulas of the baseline that are less probable do not excuse a candidate that grows as they do. */
const leastProbability = 0.05;
/** That a candidate grows faster than all of these is certain from this probability on, and cannot be told from its complement on. */
const certain = 0.95;
/** Functions with a smaller share of the predicted time do not matter. */
const leastShare = 0.01;

/** Whether both are studies over parameters, whose growth is compared. */
export async function areParameterStudies(baseline: string, candidate: string): Promise<boolean> {
  const both = await Promise.all([baseline, candidate].map((given) => readParameterStudy(given)));
  return both.every((study) => study !== undefined);
}

/**
 * How call paths grow with the parameters, against how they grew in the baseline: faster than any formula that is probable there is a regression.
 * @param baseline folder of a study over parameters
 * @throws KymoError as `makeModels`
 */
export async function scalingEntries(
  baseline: string,
  candidate: string,
  context: Context,
): Promise<readonly GateEntry[]> {
  const before = await makeModels({ paths: [baseline], metric: 'time' }, context);
  const grown = new Map(before.models.map((row) => [row.callPath, row]));
  const expect = Object.fromEntries(
    before.models.map((row) => [row.callPath, `O(${growthOf(row, before.parameters)})`]),
  );
  const after = await makeModels({ paths: [candidate], metric: 'time', expect }, context);
  return after.models.flatMap((row) => {
    const other = grown.get(row.callPath);
    const name = regionsOf(row.callPath).at(-1) ?? row.callPath;
    // Its time depends on other processes and on the machine.
    if (isMpiName(name)) return [];
    const { file, line } = after.places.get(name) ?? {};
    const region = { name, ...present({ file, line }) };
    return other === undefined || row.expected === undefined || (row.share ?? 0) < leastShare
      ? []
      : [entryOf(row, row.expected.worse, other, { after, region })];
  });
}

function entryOf(
  row: ModelRow,
  probability: number,
  before: ModelRow,
  { after, region }: { readonly after: ModelsReport; readonly region: RegionPlace },
): GateEntry {
  const values = [before.predict(at(after.points, 0)).value, at(row.predictions, 0).value] as const;
  const known = (one: ModelRow): string =>
    growthText(
      one.formula.terms.map(({ factors }) => factors),
      after.parameters,
    );
  return {
    ...{ criterion: 'scaling', name: region.name, place: region, values, unit: 'sec', matters: 1 },
    ratio: values[0] > 0 ? values[1] / values[0] : 1,
    verdict: verdictOf(probability),
    growth: { baseline: known(before), candidate: known(row), probability },
    ...present({ share: row.share }),
  };
}

function verdictOf(probability: number): Verdict {
  if (probability >= certain) return 'regression';
  return probability > 1 - certain ? 'cannot-tell' : 'no-change';
}

/** The terms of all formulas that are probable, as an expectation is written. */
function growthOf({ formula, formulas = [] }: ModelRow, parameters: readonly string[]): string {
  const probable = formulas.filter(({ probability }) => probability >= leastProbability);
  const all = [formula, ...probable.map((one) => one.formula)].flatMap(({ terms }) =>
    terms.map(({ factors }) => growthText([factors], parameters)),
  );
  return all.length === 0 ? '1' : [...new Set(all)].join(' + ');
}
