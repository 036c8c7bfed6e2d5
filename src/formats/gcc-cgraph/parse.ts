import { present } from '../../core/present';
import { withoutOutlined } from './outlined';
import type { CompilerClass, CompilerFunction, CompilerGraph } from '../../core/source/unit';

/**
 * Reads gcc's dump of its symbol table before optimisation (`-fdump-ipa-cgraph`, file `….000i.cgraph`), written by gcc 8 to 14.
 *
 * The dump repeats the table at several stages with the same numbers of symbols (`name/number`); early tables have readable names,
 * later ones mangled names. The reader takes calls and references from the tables before optimisation,
 * and names from any table with mangled ones. Other texts give an empty graph.
 */
export function parseGccCgraph(text: string): CompilerGraph {
  return new Reader().read(text);
}

interface Symbol {
  readonly number: number;
  name: string;
  pretty: string;
  isFunction: boolean;
  hasBody: boolean;
  isLocal: boolean;
  isThunk: boolean;
  isArtificial: boolean;
  entries: number;
  readonly callees: Set<number>;
  references: readonly number[];
  alias?: number;
  indirect: number;
  virtualCalls: readonly { readonly type: string; readonly slot: number }[];
}

const headerPattern = /^(\S.*)\/(\d+) \((.*)\)(?: @(?:0x)?[0-9a-f]+)?\s*$/;
const callPattern = /\/(\d+)(?=\s|$)/g;
const referencePattern = /(\S+)?\/(\d+) \((addr|read|write|alias)\)/g;
const namedNumber = /(?:^|[\s)])([A-Za-z_$*.][\w$.*]*)\/(\d+)(?=\s|$)/g;
const polymorphicPattern = /^\s*Polymorphic indirect call of type (.*?)\s*token:\s*(\d+)/;

const namingKeys = new Set(['Calls', 'Called by', 'References', 'Referring']);

class Reader {
  private readonly symbols = new Map<number, Symbol>();
  private current: Symbol | undefined;
  /** After optimisation, only names are read. */
  private namesOnly = false;
  private indirect = 0;
  private virtualCalls: { type: string; slot: number }[] = [];

  read(text: string): CompilerGraph {
    let begin = 0;
    while (begin < text.length) {
      const newline = text.indexOf('\n', begin);
      const end = newline < 0 ? text.length : newline;
      this.line(text.slice(begin, end));
      begin = end + 1;
    }
    this.close();
    return this.finish();
  }

  private line(line: string): void {
    if (line === '') return;
    const first = line.charCodeAt(0);
    if (first !== 32 && first !== 9) this.flush(line);
    else this.detail(line);
  }

  private flush(line: string): void {
    if (/^(?:Optimized|Final|Inlined|Marked|Marking)\b.*(?:[Ss]ymbol table|callgraph)/.test(line)) {
      this.close();
      this.namesOnly = true;
      return;
    }
    const header = headerPattern.exec(line);
    if (header === null) return;
    this.close();
    const number = Number(header[2]);
    this.current = this.symbol(number);
    this.noteName(this.current, header[1] ?? '');
    const pretty = header[3] ?? '';
    if (pretty !== '' && !this.namesOnly) this.current.pretty = pretty;
    const entries = /\[(\d+)\]$/.exec(pretty) ?? /\[(\d+)\]\)\(\.\.\.\)$/.exec(pretty);
    if (entries !== null) this.current.entries = Number(entries[1]);
  }

  /** Each table repeats the number of indirect calls, so they are not added. */
  private close(): void {
    if (this.current !== undefined && !this.namesOnly) {
      this.current.indirect = Math.max(this.current.indirect, this.indirect);
      if (this.virtualCalls.length > this.current.virtualCalls.length) {
        this.current.virtualCalls = this.virtualCalls;
      }
    }
    this.indirect = 0;
    this.virtualCalls = [];
    this.current = undefined;
  }

  private symbol(number: number): Symbol {
    let symbol = this.symbols.get(number);
    if (symbol === undefined) {
      symbol = {
        number,
        name: '',
        pretty: '',
        isFunction: false,
        hasBody: false,
        isLocal: false,
        isThunk: false,
        isArtificial: false,
        entries: 0,
        callees: new Set(),
        references: [],
        indirect: 0,
        virtualCalls: [],
      };
      this.symbols.set(number, symbol);
    }
    return symbol;
  }

  private noteName(symbol: Symbol, name: string): void {
    const mangled = /^[A-Za-z_$*.][\w$.*]*$/.test(name);
    if (mangled ? !symbol.name.startsWith('_Z') : symbol.name === '') symbol.name = name;
  }

  private detail(line: string): void {
    const { current } = this;
    if (current === undefined) return;
    const colon = line.indexOf(':');
    const key = colon < 0 ? '' : line.slice(0, colon).trim();
    const rest = line.slice(colon + 1);
    if (namingKeys.has(key)) this.noteNames(rest);

    if (this.namesOnly) return;
    switch (key) {
      case 'Type':
        current.isFunction = rest.includes('function');
        if (/\bdefinition analyzed\b/.test(rest)) current.hasBody = true;
        break;
      case 'Visibility':
        current.isLocal = !/\b(?:public|external)\b/.test(rest);
        current.isArtificial = /\bartificial\b/.test(rest);
        break;
      case 'References':
        this.references(current, rest);
        break;
      case 'Calls':
        for (const match of rest.matchAll(callPattern)) current.callees.add(Number(match[1]));
        break;
      default:
        this.otherDetail(current, line);
    }
  }

  private otherDetail(current: Symbol, line: string): void {
    const polymorphic = polymorphicPattern.exec(line);
    if (polymorphic !== null) {
      const type = (polymorphic[1] ?? '').replace(/\b(?:const|volatile|struct|class|union)\s+/g, '').trim();
      this.virtualCalls.push({ type, slot: Number(polymorphic[2]) });
    } else if (/^\s*Indirect call/.test(line)) {
      this.indirect++;
    } else if (/^\s*Thunk\b/.test(line)) {
      current.isThunk = true;
    }
  }

  private noteNames(text: string): void {
    for (const match of text.matchAll(namedNumber)) {
      this.noteName(this.symbol(Number(match[2])), match[1] ?? '');
    }
  }

  private references(current: Symbol, text: string): void {
    const numbers: number[] = [];
    for (const match of text.matchAll(referencePattern)) {
      const number = Number(match[2]);
      if (match[3] === 'alias') current.alias = number;
      else if (match[3] === 'addr') numbers.push(number);
    }
    if (numbers.length > current.references.length) current.references = numbers;
  }

  // --- result ------------------------------------------------------------------------------------------------------

  private finish(): CompilerGraph {
    const functions: CompilerFunction[] = [];
    const inData = new Set<string>();
    const used = this.usedNumbers();
    for (const symbol of this.symbols.values()) {
      if (symbol.isFunction) {
        if (used.has(symbol.number) && !symbol.name.startsWith('*.LTHUNK'))
          functions.push(this.describe(symbol));
      } else if (!/^_ZT[VTIC]/.test(symbol.name)) {
        for (const name of this.functionNames(symbol.references)) inData.add(name);
      }
    }
    return { functions: withoutOutlined(functions), classes: this.classes(), inData: [...inData] };
  }

  /** Includes all definitions, and declarations only if a call or reference uses them. */
  private usedNumbers(): Set<number> {
    const used = new Set<number>();
    for (const symbol of this.symbols.values()) {
      if (symbol.hasBody) used.add(symbol.number);
      for (const callee of symbol.callees) used.add(callee);
      for (const reference of symbol.references) used.add(reference);
    }
    return used;
  }

  private describe(symbol: Symbol): CompilerFunction {
    const alias = symbol.alias ?? (symbol.isThunk ? [...symbol.callees][0] : undefined);
    const aliasOf = alias === undefined ? undefined : this.throughLocalThunk(alias);
    return {
      mangledName: symbol.name,
      ...(symbol.pretty === '' || symbol.pretty === symbol.name ? {} : { prettyName: symbol.pretty }),
      hasBody: symbol.hasBody,
      isLocal: symbol.isLocal,
      ...(symbol.isArtificial && symbol.hasBody ? { isArtificial: true } : {}),
      callees: aliasOf === undefined ? this.functionNames(symbol.callees) : [],
      references: this.functionNames(symbol.references),
      indirectCalls: symbol.indirect,
      virtualCalls: symbol.virtualCalls,
      ...present({ aliasOf }),
    };
  }

  private throughLocalThunk(number: number): string | undefined {
    let symbol = this.symbols.get(number);
    if (symbol?.name.startsWith('*.LTHUNK') === true && symbol.alias !== undefined)
      symbol = this.symbols.get(symbol.alias);
    return symbol?.name;
  }

  private functionNames(numbers: Iterable<number>): string[] {
    const names = new Set<string>();
    for (const number of numbers) {
      const symbol = this.symbols.get(number);
      if (symbol?.isFunction !== true || symbol.name === '' || symbol.name === '__gxx_personality_v0')
        continue;
      names.add(symbol.name);
    }
    return [...names];
  }

  private classes(): CompilerClass[] {
    const bases = new Map<string, string[]>();
    const tables = new Map<string, Symbol>();
    for (const symbol of this.symbols.values()) {
      if (symbol.isFunction) continue;
      if (symbol.name.startsWith('_ZTI')) bases.set(symbol.name.slice(4), this.baseNames(symbol));
      else if (symbol.name.startsWith('_ZTV')) tables.set(symbol.name.slice(4), symbol);
    }
    const names = new Set([...bases.keys(), ...tables.keys()]);
    return [...names].map((mangledName) => ({
      mangledName,
      bases: bases.get(mangledName) ?? [],
      ...this.tableOf(tables.get(mangledName)),
    }));
  }

  private baseNames(typeInfo: Symbol): string[] {
    const names: string[] = [];
    for (const number of typeInfo.references) {
      const name = this.symbols.get(number)?.name ?? '';
      if (name.startsWith('_ZTI')) names.push(name.slice(4));
    }
    return names;
  }

  private tableOf(symbol: Symbol | undefined): Pick<CompilerClass, 'tables' | 'isComplete'> {
    const tables: string[][] = [];
    if (symbol === undefined) return { tables, isComplete: false };
    let slots = 0;
    for (const number of symbol.references) {
      const entry = this.symbols.get(number);
      if (entry === undefined) continue;
      if (entry.name.startsWith('_ZTI')) tables.push([]);
      else if (entry.isFunction) {
        tables.at(-1)?.push(entry.name);
        slots++;
      }
    }
    // Each table begins with two entries that are not slots: the offset to the top and the type information.
    return { tables, isComplete: symbol.entries === slots + 2 * tables.length };
  }
}
