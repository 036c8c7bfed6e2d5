import type { CallGraph } from '../callgraph/callGraph';
import { plainName } from './regionKeys';

/**
 * The keys of the functions that a target's `phase` may mean: by key, mangled name or name as shown, else by the name alone, without
 * namespaces, arguments and template arguments. None: the phase is marked by macros, or there is no such function.
 */
export function phaseFunctions({ functions }: CallGraph, phase: string): ReadonlySet<string> {
  const exact = functions.filter((f) => [f.key, f.mangledName, f.name].includes(phase));
  const found = exact.length > 0 ? exact : functions.filter((f) => plainName(f.name) === plainName(phase));
  return new Set(found.map((f) => f.key));
}
