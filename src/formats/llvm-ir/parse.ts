import { present } from '../../core/present';
import type { CompilerFunction, CompilerGraph } from '../../core/source/unit';
import { localTypes, readClasses } from './classes';
import { DebugNames } from './debugNames';
import { FunctionBodyReader, type FunctionBody } from './functionBody';
import { readGlobalValue, type GlobalValue } from './globalValue';
import { Metadata } from './metadata';
import { withoutOutlined } from './outlined';
import { globalName, namesIn, plainName } from './symbolNames';

interface Definition {
  readonly isLocal: boolean;
  readonly body: FunctionBody;
  /** Number of the metadata node with the debug information. */
  readonly debug?: number;
}

interface Alias {
  readonly name: string;
  readonly isLocal: boolean;
  readonly target: string | undefined;
}

function aliasOf({ name, isLocal, text }: GlobalValue): Alias {
  return { name, isLocal, target: [...namesIn(text)].at(-1) };
}

const definitionPattern = new RegExp(String.raw`^define (.*?)(${globalName})\(`);
const declarationPattern = new RegExp(String.raw`^declare .*?(${globalName})\(`);

/** Functions that the compiler itself calls, without a call in the source. */
const ofTheCompiler = /^(?:llvm\.|__gxx_personality_|__clang_call_terminate$)/;

/**
 * Reads the IR that clang writes with `irOptions`, in pieces of any size: the IR of a unit can be too large for one string.
 * The text is decoded as bytes (`latin1`); it escapes names that are not ASCII.
 */
export class LlvmIrReader {
  private readonly definitions = new Map<string, Definition>();
  private readonly declarations = new Set<string>();
  private readonly aliases = new Map<string, Alias>();
  private readonly data: GlobalValue[] = [];
  private readonly metadata = new Metadata();
  private readonly names = new DebugNames(this.metadata);
  private body: FunctionBodyReader | undefined;
  /** Pieces of an incomplete line. */
  private rest: string[] = [];

  add(piece: string): void {
    this.rest.push(piece);
    if (!piece.includes('\n')) return;
    const text = this.rest.join('');
    let begin = 0;
    for (let newline = text.indexOf('\n'); newline >= 0; newline = text.indexOf('\n', begin)) {
      this.line(text.slice(begin, newline));
      begin = newline + 1;
    }
    this.rest = [text.slice(begin)];
  }

  finish(): CompilerGraph {
    this.line(this.rest.join(''));
    this.rest = [];
    const classes = readClasses(this.data);
    const inData = this.inData();
    const functions = withoutOutlined([...this.defined(), ...this.aliased()]);
    const used = new Set([
      ...inData,
      ...functions.flatMap((f) => [...f.callees, ...f.references]),
      ...classes.flatMap(({ tables }) => tables.flat()),
    ]);
    return { functions: [...functions, ...this.declared(used)], classes, inData };
  }

  // --- lines -------------------------------------------------------------------------------------------------------

  private line(line: string): void {
    if (this.body !== undefined) {
      if (line.startsWith('}')) this.body = undefined;
      else if (line.startsWith('  ')) this.body.line(line.trimStart());
      return;
    }
    const first = line[0];
    if (first === 'd') this.define(line);
    else if (first === '@') this.global(line);
    else if (first === '!') this.metadata.note(line);
  }

  private define(line: string): void {
    const declaration = declarationPattern.exec(line);
    if (declaration !== null) {
      this.declarations.add(plainName(declaration[1] ?? ''));
      return;
    }
    const definition = definitionPattern.exec(line);
    if (definition === null) return;
    this.body = new FunctionBodyReader();
    const debug = /!dbg !(\d+)/.exec(line)?.[1];
    this.definitions.set(plainName(definition[2] ?? ''), {
      isLocal: /\b(?:internal|private)\b/.test(definition[1] ?? ''),
      body: this.body,
      ...present({ debug: debug === undefined ? undefined : Number(debug) }),
    });
  }

  private global(line: string): void {
    const value = readGlobalValue(line);
    if (value === undefined) return;
    if (value.kind === 'alias') this.aliases.set(value.name, aliasOf(value));
    else if (value.text.includes('@') || value.name.startsWith('_ZT')) this.data.push(value);
  }

  // --- functions ---------------------------------------------------------------------------------------------------

  private isFunction(name: string): boolean {
    if (ofTheCompiler.test(name)) return false;
    const aliased = this.aliases.has(name) ? this.aliasTarget(name) : name;
    return aliased !== undefined && (this.definitions.has(aliased) || this.declarations.has(aliased));
  }

  /** The name at the end of a chain of aliases. */
  private aliasTarget(name: string): string | undefined {
    let target: string | undefined = name;
    for (let step = 0; step < 10 && target !== undefined; step++) {
      const alias = this.aliases.get(target);
      if (alias === undefined) return target;
      target = alias.target;
    }
    return undefined;
  }

  private functionNames(names: Iterable<string>): string[] {
    return [...names].filter((name) => this.isFunction(name));
  }

  private *defined(): Iterable<CompilerFunction> {
    const types = localTypes(this.data, this.metadata);
    for (const [mangledName, { isLocal, body, debug }] of this.definitions) {
      if (ofTheCompiler.test(mangledName)) continue;
      const callees = this.functionNames(body.callees);
      // A thunk calls nothing but the function that it represents.
      const aliasOf = /^_ZT[hvc]/.test(mangledName) ? callees[0] : undefined;
      yield {
        mangledName,
        ...this.place(mangledName, debug),
        hasBody: true,
        isLocal,
        callees: aliasOf === undefined ? callees : [],
        references: this.functionNames(body.references),
        ...throughPointers(body, types),
        ...present({ aliasOf }),
      };
    }
  }

  /** Names of C need no readable form. */
  private place(
    mangledName: string,
    debug: number | undefined,
  ): Pick<CompilerFunction, 'prettyName' | 'file' | 'line'> {
    const place = debug === undefined ? undefined : this.names.place(debug);
    if (place === undefined) return {};
    if (mangledName.startsWith('_Z')) return place;
    const { file, line } = place;
    return file === undefined || line === undefined ? {} : { file, line };
  }

  private *aliased(): Iterable<CompilerFunction> {
    for (const { name, isLocal } of this.aliases.values()) {
      const aliasOf = this.aliasTarget(name);
      if (aliasOf === undefined || !this.isFunction(name)) continue;
      yield { ...bodiless(name), hasBody: true, isLocal, aliasOf };
    }
  }

  /** Only used declarations: those that only compiler functions use do not matter. */
  private *declared(used: ReadonlySet<string>): Iterable<CompilerFunction> {
    for (const name of this.declarations) if (used.has(name)) yield bodiless(name);
  }

  // --- data --------------------------------------------------------------------------------------------------------

  private inData(): string[] {
    const names = new Set<string>();
    for (const { name, text } of this.data) {
      if (/^(?:_ZT[VTIC]|llvm\.)/.test(name)) continue;
      for (const used of this.functionNames(namesIn(text))) names.add(used);
    }
    return [...names];
  }
}

/** A virtual call on a class without a known table counts as a call through a pointer. */
function throughPointers(
  body: FunctionBody,
  types: ReadonlyMap<number, string>,
): Pick<CompilerFunction, 'indirectCalls' | 'virtualCalls'> {
  const virtualCalls = body.virtualCalls.flatMap(({ type, slot }) => {
    const name = typeof type === 'string' ? type : types.get(type);
    return name === undefined ? [] : [{ type: name, slot }];
  });
  const unknown = body.virtualCalls.length - virtualCalls.length;
  return { indirectCalls: body.indirectCalls + unknown, virtualCalls };
}

function bodiless(mangledName: string): CompilerFunction {
  return {
    mangledName,
    hasBody: false,
    isLocal: false,
    callees: [],
    references: [],
    indirectCalls: 0,
    virtualCalls: [],
  };
}
