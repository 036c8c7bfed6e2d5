/**
 * Where a built program can be patched: the sites of its linked objects, joined with the functions of the call graph.
 */
export interface SiteMap {
  readonly objects: readonly LinkedObject[];
  /** By function key; a function without an entry here has no site (inlined away or not compiled by the wrappers). */
  readonly functions: ReadonlyMap<string, readonly Site[]>;
  /** Names to show of the instances that `Site.instance` names. */
  readonly instanceNames?: ReadonlyMap<string, string>;
  /** Keys of functions whose site is in their own code only, while other copies were inlined: these count for their callers. */
  readonly inlinedToo?: ReadonlySet<string>;
  /** Sentences for the user: what is lost and why (fragments that are missing, no debug information, …). */
  readonly problems?: readonly string[];
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
  /** Address as linked (what the dynamic linker adds the load address to). Below 2^53. */
  readonly offset: number;
  /** Mangled name of the instance of a template that this copy belongs to, when the debug information tells several apart. */
  readonly instance?: string;
}
