import { present } from '../../core/present';
import { remembered } from '../../core/remembered';
import type { DebugFunction, DebugFunctions } from '../../formats/elf/dwarf/functions';
import type { ElfSymbol } from '../../formats/elf/symbolTable';
import { fortranName, isPartOfFunction, structorFamily, withoutCloneSuffix } from './mangledNames';
import type { FunctionSymbol, ObjectEntry } from './objectSymbols';
import { SymbolIndex } from './symbolIndex';

export interface NamedFunctions {
  readonly functions: readonly FunctionSymbol[];
  readonly entries: readonly ObjectEntry[];
  chainAt(address: number): readonly number[];
}

/** Facts about one function, collected before the result is built. */
interface Draft {
  mangledName: string;
  readonly debug: DebugFunction | undefined;
  address?: number;
  size?: number;
  entry?: number;
  inlinedCopies: number;
  /** Preference of the body at `address`; see `bodyRank`. */
  bodyRank: number;
}

/** Maximum size of a landing pad and the NOPs of an entry. */
const maximumEntryBytes = 32;

/** Lower is better: the base-object constructor or destructor represents all variants, and clones come last. */
function bodyRank(symbol: ElfSymbol | undefined): number {
  if (symbol === undefined) return 3;
  if (withoutCloneSuffix(symbol.name) !== symbol.name) return 2;
  return /[CD][013-5]E/.test(symbol.name) ? 1 : 0;
}

/**
 * Joins debug information with the symbol table: debug functions that are the same function for the linker (variants of
 * constructors) become one, clones of a function become that function, and entries without debug information get the
 * name of their symbol.
 */
export function nameFunctions(
  debug: DebugFunctions,
  symbols: readonly ElfSymbol[],
  entryAddresses: readonly number[],
  addresses: Float64Array,
): NamedFunctions {
  const index = new SymbolIndex(symbols);
  const naming = new Naming(debug.functions);
  for (const body of debug.bodies) {
    const range = body.ranges[0];
    if (range !== undefined) naming.addBody(body.function, range.low, range.high, index);
  }
  const chains = new Map<number, readonly number[]>();
  addresses.forEach((address, i) => {
    const chain = (debug.chains[i] ?? []).map((f) => naming.position(f));
    chains.set(address, chain);
  });
  const entries = entryAddresses.map((offset) => {
    const symbol = index.containing(offset);
    const position = chains.get(offset)?.[0] ?? naming.ofSymbol(symbol) ?? naming.addSymbol(symbol, offset);
    const isPart = symbol !== undefined && isPartOfFunction(symbol.name);
    naming.setEntry(position, offset, isPart);
    return { offset, function: position, isPart };
  });
  for (const { callee, copies } of debug.inlined) naming.addInlined(callee, copies);
  return { functions: naming.finish(), entries, chainAt: (a) => chains.get(a) ?? [] };
}

class Naming {
  private readonly drafts: Draft[] = [];
  private readonly positions: number[] = [];
  private readonly bySymbol = new Map<string, number>();
  /** Functions by the address of the enclosing symbol. */
  private readonly byBody = new Map<number, number>();

  constructor(functions: readonly DebugFunction[]) {
    const families = new Map<string, number>();
    for (const f of functions) {
      const mangledName = withoutCloneSuffix(f.linkageName ?? f.name);
      const family = [structorFamily(mangledName), f.file ?? '', f.line ?? ''].join('\0');
      const draft = { mangledName, debug: f, inlinedCopies: 0, bodyRank: 4 };
      this.positions.push(remembered(families, family, () => this.add(draft)));
    }
  }

  position(debugFunction: number): number {
    return this.positions[debugFunction] ?? 0;
  }

  /** Adds out-of-line code: the symbol at its address has the name that the linker used. */
  addBody(debugFunction: number, low: number, high: number, index: SymbolIndex): void {
    const position = this.position(debugFunction);
    const draft = this.drafts[position];
    if (draft === undefined) return;
    // On aarch64, the debug information begins after the NOPs, the symbol before them.
    const begin = index.containing(low)?.address ?? low;
    const symbol = low - begin <= maximumEntryBytes ? index.at(begin, draft.mangledName) : undefined;
    if (symbol !== undefined) this.byBody.set(begin, position);
    const bare = symbol === undefined ? undefined : withoutCloneSuffix(symbol.name);
    const rank = bodyRank(symbol);
    if (draft.address !== undefined && rank >= draft.bodyRank) return;
    draft.bodyRank = rank;
    draft.address = symbol?.address ?? low;
    draft.size = symbol !== undefined && symbol.size > 0 ? symbol.size : high - low;
    if (bare !== undefined) draft.mangledName = bare;
  }

  addInlined(debugFunction: number, copies: number): void {
    const draft = this.drafts[this.position(debugFunction)];
    if (draft !== undefined) draft.inlinedCopies += copies;
  }

  /** The function whose code, according to the debug information, this symbol contains. */
  ofSymbol(symbol: ElfSymbol | undefined): number | undefined {
    return symbol === undefined ? undefined : this.byBody.get(symbol.address);
  }

  /** A function that only the symbol table (or nothing) describes. */
  addSymbol(symbol: ElfSymbol | undefined, offset: number): number {
    const mangledName =
      symbol === undefined ? `entry@0x${offset.toString(16)}` : withoutCloneSuffix(symbol.name);
    // Local functions with the same name in several units differ in their address only.
    const identity = symbol?.binding === 'local' ? `${mangledName}\0${symbol.address}` : mangledName;
    const place = symbol === undefined ? { address: offset } : { address: symbol.address, size: symbol.size };
    const draft = { mangledName, debug: undefined, inlinedCopies: 0, bodyRank: 4, ...place };
    return remembered(this.bySymbol, identity, () => this.add(draft));
  }

  setEntry(position: number, offset: number, isPart: boolean): void {
    const draft = this.drafts[position];
    if (draft !== undefined && !isPart) draft.entry ??= offset;
  }

  finish(): readonly FunctionSymbol[] {
    return this.drafts.map(finished);
  }

  private add(draft: Draft): number {
    this.drafts.push(draft);
    return this.drafts.length - 1;
  }
}

function finished(draft: Draft): FunctionSymbol {
  const { mangledName, debug, address, size, entry, inlinedCopies } = draft;
  const simpleName = debug?.name ?? mangledName;
  return {
    mangledName,
    name: fortranName(mangledName) ?? simpleName,
    simpleName,
    ...present({ file: debug?.file, line: debug?.line, column: debug?.column, address, size, entry }),
    inlinedCopies,
  };
}
