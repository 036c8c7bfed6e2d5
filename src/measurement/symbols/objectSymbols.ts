/** Facts about the functions and sites of one linked object, before they are joined with a call graph. Cached by build id. */
export interface ObjectSymbols {
  readonly kymoSymbols: typeof symbolsVersion;
  /** Hex digits; absent for an object linked without `--build-id`. */
  readonly buildId?: string;
  /** Unit hashes (16 hex digits). */
  readonly units: readonly string[];
  readonly functions: readonly FunctionSymbol[];
  readonly sleds: readonly ObjectSled[];
  readonly entries: readonly ObjectEntry[];
  /** Sentences for the user about missing information. */
  readonly problems: readonly string[];
}

/** Increased whenever the meaning of the cached data changes. */
export const symbolsVersion = 4;

export interface FunctionSymbol {
  /** The linker's name, without suffixes of compiler-made clones; the plain name of an unmangled function. */
  readonly mangledName: string;
  /** Name for display: demangled, Fortran module procedures as `module::procedure`. */
  readonly name: string;
  /** Name in the source, without namespaces or modules. */
  readonly simpleName: string;
  /** Absolute if the compiler recorded its working folder. */
  readonly file?: string;
  /** 1-based place of the definition's name. */
  readonly line?: number;
  readonly column?: number;
  /** Linked address of the out-of-line code; absent if every copy was inlined. */
  readonly address?: number;
  /** Size of that code in bytes. */
  readonly size?: number;
  /** Address of the patchable entry's first NOP; absent without an entry. */
  readonly entry?: number;
  readonly inlinedCopies: number;
}

export interface ObjectSled {
  readonly offset: number;
  readonly kind: 'in' | 'out';
  readonly unit: string;
  readonly number: number;
  /** Positions in `functions`: the out-of-line function whose code contains the sled, then the functions inlined there, from outer to inner. */
  readonly chain: readonly number[];
}

export interface ObjectEntry {
  readonly offset: number;
  /** Position in `functions`. */
  readonly function: number;
  /** Whether it is the entry of the outlined rest of a function (gcc's `.part`), whose head was inlined elsewhere. */
  readonly isPart: boolean;
}
