/** All that is known of the functions and sites of one linked object, before it is joined with a call graph. Cached per build id. */
export interface ObjectSymbols {
  readonly kymoSymbols: typeof symbolsVersion;
  /** Hex; absent when it was linked without `--build-id`. */
  readonly buildId?: string;
  /** Unit hashes (16 hex digits). */
  readonly units: readonly string[];
  readonly functions: readonly FunctionSymbol[];
  readonly sleds: readonly ObjectSled[];
  readonly entries: readonly ObjectEntry[];
  readonly inlined: readonly InlinedCopies[];
  /** What the object lacks, as sentences for the user. */
  readonly problems: readonly string[];
}

/** Raised whenever the meaning of the cached data changes. */
export const symbolsVersion = 3;

export interface FunctionSymbol {
  /** What the linker sees, without the suffixes of compiler-made clones; the plain name where nothing is mangled. */
  readonly mangledName: string;
  /** To show: demangled, Fortran module procedures as `module::procedure`. */
  readonly name: string;
  /** As written in the source, without namespaces or modules. */
  readonly simpleName: string;
  /** Absolute where the compiler said where it ran. */
  readonly file?: string;
  /** 1-based place of the definition's name. */
  readonly line?: number;
  readonly column?: number;
  /** Of the out-of-line code, as linked; absent when every copy was inlined. */
  readonly address?: number;
  /** Bytes of that code. */
  readonly size?: number;
  /** Address of the patchable entry's first NOP; absent when it has none. */
  readonly entry?: number;
  /** It was inlined at least once and has no code of its own. */
  readonly isInlinedEverywhere: boolean;
  readonly inlinedCopies: number;
}

export interface ObjectSled {
  readonly offset: number;
  readonly kind: 'in' | 'out';
  readonly unit: string;
  readonly number: number;
  /** Positions in `functions`: the out-of-line function whose code it lies in, then what was inlined there, outer before inner. */
  readonly chain: readonly number[];
}

export interface ObjectEntry {
  readonly offset: number;
  /** Position in `functions`. */
  readonly function: number;
  /** The outlined rest of a function whose head was inlined elsewhere (gcc's `.part`): not a begin of the function. */
  readonly isPart: boolean;
}

/** Positions in `functions`: `callee` was inlined into `caller` (which may itself have been inlined). */
export interface InlinedCopies {
  readonly callee: number;
  readonly caller: number;
  readonly copies: number;
}
