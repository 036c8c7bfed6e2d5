/** Translates a location's own ids of one kind of definition to global ones. Ids without an entry are global already. */
export interface IdMap {
  globalOf(id: number): number;
}

/** Ids from 0 on. */
export function denseIdMap(globals: readonly number[]): IdMap {
  const table = Float64Array.from(globals);
  return { globalOf: (id) => (id < table.length ? (table[id] ?? id) : id) };
}

/** Most sparse maps are almost dense: a table is faster where it is not much larger than the pairs. */
const tableEntriesPerPair = 8;
const smallTable = 4096;

export function sparseIdMap(pairs: readonly (readonly [local: number, global: number])[]): IdMap {
  const largest = pairs.reduce((most, [local]) => Math.max(most, local), -1);
  if (largest < smallTable || largest < pairs.length * tableEntriesPerPair) {
    const table = Array.from({ length: largest + 1 }, (_, id) => id);
    for (const [local, global] of pairs) table[local] = global;
    return denseIdMap(table);
  }
  const map = new Map(pairs);
  return { globalOf: (id) => map.get(id) ?? id };
}
