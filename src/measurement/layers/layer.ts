/** A library that records what the runtime does not see: calls of MPI, OpenMP or Pthreads, or input and output (runtime/layers.h). */
export type Layer =
  /** The program has no such calls. */
  | { readonly kind: 'not-needed' }
  /** Absolute path of a library that the program has to be started with (`LD_PRELOAD`). */
  | { readonly kind: 'layer'; readonly library: string }
  /** Why there is none: a sentence for the user. */
  | { readonly kind: 'missing'; readonly note: string };
