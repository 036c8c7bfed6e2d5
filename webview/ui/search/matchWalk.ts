import type { SearchBox } from './searchBox';

/** The view whose matches a walk visits. */
export interface Walked {
  /** The rows that match the search, from top to bottom. */
  readonly matches: () => ArrayLike<number>;
  readonly selected: () => number | undefined;
  readonly go: (row: number) => void;
  /** Error of the search pattern. */
  readonly error: () => string | undefined;
}

/** Steps through the matches of a search, and shows their number. */
export class MatchWalk {
  constructor(
    private readonly box: Pick<SearchBox, 'setOutcome'>,
    private readonly view: Walked,
  ) {}

  /** Moves to the next or previous match, and from the last one to the first. */
  step(direction: 1 | -1): void {
    const matches = this.view.matches();
    const position = this.position(matches);
    const to = position < 0 ? (direction > 0 ? 0 : matches.length - 1) : position + direction;
    const row = matches[(to + matches.length) % Math.max(1, matches.length)];
    if (row !== undefined) this.view.go(row);
    this.showOutcome();
  }

  /** Moves to the first match after a new search, unless a match is selected. */
  begin(): void {
    const matches = this.view.matches();
    const first = matches[0];
    if (first !== undefined && this.position(matches) < 0) this.view.go(first);
    this.showOutcome();
  }

  showOutcome(): void {
    const matches = this.view.matches();
    this.box.setOutcome({
      matches: matches.length,
      current: this.position(matches),
      error: this.view.error(),
    });
  }

  private position(matches: ArrayLike<number>): number {
    const selected = this.view.selected();
    return selected === undefined ? -1 : Array.prototype.indexOf.call(matches, selected);
  }
}
