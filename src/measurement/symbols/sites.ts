/**
 * Where a built program can be patched: the sites of its linked objects, joined with the functions of the call graph.
 * Made once per build id and cached.
 */
export interface SiteMap {
  readonly objects: readonly LinkedObject[];
  /** By function key; a function without an entry here has no site (inlined away or not compiled by the wrappers). */
  readonly functions: ReadonlyMap<string, readonly Site[]>;
}

/** An executable or shared library that carries sites. */
export interface LinkedObject {
  readonly path: string;
  /** Hex. */
  readonly buildId: string;
  /** Unit hashes linked into it (16 hex digits). */
  readonly units: readonly string[];
}

export interface Site {
  /** Position in `SiteMap.objects`. */
  readonly object: number;
  readonly kind: 'entry' | 'in' | 'out';
  /** Address as linked, relative to the load address. Below 2^53. */
  readonly offset: number;
}
