/** A function symbol of a linked program with the place of its definition (from the debug information). */
export interface FunctionSymbol {
  readonly mangledName: string;
  /** Unqualified, as in the source; template arguments do not matter. */
  readonly name: string;
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  readonly column?: number;
  /** Demangled with parameters: distinguishes functions on one line. */
  readonly prettyName?: string;
}
