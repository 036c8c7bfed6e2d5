import type { StackSample } from '../deepStart/functionCountGraph';
import { DeepStart, deepStartDefaults } from '../deepStart/deepStart';
import type { SearchCommand } from '../search/messages';
import { Search } from '../search/search';
import type { SearchNews, SearchOptions } from '../search/searchOptions';
import type { SearchStart } from './messages';

/** A search with Deep Start, if it is wanted: stack samples of the processes go in with the events. */
export class SteeredSearch {
  readonly search: Search;
  private readonly deepStart: DeepStart | undefined;
  private stacks: StackSample[] = [];

  constructor(
    options: SearchOptions,
    { deepStart, deepStartHypotheses }: Pick<SearchStart, 'deepStart' | 'deepStartHypotheses'>,
  ) {
    this.search = new Search(options);
    if (deepStart === undefined) return;
    const poll = (): readonly StackSample[] => {
      const { stacks } = this;
      this.stacks = [];
      return stacks;
    };
    const { callees } = options.program;
    const hypotheses = deepStartHypotheses ?? deepStartDefaults.hypotheses;
    this.deepStart = new DeepStart(this.search, { poll, callees }, { threshold: deepStart, hypotheses });
  }

  addStacks(stacks: readonly StackSample[]): void {
    if (this.deepStart !== undefined) this.stacks.push(...stacks);
  }

  /** What has happened since the last call, and what the search asks for because of the samples. */
  news(time: number): SearchNews & { readonly commands: readonly SearchCommand[] } {
    const news = this.search.takeNews();
    return { ...news, commands: this.deepStart?.onNews(time, news) ?? [] };
  }
}
