import type { CallGraphFunction } from '../../../core/callgraph/callGraph';

/** Made by the compiler: clones, outlined parallel regions, thunks. The plug-in skips what is artificial. */
const artificial =
  /\._omp_(cpy)?fn\.|^_GLOBAL__|^__static_initialization_and_destruction|\.(cold|part|isra|constprop|lto_priv)\b/;
const thunk = /^_ZT[hvc]/;

/** Whether Score-P's plug-in can instrument a function when a filter includes it by its name. */
export function instrumentable({ key, mangledName = key, hasBody, isSystem }: CallGraphFunction): boolean {
  return hasBody && !isSystem && !artificial.test(mangledName) && !thunk.test(mangledName);
}

/**
 * Whether a visit may take longer than its record (65–75 ns). Accessors and the like are left to their callers: instrumented before they
 * can be inlined, they alone make programs many times slower. Of procedures without a known text nothing can be said.
 */
export function worthRecording({ statements, loops }: CallGraphFunction, minimumStatements: number): boolean {
  return loops > 0 || statements === 0 || statements >= minimumStatements;
}
