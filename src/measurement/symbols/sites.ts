/** The patch points of a built program: the sites of its linked objects, joined with the functions of the call graph. */
export interface SiteMap {
  readonly objects: readonly LinkedObject[];
  /** Sites by function key; functions without sites (inlined or not compiled by the wrappers) are absent. */
  readonly functions: ReadonlyMap<string, readonly Site[]>;
  /** Display names of the instances in `Site.instance`. */
  readonly instanceNames?: ReadonlyMap<string, string>;
  /** Keys of functions with a site only in their out-of-line code, while other copies were inlined: these count for their callers. */
  readonly inlinedToo?: ReadonlySet<string>;
  /** Sentences for the user about missing information (fragments, debug information, …). */
  readonly problems?: readonly string[];
}

/** An executable or shared library with sites. */
export interface LinkedObject {
  readonly path: string;
  /** Hex digits. */
  readonly buildId: string;
  /** Unit hashes linked into it (16 hex digits). */
  readonly units: readonly string[];
}

export interface Site {
  /** Position in `SiteMap.objects`. */
  readonly object: number;
  readonly kind: 'entry' | 'in' | 'out';
  /** Linked address, relative to the load address. Below 2^53. */
  readonly offset: number;
  /** Mangled name of the instance of a template that this copy belongs to, if the debug information distinguishes several. */
  readonly instance?: string;
}
