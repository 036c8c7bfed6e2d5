import type { SearchBox } from './searchBox';

/** Where a walk goes: the view that is shown. */
export interface Walked {
  /** What the search found, from top to bottom. */
  readonly matches: () => ArrayLike<number>;
  readonly selected: () => number | undefined;
  readonly go: (row: number) => void;
  /** Why the pattern cannot be used. */
  readonly error: () => string | undefined;
}

/** Steps through the matches of a search, and shows their number. */
export class MatchWalk {
  constructor(
    private readonly box: Pick<SearchBox, 'setOutcome'>,
    private readonly view: Walked,
  ) {}

  /** Round at the ends. */
  step(direction: 1 | -1): void {
    const matches = this.view.matches();
    const position = this.position(matches);
    const to = position < 0 ? (direction > 0 ? 0 : matches.length - 1) : position + direction;
    const row = matches[(to + matches.length) % Math.max(1, matches.length)];
    if (row !== undefined) this.view.go(row);
    this.showOutcome();
  }

  /** After a new search: to the first match, unless one is selected. */
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
