/**
 * The whole-program call graph: what selection, properties and exports work on.
 * Functions are numbered; edges are kept per caller. Built by `merge.ts` from unit fragments, or read from MetaCG files.
 */
export interface CallGraph {
  readonly functions: readonly CallGraphFunction[];
  /** `edges[caller]`: its callees, each once, ascending by callee. */
  readonly edges: readonly (readonly CallEdge[])[];
  /** Position of the entry function (`main`, or Fortran's main program), if it is known. */
  readonly entry?: number;
}

export interface CallGraphFunction {
  /** Unique in the graph and stable between builds: the mangled name where it is known and unique, else `name@file:line`. */
  readonly key: string;
  /** To show: demangled or as written in the source. */
  readonly name: string;
  readonly mangledName?: string;
  /** Where the definition begins (1-based line and column of the name); absent for functions without a known body. */
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly endLine?: number;
  readonly hasBody: boolean;
  /** Own statements by MetaCG's rules (test/unit/core/source). */
  readonly statements: number;
  /** Loops in the own body; nesting depth of the deepest. */
  readonly loops: number;
  readonly loopDepth: number;
  readonly conditionalBranches: number;
  readonly isVirtual: boolean;
  /** Positions of the methods that this one overrides, directly or not. */
  readonly overrides: readonly number[];
  /** Declared in a system header: never selected, kept for the edges through it. */
  readonly isSystem: boolean;
  /** Made by the compiler, which marks it so: an implicit constructor or assignment, the body of a lambda. Known with gcc only. */
  readonly isArtificial?: true;
  /** Sites of its unit fragments: `[unit hash, number in the unit]`; more than one for inline functions and templates. */
  readonly definitions: readonly (readonly [unit: string, number: number])[];
}

/** What is said of a function whose source is not known, only its symbol or what a profile tells: it is there, and nothing can be counted. */
export const unseenSource = {
  hasBody: true,
  statements: 0,
  loops: 0,
  loopDepth: 0,
  conditionalBranches: 0,
  isVirtual: false,
  overrides: [],
  isSystem: false,
  definitions: [],
} as const satisfies Partial<CallGraphFunction>;

/**
 * How an edge is known. A measured edge was executed; it wins over what the static analysis thinks. An edge from outside stands for
 * calls that nothing shows: the entry function is taken as the caller (`core/selection/outsideCalls.ts`).
 */
export type EdgeKind = 'direct' | 'virtual' | 'pointer' | 'callback' | 'outside' | 'measured';

export interface CallEdge {
  readonly callee: number;
  readonly kind: EdgeKind;
  /** Measured calls, when the edge was executed in a measured run. */
  readonly calls?: number;
}
