import type { StackSample } from '../deepStart/functionCountGraph';
import { DeepStart } from '../deepStart/deepStart';
import type { SearchCommand } from '../search/messages';
import { Search } from '../search/search';
import type { SearchNews, SearchOptions } from '../search/searchOptions';

/** A search with Deep Start, if it is wanted: stack samples of the processes go in with the events. */
export class SteeredSearch {
  readonly search: Search;
  private readonly deepStart: DeepStart | undefined;
  private stacks: StackSample[] = [];

  /** @param threshold share (0…1) of the samples that a deep starter exceeds; absent without Deep Start */
  constructor(options: SearchOptions, threshold: number | undefined) {
    this.search = new Search(options);
    if (threshold === undefined) return;
    const poll = (): readonly StackSample[] => {
      const { stacks } = this;
      this.stacks = [];
      return stacks;
    };
    const { callees } = options.program;
    this.deepStart = new DeepStart(this.search, { poll, callees }, { threshold, hypotheses: ['CPUBound'] });
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
