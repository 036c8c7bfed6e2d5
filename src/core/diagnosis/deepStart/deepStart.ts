import { at } from '../../at';
import type { Focus, ResourcePath } from '../resources/focus';
import { printFocus } from '../resources/focusText';
import type { SearchCommand } from '../search/messages';
import type { Search } from '../search/search';
import type { Refinement, SearchNews } from '../search/searchOptions';
import type { SearchNode } from '../search/searchRecord';
import type { Callees } from './callPaths';
import { FunctionCountGraph, type StackSample } from './functionCountGraph';
import { planStarters } from './planStarters';

export interface DeepStartOptions {
  /** Share (0…1) of the samples that a starter exceeds. */
  readonly threshold: number;
  /** Ids of hypotheses whose experiments have deep starters: samples show where processors are busy, and little of other quantities. */
  readonly hypotheses: readonly string[];
}

/** The threshold is the best of the published ones. */
export const deepStartDefaults: DeepStartOptions = { threshold: 0.2, hypotheses: ['CPUBound'] };

/** What Deep Start asks while a search runs. */
export interface DeepStartSources {
  /** Stack samples since it was asked last. */
  readonly poll: () => readonly StackSample[];
  /** Calls that are known without samples. */
  readonly callees: Callees;
}

/**
 * Adds experiments to a search that stack samples show to be worth testing early: each time that it refines to functions, those where
 * the time is spent, however deep they are, with experiments that connect them ([D 6]).
 */
export class DeepStart {
  readonly graph = new FunctionCountGraph();
  /** Ids of all experiments. */
  private readonly experiments = new Map<string, number>();

  constructor(
    private readonly search: Pick<Search, 'addStarter' | 'node'>,
    private readonly sources: DeepStartSources,
    private readonly options: DeepStartOptions = deepStartDefaults,
  ) {}

  /**
   * Must see all news of the search.
   * @param time seconds since the search began
   * @returns what the search asks for in consequence
   */
  onNews(time: number, { changed, refined }: SearchNews): readonly SearchCommand[] {
    for (const { id, hypothesis, focus } of changed)
      if (id >= this.experiments.size) this.experiments.set(keyOf(hypothesis, focus), id);
    const triggers = refined.flatMap((refinement) => this.triggersOf(refinement));
    if (triggers.length > 0) for (const sample of this.sources.poll()) this.graph.add(sample);
    return triggers.flatMap((trigger) => this.start(time, trigger));
  }

  /** The function that was refined, or where it was none, those to which it was refined. */
  private triggersOf({ experiment, functions }: Refinement): readonly SearchNode[] {
    const refined = this.search.node(experiment);
    if (!this.options.hypotheses.includes(refined.hypothesis)) return [];
    return refined.focus.Code.length > 0 ? [refined] : functions.map((id) => this.search.node(id));
  }

  private start(time: number, { hypothesis, focus }: SearchNode): readonly SearchCommand[] {
    const idAt = (code: ResourcePath): number | undefined =>
      this.experiments.get(keyOf(hypothesis, { ...focus, Code: code }));
    const paths = planStarters(this.graph, {
      focus,
      callees: this.sources.callees,
      has: (code) => idAt(code) !== undefined,
      threshold: this.options.threshold,
    });
    return paths.flatMap((path) => {
      const trigger = idAt(at(path, 0));
      if (trigger === undefined) return [];
      const connecting = path.slice(1, -1);
      return this.search.addStarter({ time, trigger, function: at(path, path.length - 1), connecting });
    });
  }
}

function keyOf(hypothesis: string, focus: Focus): string {
  return `${hypothesis}\n${printFocus(focus)}`;
}
