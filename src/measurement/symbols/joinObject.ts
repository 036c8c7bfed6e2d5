import { pushTo } from '../../core/remembered';
import type { GraphIndex } from './graphIndex';
import { isOfCoverage, isSameStructor } from './mangledNames';
import type { FunctionSymbol, ObjectSled, ObjectSymbols } from './objectSymbols';
import type { Site } from './sites';

export interface JoinedObject {
  /** Sites by function key. */
  readonly functions: ReadonlyMap<string, readonly Site[]>;
  readonly instanceNames: ReadonlyMap<string, string>;
  /** As in `SiteMap`. */
  readonly inlinedToo: ReadonlySet<string>;
  readonly problems: readonly string[];
}

/** A site with the data that distinguish the instances of its function. */
interface Placed {
  readonly site: Site;
  readonly instance: FunctionSymbol | undefined;
  /** Position of the out-of-line function whose code contains it. */
  readonly host: number | undefined;
  /** Whether it is the entry of the outlined rest of a function. */
  readonly isPart?: boolean;
}

/** Assigns each site of a linked object to its function. */
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

/** Functions with an entry and inlined copies, which have none. An outlined rest also serves the inlined copies. */
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
    pushTo(byKey, owner.key, {
      site: { object, kind: sled.kind, offset: sled.offset },
      instance: owner.instance,
      host: sled.chain[0],
    });
  }
  if (unknown > 0) {
    problems.push(`${unknown} probe sleds belong to units without a call graph; they stay disabled.`);
  }
  // The compiler drops an unreachable exit (of a function that never returns), but never a reachable entry:
  // exits without an entry are remainders of code that the linker discarded.
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
  // The probe guard's own functions are inlined into the function, so the search goes from the innermost to the outermost.
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

/** Patchable entries of functions without probes; functions with probes do not need them. */
function placeEntries(
  symbols: ObjectSymbols,
  index: GraphIndex,
  object: number,
  probes: ReadonlyMap<string, readonly Placed[]>,
  problems: string[],
): ReadonlyMap<string, readonly Placed[]> {
  const entries = new Map<string, Placed[]>();
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
    pushTo(isPart ? parts : entries, key, { site, instance: symbol, host: position, isPart });
  }
  if (unknown > 0) {
    problems.push(`${unknown} patchable entries belong to functions that the call graph lacks.`);
  }
  // If callers inline the head of a function, its own entry is hardly called, and its outlined rest does the work. Only one of
  // both is measured, or visits would count twice; several rests may call each other, so none of them is.
  for (const [key, placed] of parts) if (placed.length === 1 || !entries.has(key)) entries.set(key, placed);
  return entries;
}

/** gfortran's `main`, which only starts the main program, and functions that count for `--coverage`. */
function isLeftOut(symbol: FunctionSymbol | undefined): boolean {
  return symbol !== undefined && (symbol.mangledName === 'main' || isOfCoverage(symbol.mangledName));
}

/** Names the instances of a template if there are several and all sites can be assigned safely. */
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
 * Compilers may merge equal exits of two instances that were inlined into the same function. Then the exit of one instance
 * counts for another one, and entries and exits match only for the definition as a whole.
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
