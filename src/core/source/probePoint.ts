/** A place in preprocessed text where a probe is safe and wanted. */
export interface ProbePoint {
  /** Position in `Unit.functions`. */
  readonly functionNumber: number;
  /** UTF-16 offset just after the opening brace of the body. */
  readonly bodyOffset: number;
  /** UTF-16 offset before the definition, at file or namespace scope, where a helper may stand. */
  readonly definitionOffset: number;
  readonly scope: 'c' | 'c++';
}
