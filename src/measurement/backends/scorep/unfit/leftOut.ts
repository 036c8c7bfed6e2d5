import type { CallGraph, CallGraphFunction } from '../../../../core/callgraph/callGraph';
import type { SiteKind } from '../../../../core/cost/pairCost';
import { regionKeys } from '../../../../core/callgraph/regionKeys';
import { framesBetween } from './framesBetween';
import type { Jumps } from './jumps';
import { leftByExceptions } from './leftByExceptions';
import { isStructor } from './structors';

const shownNames = 5;

/**
 * Functions that a build or a run has shown to be unfit, because recording them spoils the measurement. They lose their site and are no
 * longer instrumented.
 */
export class LeftOut {
  private readonly unfit = new Set<string>();
  private readonly byKey: ReadonlyMap<string, CallGraphFunction>;

  /**
   * @param sites the left-out functions are removed from it
   * @param jumps long jumps in the sources, which the graph lacks
   */
  constructor(
    private readonly graph: CallGraph,
    private readonly sites: Map<string, SiteKind>,
    private readonly jumps: Jumps,
  ) {
    this.byKey = new Map(graph.functions.map((f) => [f.key, f]));
  }

  get keys(): ReadonlySet<string> {
    return this.unfit;
  }

  without(keys: Iterable<string>): ReadonlySet<string> {
    return new Set([...keys].filter((key) => !this.unfit.has(key)));
  }

  /** Leaves out constructors and destructors. @returns their number */
  structorsOf(keys: ReadonlySet<string>): number {
    return this.leaveOut([...keys].filter((key) => isStructor(this.byKey.get(key)?.mangledName ?? key)))
      .length;
  }

  /**
   * Leaves out the functions that an exception or a long jump left, when Score-P names the innermost frame and the next exit.
   * @param compiled keys of the instrumented functions
   * @returns a sentence; undefined when nothing can be left out
   */
  frames(compiled: ReadonlySet<string>, inner: string, outer: string): string | undefined {
    const recorded = this.without(compiled);
    const thrown = this.shownAs(inner, recorded);
    const between = framesBetween(this.graph, recorded, thrown, this.shownAs(outer, recorded));
    const excluded = this.leaveOut([...new Set([...thrown, ...between])]);
    return excluded.length > 0 ? this.sentence(excluded) : this.throwing(compiled);
  }

  /** The same when Score-P names none: leaves out the functions that throw by the call graph. */
  throwing(compiled: ReadonlySet<string>): string | undefined {
    const recorded = this.without(compiled);
    const thrown = (throughHandlers: boolean): readonly string[] =>
      leftByExceptions(this.graph, recorded, this.jumps, throughHandlers);
    const likely = thrown(false);
    const excluded = this.leaveOut(likely.length > 0 ? likely : thrown(true));
    return excluded.length === 0 ? undefined : this.sentence(excluded);
  }

  private leaveOut(keys: readonly string[]): readonly string[] {
    for (const key of keys) {
      this.unfit.add(key);
      this.sites.delete(key);
    }
    return keys;
  }

  /** Keys of the functions that Score-P's name, such as `int ns::leaf(int)`, may denote. */
  private shownAs(region: string, recorded: ReadonlySet<string>): readonly string[] {
    const [exact] = regionKeys({ regions: [{ name: region, paradigm: '', role: '' }] }, this.graph);
    if (exact !== undefined && recorded.has(exact)) return [exact];
    const plain = plainName(region);
    return [...recorded].filter((key) => plainName(this.byKey.get(key)?.name ?? '') === plain);
  }

  private sentence(keys: readonly string[]): string {
    const names = keys.slice(0, shownNames).map((key) => this.byKey.get(key)?.name ?? key);
    const rest = keys.length > names.length ? ` and ${keys.length - names.length} more` : '';
    return `An exception or a long jump leaves ${names.join(', ')}${rest}. Score-P does not notice these exits, so the functions are not instrumented, and the run was repeated without them.`;
  }
}

/** Without return type, scope, template arguments and parameters. */
function plainName(name: string): string {
  const head = name.replace(/\(.*$/s, '').replace(/<.*$/s, '');
  return /[\w~]+$/.exec(head)?.[0] ?? name;
}
