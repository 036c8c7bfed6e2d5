import type { CallGraph } from '../callgraph/callGraph';
import { plainName, qualifiedName } from '../callgraph/regionKeys';

/**
 * The keys of the functions that a target's `phase` may mean: by key, mangled name or name as shown, else by the name without arguments and
 * template arguments, with as many of its namespaces and classes as are given, else by the name alone. None: the phase is marked by macros, or
 * there is no such function.
 */
export function phaseFunctions({ functions }: CallGraph, phase: string): ReadonlySet<string> {
  const given = qualifiedName(phase);
  const ways: readonly ((f: CallGraph['functions'][number]) => boolean)[] = [
    (f) => [f.key, f.mangledName, f.name].includes(phase),
    (f) => `::${qualifiedName(f.name)}`.endsWith(`::${given}`),
    (f) => plainName(f.name) === plainName(phase),
  ];
  for (const fits of ways) {
    const found = functions.filter(fits);
    if (found.length > 0) return new Set(found.map((f) => f.key));
  }
  return new Set();
}
