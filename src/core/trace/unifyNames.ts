import { at, atUint } from '../at';
import { matchFunctions, type KnownFunction } from '../compare/matchFunctions';
import { present } from '../present';
import type { CallTrace } from './callTrace';
import { numberStructures } from './callPathTree';
import type { KeyTable } from './keyTable';

/** Traces whose functions have the names of the last view, where they were renamed or moved. */
export interface UnifiedViews {
  readonly views: readonly (readonly CallTrace[])[];
  /** By view: what a function was called there, by its key of today. */
  readonly formerNames: readonly ReadonlyMap<number, string>[];
}

/** Gives functions of each view the keys that they have in the next one: the same ones, or those of which `matchFunctions` says that they are the same. */
export function unifyNames(views: readonly (readonly CallTrace[])[], table: KeyTable): UnifiedViews {
  const newer = views.slice(1).map((next, view) => {
    const match = matchFunctions(functionsOf(at(views, view), table), functionsOf(next, table));
    return new Map([...match].map(([after, before]) => [Number(before), Number(after)]));
  });
  const today = (view: number, key: number): number => {
    let number = key;
    for (let next = view; next < newer.length; next++) number = at(newer, next).get(number) ?? number;
    return number;
  };
  const formerNames = views.map(() => new Map<number, string>());
  const unified = views.map((traces, view) => {
    const keys = new Map<number, number>();
    for (const key of newer[view]?.keys() ?? []) {
      const now = today(view, key);
      if (now === key) continue;
      keys.set(key, now);
      const [was, is] = [at(table.keys, key), at(table.keys, now)];
      if (was.kind === 'context' && is.kind === 'context' && was.name !== is.name)
        at(formerNames, view).set(now, was.name);
    }
    return keys.size === 0 ? traces : traces.map((trace) => renamed(trace, keys, table));
  });
  return { views: unified, formerNames };
}

function renamed(trace: CallTrace, newer: ReadonlyMap<number, number>, table: KeyTable): CallTrace {
  const key = trace.key.map((number) => newer.get(number) ?? number);
  const rows = { size: trace.size, key, end: trace.end, structure: new Uint32Array(trace.size) };
  numberStructures(rows, table);
  return { ...trace, key, structure: rows.structure };
}

function functionsOf(traces: readonly CallTrace[], table: KeyTable): readonly KnownFunction[] {
  const known = new Map<number, KnownFunction & { callees: Set<string>; callers: Set<string> }>();
  for (const { size, key, depth } of traces) {
    const path: number[] = [];
    for (let row = 0; row < size; row++) {
      const number = atUint(key, row);
      path.length = atUint(depth, row) - 1;
      path.push(number);
      const own = at(table.keys, number);
      if (own.kind !== 'context') continue;
      const { file, line } = own.place;
      let one = known.get(number);
      if (one === undefined) {
        const sets = { callees: new Set<string>(), callers: new Set<string>() };
        one = { key: String(number), name: own.name, ...present({ file, line }), ...sets };
        known.set(number, one);
      }
      const caller = path.at(-2);
      if (caller === undefined) continue;
      one.callers.add(String(caller));
      known.get(caller)?.callees.add(String(number));
    }
  }
  return [...known.values()];
}
