import type { TimelineCall, TimelineHeader } from '../../../src/core/timeline/pieces';
import { announce } from '../../ui/base/liveRegion';
import { search } from '../../ui/search/nameSearch';
import { searchBox, type SearchBox, type SearchQuery } from '../../ui/search/searchBox';
import type { TimelineChannel } from '../load';
import { Newest } from '../../ui/page/shell';

/** More functions than these are not searched at a time: each is a question. */
const mostFunctions = 8;

/** Where a search goes on: after, or before, this moment. */
export interface SearchFrom {
  readonly row: number;
  readonly seconds: number;
}

/** A call of one of the functions that were searched. */
export interface FoundCall extends TimelineCall {
  readonly function: number;
}

/** The field for functions: marks those that match in the picture, and goes from call to call. */
export class CallSearch {
  readonly box: SearchBox;
  private header: TimelineHeader | undefined;
  private names: readonly string[] = [];
  private brief: readonly string[] = [];
  private readonly asking = new Newest();

  constructor(
    private readonly channel: TimelineChannel,
    private readonly events: {
      /** 1 for each function that matches; undefined: nothing is searched. */
      readonly onFound: (functions: Uint8Array | undefined) => void;
      readonly onQuery: (query: SearchQuery) => void;
      readonly from: (direction: 1 | -1) => SearchFrom;
      readonly onCall: (call: FoundCall) => void;
      readonly onLeave: () => void;
      readonly onError: (error: unknown) => void;
    },
  ) {
    this.box = searchBox({
      label: 'Search functions',
      onQuery: (query) => {
        events.onQuery(query);
        this.update();
      },
      onStep: (direction) => void this.step(direction),
      onLeave: events.onLeave,
    });
  }

  show(header: TimelineHeader, brief: readonly string[]): void {
    this.header = header;
    this.brief = brief;
    this.names = header.functions.map(({ name }) => name);
    this.asking.cancel();
    if (this.box.query.text !== '') this.update();
  }

  /** Searches for exactly this function, and goes to its next call. */
  find(position: number, direction: 1 | -1): Promise<void> {
    return this.go([position], direction);
  }

  private get matches(): Uint8Array {
    return search(this.names, this.brief, this.box.query).regions;
  }

  private update(): void {
    const { query } = this.box;
    const { regions, error } = search(this.names, this.brief, query);
    const matches = regions.reduce((sum, one) => sum + one, 0);
    this.box.setOutcome({ matches, current: -1, error });
    this.events.onFound(query.text === '' || matches === 0 ? undefined : regions);
  }

  private async step(direction: 1 | -1): Promise<void> {
    const { matches } = this;
    const matching = [...matches.keys()].filter((position) => matches[position] === 1);
    if (matching.length > mostFunctions)
      announce(`${matching.length} functions match: calls of the first ${mostFunctions} are searched.`);
    await this.go(matching.slice(0, mostFunctions), direction);
  }

  private async go(functions: readonly number[], direction: 1 | -1): Promise<void> {
    const { header } = this;
    if (header === undefined || functions.length === 0) return;
    const signal = this.asking.next();
    try {
      const found = await this.nearest(functions, this.events.from(direction), direction, signal);
      if (found !== undefined) {
        this.events.onCall(found);
        return;
      }
      const start =
        direction === 1
          ? { row: 0, seconds: -1 }
          : { row: Math.max(0, header.rows.length - 1), seconds: header.seconds + 1 };
      const again = await this.nearest(functions, start, direction, signal);
      if (again === undefined) announce('It is not called in this trace.');
      else {
        this.events.onCall(again);
        announce(direction === 1 ? 'Continued from the beginning' : 'Continued from the end');
      }
    } catch (error) {
      if (!signal.aborted) this.events.onError(error);
    }
  }

  private async nearest(
    functions: readonly number[],
    { row, seconds }: SearchFrom,
    direction: 1 | -1,
    signal: AbortSignal,
  ): Promise<FoundCall | undefined> {
    const id = this.header?.id ?? '';
    const isBackwards = direction === -1;
    const calls = await Promise.all(
      functions.map(async (position): Promise<readonly FoundCall[]> => {
        const question = { id, function: position, row, seconds, isBackwards };
        const { call } = await this.channel.request('find', question, { signal });
        return call === undefined ? [] : [{ ...call, function: position }];
      }),
    );
    return calls.flat().sort((a, b) => direction * (a.row - b.row || a.begin - b.begin))[0];
  }
}
