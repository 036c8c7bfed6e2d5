import type { AttributeKind } from '../context';

export interface AttributeOptions {
  /** Default: pairs. */
  readonly kind?: AttributeKind;
  /** Names of functions that are no part of the program: their callees are those of their caller. Default: `usualArtificial`. */
  readonly artificial?: readonly string[];
}

/** Inserted by Score-P where it records no functions of the program. */
export const usualArtificial: readonly string[] = ['PARALLEL'];

export function artificialNames(options: AttributeOptions): ReadonlySet<string> {
  return new Set(options.artificial ?? usualArtificial);
}
