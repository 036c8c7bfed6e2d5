import type { FunctionRow, RankSpread } from '../functions/functionRow';
import { present } from '../present';
import { efficiencies, ofFunction, type EfficiencyInput } from './efficiencies';
import { rankSpreads } from './rankSpread';

/** What rows of functions say of processes and threads. */
export type ParallelFacts = Pick<FunctionRow, 'efficiency' | 'ranks'>;

interface ParallelInput extends EfficiencyInput {
  /** Function key per region. */
  readonly keys: readonly string[];
  readonly hidesMpi: (region: number) => boolean;
}

/** By function key; functions without a fact, and all of a serial run, have none. */
export function parallelFacts(input: ParallelInput): ReadonlyMap<string, ParallelFacts> {
  const found = efficiencies(input);
  const spreads = rankSpreads(input.profile, input.cells);
  const facts = new Map<string, ParallelFacts>();
  input.keys.forEach((key, region) => {
    const own = 'missing' in found ? undefined : found.functions.get(region);
    const spread = spreads.get(region);
    if (own === undefined && spread === undefined) return;
    const efficiency = own === undefined ? undefined : ofFunction(own);
    facts.set(key, present({ efficiency, ranks: hiding(spread, input.hidesMpi(region)) }));
  });
  return facts;
}

/** Says whether the profile hides MPI in the computation of a function. */
export function hiding(spread: RankSpread | undefined, hidesMpi: boolean): RankSpread | undefined {
  return spread === undefined || !hidesMpi ? spread : { ...spread, hidesMpi };
}
