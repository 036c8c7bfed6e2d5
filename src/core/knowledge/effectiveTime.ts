import type { Knowledge } from './knowledge';

/**
 * Exclusive seconds that the known functions would show if the functions in `dropped` were not recorded: their time falls to the nearest
 * recorded callers, in the measured shares. Dropped functions themselves show nothing.
 */
export function effectiveExclusive(knowledge: Knowledge, dropped: ReadonlySet<string>): Map<string, number> {
  const effective = new Map<string, number>();
  let pending = new Map<string, number>();
  for (const [key, { exclusiveSeconds }] of knowledge.functions) {
    (dropped.has(key) ? pending : effective).set(key, exclusiveSeconds);
  }
  // Dropped functions may call each other; each step moves their time one caller up.
  for (let step = 0; step <= dropped.size && pending.size > 0; step++) {
    const next = new Map<string, number>();
    for (const [key, seconds] of pending) {
      for (const [caller, share] of knowledge.functions.get(key)?.callers ?? []) {
        const target = dropped.has(caller) ? next : effective;
        target.set(caller, (target.get(caller) ?? 0) + seconds * share);
      }
    }
    pending = next;
  }
  return effective;
}
