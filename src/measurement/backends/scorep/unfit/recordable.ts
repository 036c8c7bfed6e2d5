import type { CallGraph, CallGraphFunction } from '../../../../core/callgraph/callGraph';
import type { SiteKind } from '../../../../core/cost/pairCost';
import type { Reserve } from '../../common/backend';

/**
 * The functions of a program that Score-P can record. Small ones are in reserve: instrumented before they can be inlined, accessors alone
 * make programs many times slower, so they are recorded only when the user names them.
 */
export class Recordable implements Reserve {
  /** Sites of functions that are not in reserve, without those that a build or a run showed to be unfit. */
  readonly sites = new Map<string, SiteKind>();
  private readonly small = new Set<string>();
  private readonly byKey: ReadonlyMap<string, CallGraphFunction>;

  constructor({ functions, entry }: CallGraph, minimumStatements: number) {
    this.byKey = new Map(functions.map((f) => [f.key, f]));
    functions.forEach((f, position) => {
      if (whyNotInstrumentable(f) !== undefined) return;
      if (position === entry || isWorthRecording(f, minimumStatements)) this.sites.set(f.key, 'probe');
      else this.small.add(f.key);
    });
  }

  has(key: string): boolean {
    return this.small.has(key);
  }

  admit(keys: Iterable<string>): void {
    for (const key of keys) if (this.small.delete(key)) this.sites.set(key, 'probe');
  }

  /** Why a function of the program has no site, as the part of a sentence after its name. */
  readonly whyNotRecorded = (key: string): string | undefined => {
    const f = this.byKey.get(key);
    if (f === undefined || this.sites.has(key)) return undefined;
    if (this.small.has(key))
      return 'is not recorded unless you pin it, because it is so small that its recording would cost more than its visits';
    return (
      whyNotInstrumentable(f) ??
      'is not recorded, because a build or a run showed that Score-P cannot record it'
    );
  };
}

/** Names of clones, outlined parallel regions and start-up code, for graphs without gcc's own mark. */
const artificial =
  /\._omp_(cpy)?fn\.|^_GLOBAL__|static_initialization_and_destruction|\.(cold|part|isra|constprop|lto_priv)\b/;
const thunk = /^_ZT[hvc]/;
/** The plug-in never instruments these tools, whatever the filter. */
const ofTools = /^(POMP|Pomp|pomp|_ZN6Kokkos(5Tools|9Profiling))/;

/** Undefined when Score-P's plug-in instruments the function if a filter includes its name. */
function whyNotInstrumentable(f: CallGraphFunction): string | undefined {
  const { key, mangledName = key, hasBody, isSystem, isArtificial } = f;
  if (!hasBody) return 'is not compiled in this build, so that Score-P cannot record it';
  if (isArtificial === true || artificial.test(mangledName) || thunk.test(mangledName))
    return 'was made by the compiler, so that Score-P cannot record it';
  if (isSystem) return 'comes from a system header, which Score-P does not instrument';
  if (ofTools.test(mangledName)) return 'belongs to a measuring tool, which Score-P does not instrument';
  return undefined;
}

/** Whether a visit may take longer than its record (65–75 ns). Procedures without a known text count as worth it. */
function isWorthRecording({ statements, loops }: CallGraphFunction, minimumStatements: number): boolean {
  return loops > 0 || statements === 0 || statements >= minimumStatements;
}
