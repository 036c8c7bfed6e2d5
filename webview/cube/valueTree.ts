import { hottestPath } from '../../src/core/profile/hotPath';
import { childLinksInOrder, orderByText, orderByValue } from '../../src/core/views/treeRows';
import { modeTitles, shareIn, type References, type ValueMode } from '../../src/core/views/valueModes';
import type { GridColumn, SortOrder } from '../ui/grid/columns';
import { Grid, type GridOptions } from '../ui/grid/grid';
import { OpenTree } from '../ui/grid/openTree';
import { matchRanges, type Found } from '../ui/search/nameSearch';
import { onThemeChange } from '../ui/base/theme';
import { fillNamed } from './colourBox';
import type { Forest, TreeValues } from './model';
import { shownValue } from './values/shownValue';

/** Names of the nodes of a tree. Several call paths share the name of their region. */
export interface TreeNames {
  /** Position of a node's name. */
  readonly keyOf: (row: number) => number;
  readonly names: () => readonly string[];
  /** Shown behind the name, e.g. the parameters of a call path. */
  readonly tag: (row: number) => string;
  readonly tooltip: (row: number) => string | undefined;
}

/** The data that a tree shows beside its names. */
export interface Shown {
  /** Undefined until the values have arrived. */
  readonly values: TreeValues | undefined;
  readonly unit: string;
  /** Units of the nodes if they differ. */
  readonly unitOf?: (row: number) => string;
  readonly mode: ValueMode;
  readonly references: References;
  /** Nodes without values; their tooltip gives the reason. */
  readonly isEmpty?: (row: number) => boolean;
  readonly more?: readonly GridColumn[];
  /** Whether absolute values are compared with the greatest of their level instead of with their root. */
  readonly comparesPeers?: boolean;
}

export interface ValueTreeState {
  readonly expanded: readonly number[];
  readonly sort: SortOrder | undefined;
  readonly layout: unknown;
}

export type ValueTreeEvents = Required<Pick<GridOptions, 'onMarks' | 'onActivate' | 'onMenu'>> & {
  /** Called when open nodes, the order or the columns have changed; `toggled` is the node that was opened or closed alone. */
  readonly onChange: (toggled?: number) => void;
};

/** Order of the rows as in the file. */
export const fileOrder: SortOrder = { column: 'file', direction: 'ascending' };

/** One of the three trees. Collapsed nodes show inclusive, expanded ones exclusive values. */
export class ValueTree {
  readonly grid: Grid;
  private shown: Shown = {
    values: undefined,
    unit: '',
    mode: 'absolute',
    references: { metricRoot: 0, metricSelection: 0, callRoot: 0, callSelection: 0 },
  };
  private readonly open: OpenTree;
  private sort: SortOrder;
  private search: Found | undefined;
  private matching: Uint32Array | undefined;
  /** The largest value of the shown metric. */
  private largest = 0;
  private readonly peerRanges = new Map<number, { readonly least: number; readonly most: number }>();

  constructor(
    label: string,
    private readonly nameTitle: string,
    private readonly forest: Forest,
    private readonly texts: TreeNames,
    state: ValueTreeState,
    private readonly events: ValueTreeEvents,
  ) {
    this.sort = state.sort ?? fileOrder;
    this.open = new OpenTree(forest.parent, state.expanded, forest.links);
    this.grid = new Grid({
      label,
      columns: this.columns(),
      layout: state.layout,
      ...(state.sort === undefined ? {} : { sort: state.sort }),
      tree: {
        level: (row) => (forest.depth[row] ?? 0) + 1,
        state: (row) => this.open.state(row),
      },
      ...events,
      onSort: (sort) => this.setSort(sort),
      onLayout: () => events.onChange(),
      onToggle: (row, isOpen) => {
        this.open.set([row], isOpen);
        this.changed(row);
      },
      onToggleSiblings: (row) => {
        this.open.set(this.open.siblings(row), true);
        this.changed();
      },
    });
    onThemeChange(() => this.grid.refresh());
  }

  get state(): ValueTreeState {
    return {
      expanded: this.open.expanded,
      sort: this.sort === fileOrder ? undefined : this.sort,
      layout: this.grid.layout,
    };
  }

  /** Whether a node is expanded and shows its exclusive value. */
  isOpen(row: number): boolean {
    return this.open.state(row) === 'open';
  }

  /** The displayed value of a node. */
  valueOf(row: number): number {
    const { values } = this.shown;
    return (this.isOpen(row) ? values?.exclusive[row] : values?.inclusive[row]) ?? 0;
  }

  update(shown: Shown): void {
    const sameRows = shown.values === this.shown.values;
    const sameColumns = shown.mode === this.shown.mode && shown.more === this.shown.more;
    this.shown = shown;
    this.peerRanges.clear();
    if (!sameRows) this.largest = largestTime(shown);
    if (!sameColumns) this.grid.setColumns(this.columns());
    if (!sameRows) this.arrange();
    else this.grid.refresh();
  }

  setFound(search: Found): void {
    this.search = search;
    this.matching = undefined;
    this.grid.refresh();
  }

  /** The nodes that match the search, in display order. */
  matches(): Uint32Array {
    const { search } = this;
    if (search === undefined) return new Uint32Array();
    this.matching ??= this.open.all.filter((row) => search.regions[this.texts.keyOf(row)] === 1);
    return this.matching;
  }

  setSort(sort: SortOrder): void {
    this.sort = sort;
    this.grid.setSort(sort === fileOrder ? undefined : sort);
    this.arrange();
    this.events.onChange();
  }

  get isInFileOrder(): boolean {
    return this.sort === fileOrder;
  }

  /** Opens or closes a node with everything below it; undefined: all nodes. */
  setOpenBelow(row: number | undefined, isOpen: boolean): void {
    this.open.setBelow(row, isOpen);
    this.changed();
  }

  /** Opens nodes. Does not call `onChange`. */
  openQuietly(isWanted: (row: number) => boolean): void {
    this.open.set(this.open.all.filter(isWanted), true);
    this.showRows();
  }

  /** Selects nodes and opens their ancestors. Calls neither `onMarks` nor `onChange`. */
  reveal(rows: readonly number[]): void {
    for (const row of rows) this.open.reveal(row);
    this.peerRanges.clear();
    this.showRows();
    this.grid.mark(rows);
  }

  /** Nodes from the heaviest root, or from `from`, down to the node that produces most of the value. */
  hotPath(from?: number): readonly number[] {
    const { values } = this.shown;
    return values === undefined ? [] : hottestPath(this.forest.links, values.inclusive, 0.5, from);
  }

  /** The displayed name of a node. */
  name(row: number): string {
    return this.texts.names()[this.texts.keyOf(row)] ?? '?';
  }

  private columns(): readonly GridColumn[] {
    const { mode, more = [] } = this.shown;
    return [
      {
        id: 'name',
        title: this.nameTitle,
        // Minimum width: the column grows, and numbers remain visible in a narrow pane.
        width: 100,
        sort: 'ascending',
        text: (row) => this.name(row),
        render: (row, cell) => {
          const text = this.name(row).slice(0, 1000);
          const { search } = this;
          const isMatch = search?.regions[this.texts.keyOf(row)] === 1;
          fillNamed(
            cell,
            {
              text,
              ranges: isMatch ? matchRanges(text, search) : [],
              tag: this.texts.tag(row).slice(0, 200),
            },
            this.size(row),
            this.valueOf(row) < 0,
          );
        },
        cellTooltip: (row) => this.texts.tooltip(row),
      },
      {
        id: 'value',
        title: mode === 'absolute' ? 'Value' : modeTitles[mode].replace('percent', '%'),
        tooltip: `${modeTitles[mode]}. Collapsed rows show inclusive, expanded ones exclusive values.`,
        width: 92,
        align: 'end',
        sort: 'descending',
        text: (row) => this.text(row),
        cellClass: (row) => (this.valueOf(row) === 0 || this.shown.isEmpty?.(row) === true ? 'none' : ''),
        bar: (row) => Math.abs(this.size(row) ?? 0),
      },
      ...more,
    ];
  }

  private text(row: number): string {
    const { values, mode, unit, unitOf, isEmpty } = this.shown;
    if (isEmpty?.(row) === true) return '–';
    if (values === undefined || Number.isNaN(this.valueOf(row))) return '…';
    const { largest } = this;
    return shownValue(this.valueOf(row), this.share(row), { mode, unit: unitOf?.(row) ?? unit, largest });
  }

  /** How large a value is drawn. */
  private size(row: number): number | undefined {
    const { mode, comparesPeers, values } = this.shown;
    if (mode !== 'absolute' || comparesPeers !== true || values === undefined) return this.share(row);
    const { least, most } = this.peers(row);
    const largest = Math.max(Math.abs(least), Math.abs(most));
    return largest > 0 ? this.valueOf(row) / largest : undefined;
  }

  private share(row: number): number | undefined {
    const { values, mode, references } = this.shown;
    if (values === undefined) return undefined;
    const { parent } = this.forest;
    return shareIn(
      mode,
      row,
      {
        parent,
        inclusive: values.inclusive,
        shown: (node) => this.valueOf(node),
        peers: (node) => this.peers(node),
      },
      references,
    );
  }

  private peers(row: number): { readonly least: number; readonly most: number } {
    const { depth } = this.forest;
    const level = depth[row] ?? 0;
    const cached = this.peerRanges.get(level);
    if (cached !== undefined) return cached;
    let least = Infinity;
    let most = -Infinity;
    for (let peer = 0; peer < depth.length; peer++) {
      if (depth[peer] !== level) continue;
      least = Math.min(least, this.valueOf(peer));
      most = Math.max(most, this.valueOf(peer));
    }
    const range = { least, most };
    this.peerRanges.set(level, range);
    return range;
  }

  private changed(toggled?: number): void {
    this.peerRanges.clear();
    this.showRows();
    this.events.onChange(toggled);
  }

  /** Sorts the tree again. */
  private arrange(): void {
    const { forest, sort, texts, shown } = this;
    const descending = sort.direction === 'descending';
    const { length } = forest.parent;
    if (sort.column === 'name') {
      const keys = Uint32Array.from({ length }, (_, row) => texts.keyOf(row));
      this.open.links = childLinksInOrder(forest.parent, orderByText(keys, texts.names(), descending));
    } else if (sort.column === 'value' && shown.values !== undefined)
      this.open.links = childLinksInOrder(forest.parent, orderByValue(shown.values.inclusive, descending));
    else this.open.links = forest.links;
    this.matching = undefined;
    this.showRows();
  }

  private showRows(): void {
    this.grid.setRows(this.open.rows);
  }
}

/** The largest value of the tree; where rows have different units, the largest one of times. */
function largestTime({ values, unitOf }: Shown): number {
  let largest = 0;
  values?.inclusive.forEach((value, row) => {
    if ((unitOf?.(row) ?? 'sec') === 'sec' && !Number.isNaN(value))
      largest = Math.max(largest, Math.abs(value));
  });
  return largest;
}
