import { at } from '../core/at';
import type { Efficiency } from '../core/efficiency/efficiency';
import { efficiencies } from '../core/efficiency/efficiencies';
import { efficiencyBase, efficiencySource, efficiencyTerms, termValues } from '../core/efficiency/terms';
import { KymoError } from '../core/errors';
import type { Base } from '../core/functions/base';
import { present } from '../core/present';
import { makeContext, type PropertyInput } from '../core/problems/context/makeContext';
import type { PropertyContext } from '../core/problems/context/propertyContext';
import { placeOf } from '../core/profile/place';

/** POP metrics of a function with its callees. */
export interface FunctionEfficiency extends Efficiency {
  readonly key: string;
  readonly name: string;
  readonly mangled?: string;
  readonly file?: string;
  readonly line?: number;
}

/** Result of `kymo efficiency` (docs/INTERFACES.md). */
export interface EfficiencyReport {
  readonly base: Base;
  readonly run: Efficiency;
  readonly phase?: FunctionEfficiency;
  /** Those that lose most time first: (1 − parallel efficiency) × their run time. */
  readonly functions: readonly FunctionEfficiency[];
  readonly notes: readonly string[];
  readonly definitions: Readonly<Record<string, string>>;
}

/** @throws KymoError `no-efficiency` where the profile does not show who waits */
export function efficiencyReport(input: PropertyInput): EfficiencyReport {
  const context = makeContext(input);
  const found = efficiencies(context);
  if ('missing' in found) throw new KymoError('no-efficiency', found.missing);
  const { run, phase, functions, base, notes } = found;
  const rows = [...functions].map(([region, efficiency]) => rowOf(context, region, efficiency));
  const lost = ({ parallel, runSeconds }: Efficiency): number => (1 - parallel) * runSeconds;
  return {
    base,
    run,
    ...(phase === undefined ? {} : { phase: rowOf(context, phase.region, phase.efficiency) }),
    functions: rows.sort((a, b) => lost(b) - lost(a) || (a.key < b.key ? -1 : 1)),
    notes,
    definitions: definitionsOf([run, ...functions.values()]),
  };
}

function rowOf(
  { profile, keys }: PropertyContext,
  region: number,
  efficiency: Efficiency,
): FunctionEfficiency {
  const own = at(profile.regions, region);
  return {
    key: at(keys, region),
    ...placeOf(own),
    ...present({ mangled: own.mangledName === own.name ? undefined : own.mangledName }),
    ...efficiency,
  };
}

/** Of the metrics that occur, by label. */
function definitionsOf(all: readonly Efficiency[]): Readonly<Record<string, string>> {
  const terms = new Set(all.flatMap((efficiency) => termValues(efficiency).map(({ term }) => term)));
  return {
    ...Object.fromEntries(
      [...terms].map((term) => [efficiencyTerms[term].label, efficiencyTerms[term].definition]),
    ),
    Base: efficiencyBase,
    Source: `${efficiencySource}.`,
  };
}
