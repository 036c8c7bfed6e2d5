import path from 'node:path';
import type { CallGraph, CallGraphFunction } from '../../core/callgraph/callGraph';
import { pushTo } from '../../core/remembered';
import { isSameStructor, structorFamily } from './mangledNames';
import type { FunctionSymbol } from './objectSymbols';

/** Finds the call graph's function for a definition in a unit or for a symbol of a linked object. */
export class GraphIndex {
  private readonly byDefinition = new Map<string, number[]>();
  private readonly byFamily = new Map<string, number[]>();
  private readonly byPlace = new Map<string, number[]>();

  constructor(readonly graph: CallGraph) {
    graph.functions.forEach((f, position) => {
      for (const [unit, number] of f.definitions) pushTo(this.byDefinition, `${unit} ${number}`, position);
      if (f.mangledName !== undefined) pushTo(this.byFamily, structorFamily(f.mangledName), position);
      const place = placeOf(f);
      if (place !== undefined) pushTo(this.byPlace, place, position);
    });
  }

  /** The functions of a definition: several if the graph distinguishes the instances of a template. */
  ofDefinition(unit: string, number: number): readonly number[] {
    return this.byDefinition.get(`${unit} ${number}`) ?? [];
  }

  /** The function of a symbol: by its mangled name, unless that is a function of another file; otherwise by place and name. */
  ofSymbol(symbol: FunctionSymbol): number | undefined {
    const named = (this.byFamily.get(structorFamily(symbol.mangledName)) ?? []).filter((p) =>
      this.nameFits(p, symbol),
    );
    const place = placeOf(symbol);
    const inPlace = place === undefined ? [] : named.filter((p) => this.placeOfFunction(p) === place);
    if (inPlace.length > 0) return this.onlyOne(inPlace, symbol.mangledName) ?? inPlace[0];
    const only = this.onlyOne(named, symbol.mangledName);
    if (only !== undefined) return only;
    const candidates = place === undefined ? [] : (this.byPlace.get(place) ?? []);
    return candidates.find((p) => this.isSameSource(p, symbol));
  }

  /** Among functions with the names of one constructor or destructor, the one with the exact name; otherwise the one that is not the deleting destructor. */
  private onlyOne(named: readonly number[], mangledName: string): number | undefined {
    const name = (position: number): string => this.graph.functions[position]?.mangledName ?? '';
    const exact = named.filter((p) => name(p) === mangledName);
    if (exact.length > 0) return exact.length === 1 ? exact[0] : undefined;
    const ordinary = named.filter((p) => !name(p).includes('D0E'));
    return (ordinary.length > 0 ? ordinary : named).length === 1 ? (ordinary[0] ?? named[0]) : undefined;
  }

  /** Whether a symbol is this function, or an instance of this template. */
  isOf(position: number, symbol: FunctionSymbol): boolean {
    const f = this.graph.functions[position];
    if (f === undefined) return false;
    if (f.mangledName !== undefined && isSameStructor(f.mangledName, symbol.mangledName)) return true;
    return placeOf(f) !== undefined && placeOf(f) === placeOf(symbol) && this.isSameSource(position, symbol);
  }

  private placeOfFunction(position: number): string | undefined {
    const f = this.graph.functions[position];
    return f === undefined ? undefined : placeOf(f);
  }

  /** Local functions with the same name in several files are different functions. */
  private nameFits(position: number, symbol: FunctionSymbol): boolean {
    const f = this.graph.functions[position];
    if (f?.mangledName === undefined || !isSameStructor(f.mangledName, symbol.mangledName)) return false;
    if (f.file === undefined || symbol.file === undefined) return true;
    return path.posix.basename(f.file) === path.posix.basename(symbol.file);
  }

  /** For a symbol at the function's place in a file of the same name: whether the names (and folders, if both are known) agree. */
  private isSameSource(position: number, symbol: FunctionSymbol): boolean {
    const f = this.graph.functions[position];
    if (f?.file === undefined || symbol.file === undefined) return false;
    const bothAbsolute = path.posix.isAbsolute(f.file) && path.posix.isAbsolute(symbol.file);
    if (bothAbsolute && path.posix.normalize(f.file) !== path.posix.normalize(symbol.file)) return false;
    return f.name.includes(plainName(symbol.simpleName));
  }
}

/** Removes template arguments: `sum<int>` is `sum`. All operators are equal. */
function plainName(name: string): string {
  if (name.startsWith('operator')) return 'operator';
  const arguments_ = name.indexOf('<');
  return arguments_ > 0 ? name.slice(0, arguments_) : name;
}

type Placed = Pick<CallGraphFunction, 'file' | 'line'>;

function placeOf({ file, line }: Placed): string | undefined {
  return file === undefined || line === undefined ? undefined : `${path.posix.basename(file)}:${line}`;
}
