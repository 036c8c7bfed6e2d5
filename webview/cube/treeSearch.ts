import { MatchWalk } from '../ui/search/matchWalk';
import { search, type Found } from '../ui/search/nameSearch';
import type { SearchBox, SearchQuery } from '../ui/search/searchBox';

/** What a search goes over: the view that is shown in a pane. */
export interface Searched {
  /** Full and shown names, by the keys that `Found.regions` has. */
  readonly names: () => { readonly full: readonly string[]; readonly folded: readonly string[] };
  readonly setFound: (found: Found) => void;
  readonly matches: () => ArrayLike<number>;
  readonly selected: () => number | undefined;
  readonly go: (row: number) => void;
}

/** The search of one pane. */
export class TreeSearch {
  private readonly walk: MatchWalk;
  private found: Found | undefined;

  constructor(
    box: () => SearchBox,
    private readonly searched: Searched,
  ) {
    this.walk = new MatchWalk(
      { setOutcome: (outcome) => box().setOutcome(outcome) },
      {
        matches: searched.matches,
        selected: searched.selected,
        go: searched.go,
        error: () => this.found?.error,
      },
    );
  }

  setQuery(query: SearchQuery): void {
    const { full, folded } = this.searched.names();
    this.found = search(full, folded, query);
    this.searched.setFound(this.found);
    if (query.text !== '') this.walk.begin();
  }

  step(direction: 1 | -1): void {
    this.walk.step(direction);
  }

  /** Another view of the pane is shown now. */
  tell(): void {
    if (this.found !== undefined && this.found.query.text !== '') this.walk.tell();
  }
}
