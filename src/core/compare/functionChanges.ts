import { at, atFloat } from '../at';
import { present } from '../present';
import { certain, meansOf, sidesOf, type SideValues } from './difference';
import { commonFactors, type FunctionSums } from './functionTimes';
import { changesOf, type Change } from './significance';

/** How a function changed itself, over all of its paths, whether or not that is a difference. */
export interface FunctionChange {
  /** Position of the function. */
  readonly function: number;
  readonly sides: readonly [SideValues, SideValues];
  /** Second ÷ first, beside what all functions have in common. */
  readonly ratio: number;
  readonly byChance?: number;
  /** It is too large, and too sure, to be noise. */
  readonly isSure: boolean;
  /** How its value per visit changed, and whether that is too large, and too sure, to be noise. */
  readonly perVisit: { readonly ratio: number; readonly isSure: boolean };
}

/**
 * How functions changed, and by what all of them alike. Those that are new or gone have no values to compare.
 * @param first number of runs of the first side
 * @param least functions with smaller values on both sides are left out
 */
export function functionChanges(
  sums: readonly FunctionSums[],
  first: number,
  sensitivity: number,
  least: number,
): { readonly changes: readonly FunctionChange[]; readonly shift: number } {
  const compared = [...sums.keys()].filter((own) => {
    const { values } = at(sums, own);
    return values.every((value) => value > 0) && Math.max(...meansOf(values, first)) >= least;
  });
  const rows = compared.map((own) => at(sums, own).values);
  const factors = commonFactors(rows);
  const logs = meansOf(factors.map(Math.log), first);
  const quantities = rows.map((values) => ({
    values: values.map((value, run) => value / atFloat(factors, run)),
  }));
  const isSure = ({ ratio, byChance }: Change): boolean =>
    Math.abs(Math.log(ratio)) >= Math.log1p(sensitivity) && (byChance === undefined || byChance <= certain);
  const perVisit = changesOf(
    quantities.map(({ values }, row) => {
      const { visits } = at(sums, at(compared, row));
      return { values: values.map((value, run) => value / Math.max(atFloat(visits, run), 1)) };
    }),
    first,
  );
  const changes = changesOf(quantities, first).map((change, row): FunctionChange => {
    const { ratio, byChance } = change;
    const [own, visit] = [at(compared, row), at(perVisit, row)];
    return {
      function: own,
      sides: sidesOf(at(sums, own), first),
      ratio,
      ...present({ byChance }),
      isSure: isSure(change),
      perVisit: { ratio: visit.ratio, isSure: isSure(visit) },
    };
  });
  return { changes, shift: Math.exp(logs[1] - logs[0]) };
}
