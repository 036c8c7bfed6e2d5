import type { CallGraphFunction } from '../callgraph/callGraph';
import { plainName, qualifiedName } from '../callgraph/regionKeys';

type Named = Pick<CallGraphFunction, 'key' | 'name' | 'mangledName'>;

/**
 * The keys of the functions that a target's `phase` may mean: by key, mangled name or shown name, else by the name without arguments and
 * template arguments, with the given namespaces and classes, else by the name alone. Empty if the phase is marked by macros or there is no
 * such function.
 */
export function phaseFunctions(
  { functions }: { readonly functions: readonly Named[] },
  phase: string,
): ReadonlySet<string> {
  const given = qualifiedName(phase);
  const ways: readonly ((f: Named) => boolean)[] = [
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

/** On a phase whose function has no patch point. It is known as soon as the program is built. */
export function inlinedPhase(phase: string): string {
  return `There are no iterations of “${phase}”: it was inlined into its callers or not compiled by the compiler wrappers, so the executable has no patch point for it. Mark the loop’s body with KYMO_PHASE_BEGIN and KYMO_PHASE_END, or forbid to inline the function (__attribute__((noinline))).`;
}

/** On a phase that names nothing in the program. */
export function unknownPhase(phase: string): string {
  return `“${phase}” is no function of the program, and no phase that its source marks. Correct “phase” in kymo.json.`;
}
