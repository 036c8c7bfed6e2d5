import type { GraphIndex } from './graphIndex';
import { isOfCoverage, isSameStructor } from './mangledNames';
import type { FunctionSymbol, ObjectSled, ObjectSymbols } from './objectSymbols';
import type { Site } from './sites';

export interface JoinedObject {
  /** By function key. */
  readonly functions: ReadonlyMap<string, readonly Site[]>;
  readonly instanceNames: ReadonlyMap<string, string>;
  /** As in `SiteMap`. */
  readonly inlinedToo: ReadonlySet<string>;
  readonly problems: readonly string[];
}

/** A site with what is needed to tell the instances of its function apart. */
interface Placed {
  readonly site: Site;
  readonly instance: FunctionSymbol | undefined;
  /** Position of the out-of-line function whose code it lies in. */
  readonly host: number | undefined;
  /** It is the entry of the outlined rest of a function. */
  readonly isPart?: boolean;
}

/** Gives each site of a linked object to its function. */
export function joinObject(symbols: ObjectSymbols, index: GraphIndex, object: number): JoinedObject {
  const problems: string[] = [];
  const probes = placeSleds(symbols, index, object, problems);
  const entries = placeEntries(symbols, index, object, probes, problems);
  const functions = new Map<string, readonly Site[]>();
  const instanceNames = new Map<string, string>();
  for (const [key, placed] of [...probes, ...entries]) {
    functions.set(key, withInstances(placed, instanceNames));
  }
  return { functions, instanceNames, inlinedToo: inlinedToo(entries), problems };
}

/** Of the functions with an entry: an inlined copy has none. What is outlined holds the work of the copies, too. */
function inlinedToo(entries: ReadonlyMap<string, readonly Placed[]>): ReadonlySet<string> {
  const copies = ({ instance, isPart }: Placed): number => (isPart ? 0 : (instance?.inlinedCopies ?? 0));
  return new Set([...entries].flatMap(([key, placed]) => (placed.some((p) => copies(p) > 0) ? [key] : [])));
}

function placeSleds(
  symbols: ObjectSymbols,
  index: GraphIndex,
  object: number,
  problems: string[],
): ReadonlyMap<string, readonly Placed[]> {
  const byKey = new Map<string, Placed[]>();
  let unknown = 0;
  for (const sled of symbols.sleds) {
    const owner = ownerOf(sled, symbols, index);
    if (owner === undefined) {
      unknown++;
      continue;
    }
    append(byKey, owner.key, {
      site: { object, kind: sled.kind, offset: sled.offset },
      instance: owner.instance,
      host: sled.chain[0],
    });
  }
  if (unknown > 0) {
    problems.push(`${unknown} probe sleds belong to units that the call graph does not know; they stay off.`);
  }
  // The compiler drops an exit that cannot be reached (a function that never returns), but never an entry that can:
  // exits alone are the rest of code that the linker discarded.
  for (const [key, placed] of byKey) {
    if (!placed.some((p) => p.site.kind === 'in')) byKey.delete(key);
  }
  return byKey;
}

function ownerOf(
  sled: ObjectSled,
  symbols: ObjectSymbols,
  index: GraphIndex,
): { readonly key: string; readonly instance: FunctionSymbol | undefined } | undefined {
  const candidates = index.ofDefinition(sled.unit, sled.number);
  // The guard's own functions are inlined into the function, so that is found from the inside outwards.
  const chain = sled.chain.flatMap((position) => symbols.functions[position] ?? []).reverse();
  for (const symbol of chain) {
    const exact = candidates.find((c) => {
      const mangled = index.graph.functions[c]?.mangledName;
      return mangled !== undefined && isSameStructor(mangled, symbol.mangledName);
    });
    const owner = exact ?? candidates.find((c) => index.isOf(c, symbol));
    const key = owner === undefined ? undefined : index.graph.functions[owner]?.key;
    if (key !== undefined) return { key, instance: symbol };
  }
  const first = candidates[0];
  const key = first === undefined ? undefined : index.graph.functions[first]?.key;
  return key === undefined ? undefined : { key, instance: undefined };
}

/** Patchable entries of the functions that have no probe here; a function with probes keeps only those. */
function placeEntries(
  symbols: ObjectSymbols,
  index: GraphIndex,
  object: number,
  probes: ReadonlyMap<string, readonly Placed[]>,
  problems: string[],
): ReadonlyMap<string, readonly Placed[]> {
  const whole = new Map<string, Placed[]>();
  const parts = new Map<string, Placed[]>();
  let unknown = 0;
  for (const { offset, function: position, isPart } of symbols.entries) {
    const symbol = symbols.functions[position];
    const owner = symbol === undefined ? undefined : index.ofSymbol(symbol);
    const key = owner === undefined ? undefined : index.graph.functions[owner]?.key;
    if (key === undefined) {
      if (!isLeftOut(symbol)) unknown++;
      continue;
    }
    if (probes.has(key)) continue;
    const site = { object, kind: 'entry', offset } as const;
    append(isPart ? parts : whole, key, { site, instance: symbol, host: position, isPart });
  }
  if (unknown > 0) {
    problems.push(`${unknown} patchable entries belong to functions that the call graph does not know.`);
  }
  // Where the head was inlined into the callers, what is left of the function is hardly called: its outlined rest does the work. Only one of
  // both is measured, or visits would count twice; of several rests, which may call each other, none.
  for (const [key, placed] of parts) if (placed.length === 1 || !whole.has(key)) whole.set(key, placed);
  return whole;
}

/** gfortran's `main`, which only starts the main program, and what counts for `--coverage`. */
function isLeftOut(symbol: FunctionSymbol | undefined): boolean {
  return symbol !== undefined && (symbol.mangledName === 'main' || isOfCoverage(symbol.mangledName));
}

/** Marks the instances of a template when there are several and all sites can be told apart safely. */
function withInstances(placed: readonly Placed[], names: Map<string, string>): readonly Site[] {
  const instances = new Set(placed.map((p) => p.instance?.mangledName));
  if (instances.size < 2 || !canSeparate(placed)) return placed.map((p) => p.site);
  return placed.map(({ site, instance }) => {
    if (instance === undefined) return site;
    names.set(instance.mangledName, instance.name);
    return { ...site, instance: instance.mangledName };
  });
}

/**
 * Compilers may merge equal exits of two instances that were inlined into the same function. Then an instance has an entry
 * whose exit counts for another one, and only the definition as a whole pairs up.
 */
function canSeparate(placed: readonly Placed[]): boolean {
  if (placed.some((p) => p.instance === undefined)) return false;
  const exits = new Set<string>();
  const entries = new Set<string>();
  const hostsWithExits = new Set<number | undefined>();
  for (const { site, instance, host } of placed) {
    const group = `${host ?? ''} ${instance?.mangledName ?? ''}`;
    if (site.kind === 'in') entries.add(group);
    if (site.kind !== 'out') continue;
    exits.add(group);
    hostsWithExits.add(host);
  }
  const exitsFit = [...exits].every((group) => entries.has(group));
  const entriesFit = [...entries].every(
    (group) => exits.has(group) || !hostsWithExits.has(Number.parseInt(group, 10)),
  );
  return exitsFit && entriesFit;
}

function append(map: Map<string, Placed[]>, key: string, value: Placed): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else known.push(value);
}
