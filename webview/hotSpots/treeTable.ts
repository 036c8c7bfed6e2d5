import { present } from '../../src/core/present';
import { childrenOf } from '../../src/core/views/treeRows';
import { numberColumns, type TableSource } from './data/columns';
import type { Model } from './data/model';
import { functionNotes, nameColumn, shortPlace, shownName, sourceColumn, type Shown } from './names';
import { ProfileTable, type TableEvents, type TableRows } from './profileTable';
import { restoreRows, saveRows } from './savedRows';
import { Spreads, type SpreadHost } from './spread/spreads';
import { mostExpandedKept, type ViewState } from './viewState';

type SavedTree = Pick<
  ViewState,
  'profile' | 'expanded' | 'selected' | 'zoom' | 'treeRows' | 'treeSort' | 'treeLayout'
>;

/** The call tree: one row per call path. */
export class TreeTable {
  readonly table: ProfileTable;
  readonly spreads: Spreads;
  /** What was selected, and shown by the flame graph, when the state was saved. */
  readonly restored: { readonly selected?: number; readonly zoom?: number };
  /** End of the hot path, if that is shown because nothing was saved. */
  readonly hottest: number | undefined;
  private readonly nameOf: (row: number) => string;

  /** @param profileId the call paths of another profile are found by their names */
  constructor(
    private shown: Shown,
    private source: TableSource,
    private readonly profileId: string,
    state: SavedTree,
    events: TableEvents,
    spreadHost: SpreadHost,
  ) {
    const { model } = shown;
    this.nameOf = (row) => model.names[model.region[row] ?? 0] ?? '?';
    const { expanded, ...restored } = this.restore(state);
    this.restored = restored;
    this.spreads = new Spreads(spreadHost, { pathsOf: (row) => [row] }, 'inclusive', source);
    const rows = callPathRows(
      model,
      () => this.shown,
      () => this.source,
      this.spreads,
    );
    const isFresh = expanded.length === 0 && restored.selected === undefined;
    // What is hot is what people look for: the way there is open from the start.
    const hot = isFresh ? model.hotPath(source.position) : [];
    this.hottest = hot.at(-1);
    const open = isFresh ? hot.slice(0, -1) : expanded;
    this.table = new ProfileTable(
      rows,
      state.treeSort,
      { layout: state.treeLayout, expanded: open.length > 0 ? open : undefined },
      events,
    );
  }

  /** Another metric or unit. */
  update(shown: Shown, source: TableSource): void {
    this.shown = shown;
    this.source = source;
    this.spreads.update(source);
    this.table.update();
  }

  /** Names, marks or matches are others. */
  refresh(shown: Shown): void {
    this.shown = shown;
    this.table.refresh();
  }

  /** Values of a row in words. */
  describe(row: number): string {
    return numberColumns(this.source)
      .filter(({ hidden }) => hidden !== true)
      .map(({ title, values, format }) => `${title.toLowerCase()} ${format(values()[row] ?? 0)}`)
      .join(', ');
  }

  /** The call paths of the state. */
  state(selected: number | undefined, zoom: number | undefined) {
    const { expanded } = this.table;
    const { parent } = this.shown.model;
    const tree = { parent: (row: number) => parent[row] ?? -1, name: this.nameOf };
    const treeRows = saveRows(tree, { expanded, selected, zoom });
    return { profile: this.profileId, expanded, treeRows, selected, zoom };
  }

  private restore(state: SavedTree): ReturnType<typeof restoreRows> {
    const { model } = this.shown;
    if (state.profile !== this.profileId) {
      const links = model.childLinks;
      return restoreRows(state.treeRows, (row) => childrenOf(links, row), this.nameOf);
    }
    const known = (row: number | undefined): number | undefined =>
      row !== undefined && row < model.count ? row : undefined;
    const { expanded, selected, zoom } = state;
    return { expanded: [...expanded], ...present({ selected: known(selected), zoom: known(zoom) }) };
  }
}

/** The state as it is saved: more expanded call paths than that would take long to save. */
export function boundedState(state: ViewState): ViewState {
  return state.expanded.length > mostExpandedKept ? { ...state, expanded: [] } : state;
}

function callPathRows(
  model: Model,
  shown: () => Shown,
  source: () => TableSource,
  spreads: Spreads,
): TableRows {
  const regionOf = (row: number): number => model.region[row] ?? 0;
  const isMatch = (row: number): boolean => shown().found.regions[regionOf(row)] === 1;
  return {
    label: 'Call tree',
    spreads,
    parent: () => model.parent,
    level: (row) => (model.depth[row] ?? 0) + 1,
    name: nameColumn('Call Path', shown, {
      name: (row) => shownName(shown(), regionOf(row)),
      region: regionOf,
      isMatch,
      notes: (row) => {
        const presence = model.presence(row);
        const only =
          presence === 'both' ? [] : [presence === 'main' ? 'only in this run' : 'only in the compared run'];
        return [...functionNotes(model, regionOf(row)), ...only];
      },
    }),
    others: [
      sourceColumn({
        tooltip: 'File and first line of the function. A click opens the source.',
        text: (row) => shortPlace(model, regionOf(row)) ?? '',
        region: regionOf,
        file: (row) => model.row(regionOf(row)).file,
      }),
    ],
    numbers: () => numberColumns(source()),
    names: () => ({ keys: model.region, texts: model.folded }),
    isMatch,
  };
}
