import { at } from '../../at';
import { present } from '../../present';
import { pushTo } from '../../remembered';
import { scopeOf, unqualified } from '../../source/syntax/names';
import type { CompilerFunction, Unit } from '../../source/unit';
import type { FunctionSymbol } from '../functionSymbol';
import { canonicalVariant } from '../../names/mangled';
import { readPrettyName } from '../../names/prettyName';
import type { SourceFunction, SourceFunctions } from './sourceFunctions';
import { signatureScore } from './typeMatch';

/** A function of the program while the graph is being put together. */
export interface Node {
  readonly number: number;
  readonly mangledName?: string;
  readonly shownName: string;
  readonly source?: SourceFunction;
  hasBody: boolean;
  /** True for the user's functions, those that the compiler made for the user's classes, and static initialisation. */
  readonly isUser: boolean;
  /** The compilers' records of it, per unit. */
  readonly compiled: { readonly unit: number; readonly record: CompilerFunction }[];
}

/** Names of gcc and clang for functions that initialise and destroy global variables. */
const staticInitialisation =
  /^_GLOBAL__(?:sub_)?[ID]|static_initialization_and_destruction|^__cxx_global_(?:var_init|array_dtor)/;

/** The nodes of a program: joins the records of compilers, sources and symbols for each function. */
export class Nodes {
  readonly all: Node[] = [];
  private readonly byKey = new Map<string, Node>();
  private readonly bySource = new Map<number, Node[]>();
  private readonly symbolPlaces = new Map<string, FunctionSymbol>();
  private readonly symbolsByPlace = new Map<string, FunctionSymbol[]>();
  /** Per unit: the compiler's records by name, and which canonical names are local. */
  private readonly records: ReadonlyMap<string, CompilerFunction>[];
  private readonly keys: Map<string, string>[];

  constructor(
    units: readonly Unit[],
    private readonly sources: SourceFunctions,
    symbols: readonly FunctionSymbol[],
  ) {
    for (const symbol of symbols) {
      this.symbolPlaces.set(symbol.mangledName, symbol);
      const place = `${symbol.file}:${symbol.line}`;
      pushTo(this.symbolsByPlace, place, symbol);
    }
    this.records = units.map(
      (unit) => new Map(unit.compiler?.functions.map((record) => [record.mangledName, record])),
    );
    this.keys = units.map(() => new Map<string, string>());
    for (const [position, unit] of units.entries()) {
      for (const record of unit.compiler?.functions ?? []) this.addCompiled(position, record);
    }
    for (const source of sources.all) if (!this.bySource.has(source.number)) this.addSource(source);
  }

  /** The node of a name in a unit. */
  named(unit: number, mangledName: string): Node | undefined {
    const canonical = this.canonical(unit, mangledName);
    return this.byKey.get(at(this.keys, unit).get(canonical) ?? canonical);
  }

  /** The node of a name that is visible in the whole program. */
  global(mangledName: string): Node | undefined {
    return this.byKey.get(canonicalVariant(mangledName));
  }

  /** The nodes of a source function: several for a template, one otherwise. */
  of(source: SourceFunction): readonly Node[] {
    return this.bySource.get(source.number) ?? [];
  }

  private canonical(unit: number, mangledName: string): string {
    let name = mangledName;
    for (let step = 0; step < 10; step++) {
      const next = at(this.records, unit).get(name)?.aliasOf;
      if (next === undefined) break;
      name = next;
    }
    return canonicalVariant(name);
  }

  private addCompiled(unit: number, record: CompilerFunction): void {
    const canonical = this.canonical(unit, record.mangledName);
    if (record.aliasOf !== undefined && at(this.records, unit).has(record.aliasOf)) return;
    const source = record.hasBody ? this.matchSource(unit, record) : undefined;
    const key = record.isLocal && record.hasBody ? localKey(canonical, unit, source) : canonical;
    at(this.keys, unit).set(canonical, key);
    let node = this.byKey.get(key);
    if (node === undefined || (source !== undefined && node.source === undefined)) {
      node = this.create(canonical, record, source, node);
      this.byKey.set(key, node);
    }
    node.hasBody ||= record.hasBody;
    if (record.hasBody) node.compiled.push({ unit, record });
  }

  private create(
    canonical: string,
    record: CompilerFunction,
    source: SourceFunction | undefined,
    earlier: Node | undefined,
  ): Node {
    const pretty = record.prettyName ?? canonical;
    const node: Node = {
      number: earlier?.number ?? this.all.length,
      mangledName: canonical,
      shownName: source === undefined ? pretty : shownName(source, record.prettyName),
      ...present({ source }),
      hasBody: record.hasBody,
      isUser: source !== undefined || (record.hasBody && this.isMadeForUser(canonical, pretty)),
      compiled: earlier?.compiled ?? [],
    };
    this.all[node.number] = node;
    if (source !== undefined) pushTo(this.bySource, source.number, node);
    return node;
  }

  /** Implicit constructors and the like of the user's classes, and static initialisation. */
  private isMadeForUser(canonical: string, pretty: string): boolean {
    if (staticInitialisation.test(canonical)) return true;
    const scope = scopeOf(readPrettyName(pretty).qualifiedName);
    return scope !== '' && this.sources.classNames.has(scope);
  }

  private addSource(source: SourceFunction): void {
    const { record } = source;
    const here = this.symbolsByPlace.get(`${record.file}:${record.line}`) ?? [];
    const twins = this.sources.at(record.file, record.line).filter((each) => sameName(each, record.name));
    const symbols = here.filter((symbol) => isSymbolOf(symbol, source, twins.length > 1));
    const names = new Set(symbols.map((symbol) => canonicalVariant(symbol.mangledName)));
    if (names.size === 0 && source.language === 'c') names.add(record.name);
    if (names.size === 0 && isPlainlyNamed(source)) names.add(record.name);
    for (const name of names.size === 0 ? [undefined] : names) this.define(source, name);
  }

  private define(source: SourceFunction, name: string | undefined): void {
    const declared = name === undefined || source.record.isStatic ? undefined : this.declared(name);
    const node: Node = {
      number: declared?.number ?? this.all.length,
      ...present({ mangledName: name }),
      shownName: source.record.qualifiedName,
      source,
      hasBody: true,
      isUser: true,
      compiled: [],
    };
    this.all[node.number] = node;
    pushTo(this.bySource, source.number, node);
    if (name !== undefined && (declared !== undefined || !this.byKey.has(name))) this.byKey.set(name, node);
  }

  /** The node of a function that compilers know only from calls, such as a C function that C++ calls: its definition takes this place. */
  private declared(name: string): Node | undefined {
    const node = this.byKey.get(name);
    return node === undefined || node.hasBody || node.source !== undefined ? undefined : node;
  }

  // --- joining the compiler's functions with the sources -----------------------------------------------------------

  private matchSource(unit: number, record: CompilerFunction): SourceFunction | undefined {
    const place =
      record.file !== undefined && record.line !== undefined
        ? record
        : this.symbolPlaces.get(record.mangledName);
    const pretty = readPrettyName(record.prettyName ?? record.mangledName.replace(/\.\d+$/, ''));
    // The compiler's own constructors and assignments stand in no source.
    if (record.isArtificial === true && mayBeImplicit(pretty.qualifiedName)) return undefined;
    const name = unqualified(pretty.qualifiedName);
    if (place?.file !== undefined && place.line !== undefined) {
      const here = this.sources.at(place.file, place.line);
      const sameNames = here.filter((each) => sameName(each, name));
      const scoped = sameNames.filter((each) => isNamed(each, pretty.qualifiedName));
      const named = scoped.length > 0 ? scoped : sameNames;
      // Macros define several functions on one line. Without a pretty name (C), the compiler's name may be another one.
      const fitting = named.length === 0 && record.prettyName === undefined ? here : named;
      // Parameters can be spelled in more ways than can be compared: needed only where several functions stand.
      if (fitting.length === 1 && !mayBeImplicit(pretty.qualifiedName)) return fitting[0];
      if (here.length > 0) return bestMatch(fitting, pretty.signature, record);
    }
    const candidates = this.sources
      .named(name)
      .filter((each) => each.units.includes(unit) && isNamed(each, pretty.qualifiedName));
    return bestMatch(candidates, pretty.signature, record);
  }
}

/** By place (given) and name; several on one line (`hasTwins`) by scope and parameters, where the symbol tells them. */
function isSymbolOf(symbol: FunctionSymbol, source: SourceFunction, hasTwins: boolean): boolean {
  const { name, qualifiedName, signature } = source.record;
  if (name === '<lambda>') return symbol.name.startsWith('operator()');
  const plain = symbol.name.startsWith('operator')
    ? readPrettyName(symbol.name).qualifiedName
    : symbol.name.replace(/<.*$/, '');
  if (plain !== name) return false;
  const pretty = symbol.prettyName === undefined ? undefined : readPrettyName(symbol.prettyName);
  if (pretty?.signature === undefined || source.record.isTemplate) return true;
  if (!hasTwins && !mayBeImplicit(qualifiedName)) return true;
  const scopeFits = pretty.qualifiedName === qualifiedName || qualifiedName.includes('(anonymous)');
  return scopeFits && signatureScore(signature, pretty.signature) >= 0;
}

/** Constructors, destructors and assignments: the compiler makes more of them, at the line of the class. */
function mayBeImplicit(qualifiedName: string): boolean {
  const name = unqualified(qualifiedName);
  return name === 'operator=' || name.replace('~', '') === unqualified(scopeOf(qualifiedName));
}

function sameName(source: SourceFunction, name: string): boolean {
  return source.record.name === name;
}

function isNamed(source: SourceFunction, qualifiedName: string): boolean {
  const own = source.record.qualifiedName;
  if (own === qualifiedName) return true;
  return source.record.name === '<lambda>' && own.replace(/<lambda(?::\d+)?>/g, '<lambda>') === qualifiedName;
}

/** Overloads are told apart by their parameters; lambdas of one signature by their order (`UldE_`, `UldE0_`, …). */
function bestMatch(
  candidates: readonly SourceFunction[],
  signature: string | undefined,
  record: CompilerFunction,
): SourceFunction | undefined {
  if (signature === undefined) return candidates[0];
  const scored = candidates
    .map((candidate) => ({ candidate, score: signatureScore(candidate.record.signature, signature) }))
    .filter(({ score }) => score >= 0);
  const best = Math.max(...scored.map(({ score }) => score));
  const equal = scored.filter(({ score }) => score === best);
  const lambda = /Ul.*?E(\d*)_/.exec(record.mangledName);
  if (lambda !== null) {
    const order = lambda[1] === '' ? 0 : Number(lambda[1]) + 1;
    return (equal[order] ?? equal[0])?.candidate;
  }
  return equal[0]?.candidate;
}

function localKey(canonical: string, unit: number, source: SourceFunction | undefined): string {
  return source === undefined ? `${canonical}\0unit ${unit}` : `${canonical}\0source ${source.number}`;
}

function shownName(source: SourceFunction, pretty: string | undefined): string {
  const instance = pretty === undefined ? undefined : / \[with (.*)\]$/.exec(pretty)?.[1];
  return instance === undefined
    ? source.record.qualifiedName
    : `${source.record.qualifiedName} [${instance}]`;
}

/** `main` and what stands in C++ with C's names cannot be told from the record; `main` can. */
function isPlainlyNamed(source: SourceFunction): boolean {
  return source.record.qualifiedName === 'main';
}
