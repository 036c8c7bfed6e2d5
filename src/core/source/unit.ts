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
  /** Functions whose address is taken outside of any function: tables of function pointers. */
  readonly addressTaken: readonly UnitAddress[];
  /** What the compiler itself said of the unit's calls, with mangled names (gcc's `-fdump-ipa-cgraph`, clang's IR); absent with others. */
  readonly compiler?: CompilerGraph;
  /** False when the parser met something it was not sure of; then functions near it carry no probes. */
  readonly parsed: boolean;
}

export interface UnitFunction {
  /** As written, without qualification: `area`, `operator[]`, `~Named`, `Solver`, `<lambda>`. */
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
  /** Parameter types without names, `const` and elaboration, comma separated: `double*,int`. */
  readonly signature: string;
  /** Type of the result, written alike; absent for constructors and where it is deduced. */
  readonly result?: string;
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
  /** Functions whose address is taken in its body. */
  readonly addressTaken: readonly UnitAddress[];
  /** True when probe sleds were inserted. */
  readonly probe: boolean;
}

export interface UnitCall {
  /** Name as written at the call: `f`, `a::f`, `operator+`, or the type name for constructions; `~T` for destructions. */
  readonly name: string;
  readonly form: 'plain' | 'member' | 'construct' | 'pointer';
  readonly arguments: number;
  readonly line: number;
  /** Loops around the call in this function. */
  readonly loopDepth: number;
  /** Type of the receiver; of a pointer: the signature of what it points to (`double,double`), as far as the syntax tells. */
  readonly type?: string;
  /** Of a pointer: the result of what it points to. */
  readonly result?: string;
  /** Through a pointer to a member function. */
  readonly toMember?: boolean;
  /** Position of the own parameter that the call goes through. */
  readonly parameter?: number;
}

/** A function that is named without being called. */
export interface UnitAddress {
  /** Qualified or plain name as written; a lambda's qualified name. */
  readonly name: string;
  readonly line: number;
  /** The function or class that receives it as argument, and as which (0-based). */
  readonly passedTo?: string;
  readonly position?: number;
}

export interface UnitClass {
  readonly qualifiedName: string;
  readonly bases: readonly string[];
  /** Names of methods declared `virtual`, `override` or `final`, pure ones included. */
  readonly virtuals: readonly string[];
}

/** Calls as the compiler's front end saw them, before any optimisation. Names are mangled. */
export interface CompilerGraph {
  readonly functions: readonly CompilerFunction[];
  /** Classes with virtual tables. */
  readonly classes: readonly CompilerClass[];
  /** Functions whose address stands in data. */
  readonly inData: readonly string[];
}

export interface CompilerFunction {
  readonly mangledName: string;
  /** As the compiler writes it, with parameter types: `double Solver::run(double, int)`. Absent if it is the mangled name. */
  readonly prettyName?: string;
  readonly hasBody: boolean;
  /** Not visible to other units: the same name elsewhere is another function. */
  readonly isLocal: boolean;
  /** Not written by the user: implicit constructors and assignments, start-up code, lambdas. Only gcc says so. */
  readonly isArtificial?: true;
  readonly callees: readonly string[];
  /** Functions whose address is used in the body. */
  readonly references: readonly string[];
  /** Number of calls through pointers. */
  readonly indirectCalls: number;
  /** Calls through virtual tables: the receiver's class as the compiler writes it (gcc `Shape`, clang `_ZTS5Shape`), and the slot in its table. */
  readonly virtualCalls: readonly { readonly type: string; readonly slot: number }[];
  /** What this is another name of (C1 of C2), or what this thunk calls. */
  readonly aliasOf?: string;
  /** 1-based place of the definition, where the compiler tells. */
  readonly file?: string;
  readonly line?: number;
}

export interface CompilerClass {
  /** Mangled without prefix: `5Shape`. */
  readonly mangledName: string;
  /** Direct bases, as far as they have virtual tables or type information. */
  readonly bases: readonly string[];
  /** The functions of its virtual tables, the primary one first. Slots of pure functions hold `__cxa_pure_virtual`. */
  readonly tables: readonly (readonly string[])[];
  /** False when slots without function are left out of `tables`, so that positions mean nothing. */
  readonly isComplete: boolean;
}
