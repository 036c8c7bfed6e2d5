import type { CallGraph } from '../callgraph/callGraph';
import { plainName, qualifiedName } from '../callgraph/regionKeys';

/**
 * The keys of the functions that a target's `phase` may mean: by key, mangled name or shown name, else by the name without arguments and
 * template arguments, with the given namespaces and classes, else by the name alone. Empty if the phase is marked by macros or there is no
 * such function.
 */
export function phaseFunctions({ functions }: CallGraph, phase: string): ReadonlySet<string> {
  const given = qualifiedName(phase);
  const ways: readonly ((f: CallGraph['functions'][number]) => boolean)[] = [
    (f) => [f.key, f.mangledName, f.name].includes(phase),
    (f) => `::${qualifiedName(f.name)}`.endsWith(`::${given}`),
    (f) => plainName(f.name) === plainName(phase),
  ];
  for (const fits of ways) {
    const fitting = functions.filter(fits);
    if (fitting.length > 0) return new Set(fitting.map((f) => f.key));
  }
  return new Set();
}
