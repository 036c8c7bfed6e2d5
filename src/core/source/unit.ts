/**
 * What is known of one translation unit from its preprocessed text (and, where the compiler tells, from the compiler): the
 * unit's fragment of the call graph. Written by the wrapper, merged by `core/callgraph` (docs/formats.md).
 */
export interface Unit {
  readonly kymoUnit: 1;
  /** 16 hex digits. */
  readonly hash: string;
  /** Absolute path of the source that was compiled. */
  readonly source: string;
  readonly language: 'c' | 'c++';
  /** The number of a function is its position; only functions defined in user files are listed (and their record is complete). */
  readonly functions: readonly UnitFunction[];
  /** Classes with their bases, for virtual calls. */
  readonly classes: readonly UnitClass[];
  /** What the compiler itself said of the unit's calls, with mangled names (gcc's `-fdump-ipa-cgraph`); absent with others. */
  readonly compiler?: CompilerGraph;
  /** False when the parser met something it was not sure of; then functions near it carry no probes. */
  readonly parsed: boolean;
}

export interface UnitFunction {
  /** As written, without qualification: `area`, `operator[]`, `~Named`, `Solver`. */
  readonly name: string;
  /** With namespaces and classes, no template arguments: `n1::Shape::area`. Lambdas: `<enclosing>::<lambda>`. */
  readonly qualifiedName: string;
  readonly file: string;
  /** 1-based place of the function's name in the user's file. */
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  /** Parameters, least and most (default arguments; `maximum` undefined for variadic). */
  readonly parameters: { readonly minimum: number; readonly maximum?: number };
  /** Own statements by MetaCG's exact rules. */
  readonly statements: number;
  readonly loops: number;
  readonly loopDepth: number;
  readonly conditionalBranches: number;
  readonly isStatic: boolean;
  readonly isInline: boolean;
  readonly isTemplate: boolean;
  readonly isVirtual: boolean;
  /** Qualified name of the class it is a member of. */
  readonly memberOf?: string;
  readonly calls: readonly UnitCall[];
  /** Qualified or plain names of functions whose address is taken in its body. */
  readonly addressTaken: readonly string[];
  /** True when probe sleds were inserted. */
  readonly probe: boolean;
}

export interface UnitCall {
  /** Name as written at the call: `f`, `a::f`, `operator+`, or the type name for constructions. */
  readonly name: string;
  readonly form: 'plain' | 'member' | 'construct' | 'pointer';
  readonly arguments: number;
  readonly line: number;
  /** Loops around the call in this function. */
  readonly loopDepth: number;
  /** Type of the receiver or of the pointer as far as the syntax tells. */
  readonly type?: string;
}

export interface UnitClass {
  readonly qualifiedName: string;
  readonly bases: readonly string[];
  readonly virtuals: readonly string[];
}

/** Calls as the compiler's front end saw them, before any optimisation. */
export interface CompilerGraph {
  readonly functions: readonly {
    readonly mangledName: string;
    readonly hasBody: boolean;
    readonly addressTaken: boolean;
    readonly callees: readonly string[];
    /** Has calls through pointers or virtual tables. */
    readonly indirectCalls: number;
    readonly line?: number;
    readonly file?: string;
  }[];
}
