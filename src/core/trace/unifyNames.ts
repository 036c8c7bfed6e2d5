import { at, atByte, atUint } from '../at';
import { matchFunctions, type KnownFunction } from '../compare/matchFunctions';
import { openmpConstruct } from '../names/openmpConstruct';
import { present } from '../present';
import type { CallTrace } from './callTrace';
import type { KeyTable } from './keyTable';

/** What functions that were renamed or moved are called in the last view. By view. */
export interface UnifiedNames {
  /** Keys that become others. */
  readonly keys: readonly ReadonlyMap<number, number>[];
  /** What a function was called there, by its key of today. */
  readonly formerNames: readonly ReadonlyMap<number, string>[];
}

/**
 * Gives functions of each view the keys that they have in the next one: the same ones, or those of which `matchFunctions` says that they are the same.
 * @param views of each one trace of all its processes
 */
export function unifyNames(views: readonly CallTrace[], table: KeyTable): UnifiedNames {
  const newer = views.slice(1).map((next, view) => {
    const before = at(views, view);
    const had = keysOf(before, table.keys.length).has;
    const { has } = keysOf(next, table.keys.length);
    const known = functionsOf(before, table, has);
    const match = matchFunctions(known, functionsOf(next, table, had));
    const newer = new Map([...match].map(([after, before]) => [Number(before), Number(after)]));
    // An OpenMP construct that is gone is none that has its line now.
    for (const { key, name } of known)
      if (openmpConstruct(name) !== undefined && !newer.has(Number(key)))
        newer.set(Number(key), table.another(Number(key)));
    return newer;
  });
  const today = (view: number, key: number): number => {
    let number = key;
    for (let next = view; next < newer.length; next++) number = at(newer, next).get(number) ?? number;
    return number;
  };
  const formerNames = views.map(() => new Map<number, string>());
  const keys = views.map((_, view) => {
    const keys = new Map<number, number>();
    for (const key of newer[view]?.keys() ?? []) {
      const now = today(view, key);
      if (now === key) continue;
      keys.set(key, now);
      const [was, is] = [at(table.keys, key), at(table.keys, now)];
      if (was.kind !== 'context' || is.kind !== 'context' || was.name === is.name) continue;
      // The name of an OpenMP construct is its line.
      if (openmpConstruct(is.name) === undefined) at(formerNames, view).set(now, was.name);
    }
    return keys;
  });
  return { keys, formerNames };
}

/**
 * The functions of a trace, in the order of their first call. Those that the other trace has too are known by their keys: what they call, and what calls them, is
 * not collected, except for OpenMP constructs.
 */
function functionsOf(trace: CallTrace, { keys }: KeyTable, others: Uint8Array): readonly KnownFunction[] {
  const known = new Map<number, KnownFunction & { callees: Set<string>; callers: Set<string> }>();
  const isKnownByKey = Uint8Array.from(others);
  for (const number of keysOf(trace, keys.length).keys) {
    const own = at(keys, number);
    if (own.kind !== 'context') continue;
    const { file, line } = own.place;
    const sets = { callees: new Set<string>(), callers: new Set<string>() };
    if (openmpConstruct(own.name) !== undefined) isKnownByKey[number] = 0;
    known.set(number, { key: String(number), name: own.name, ...present({ file, line }), ...sets });
  }
  if ([...known.keys()].every((number) => atByte(isKnownByKey, number) === 1)) return [...known.values()];
  const { size, key, depth } = trace;
  const path: number[] = [];
  for (let row = 0; row < size; row++) {
    const [number, above] = [atUint(key, row), atUint(depth, row) - 1];
    path[above] = number;
    const caller = path[above - 1];
    if (caller === undefined) continue;
    if (atByte(isKnownByKey, number) === 0) known.get(number)?.callers.add(String(caller));
    if (atByte(isKnownByKey, caller) === 0 && known.has(number))
      known.get(caller)?.callees.add(String(number));
  }
  return [...known.values()];
}

/** Keys in the order of their first occurrence, and by key whether there is one. */
function keysOf(
  { size, key }: CallTrace,
  all: number,
): { readonly keys: readonly number[]; readonly has: Uint8Array } {
  const has = new Uint8Array(all);
  const keys: number[] = [];
  for (let row = 0; row < size; row++) {
    const number = atUint(key, row);
    if (atByte(has, number) === 1) continue;
    has[number] = 1;
    keys.push(number);
  }
  return { keys, has };
}
