import { element, type Control } from '../../ui/base/dom';
import { dropdown, type Dropdown } from '../../ui/controls/dropdown';
import { copyItem, openMenu, type MenuPlace } from '../../ui/controls/menu';
import type { TableSource } from '../data/columns';
import type { Shown } from '../names';
import { ProfileTable, type TableEvents } from '../profileTable';
import { restoreRows, saveRows } from '../savedRows';
import type { RowMore } from '../rowMenu';
import { shownFunctions, type SavedRows, type ShownFunctions, type ViewState } from '../viewState';
import type { Measured } from '../data/model';
import { Spreads, type SpreadHost } from '../spread/spreads';
import { FunctionRows, type Direction } from './functionRows';
import { functionTable } from './functionTable';

const shownLabels: Readonly<Record<ShownFunctions, string>> = {
  functions: 'Functions',
  groups: 'Function Groups',
  visits: 'Most Called',
};
/** Sort order of each of them, in the saved state. */
const sortOf = { functions: 'flatSort', groups: 'groupSort', visits: 'visitsSort' } as const;

export interface FunctionsHost {
  readonly source: (of: (metric: number) => Measured) => TableSource;
  /** @param region undefined: the row names none */
  readonly onSelect: (region: number | undefined) => void;
  readonly onActivate: (region: number) => void;
  readonly onMenu: (region: number, more: Pick<RowMore, 'rowText' | 'processes'>, place: MenuPlace) => void;
  /** @param step what changed, if the changes do not say it */
  readonly keep: (changes: Partial<ViewState>, step?: string) => void;
  readonly moved: ReadonlyMap<string, string>;
  readonly spread: SpreadHost;
}

/** The table of functions with the choice of what it starts with, and what functions are expanded to. */
export class FunctionsTab implements Control {
  readonly element: HTMLElement;
  readonly spreads: Spreads;
  private readonly rows: FunctionRows;
  private moved: ReadonlyMap<string, string>;
  private readonly table: ProfileTable;
  private readonly direction: Dropdown<Direction>;
  private source: TableSource;
  private readonly restored: { readonly selected?: number };

  constructor(
    private shown: Shown,
    private state: Pick<
      ViewState,
      'show' | 'direction' | 'flatSort' | 'groupSort' | 'visitsSort' | 'flatLayout' | 'functionRows'
    >,
    private readonly host: FunctionsHost,
  ) {
    this.moved = host.moved;
    this.rows = new FunctionRows(shown.model, host.moved);
    this.source = this.newSource();
    const { rows } = this;
    this.spreads = new Spreads(
      host.spread,
      {
        pathsOf: (row, extent) => rows.valuePathsOf(row, extent),
        all: () => Array.from({ length: rows.count }, (_, row) => row),
        onAxis: () => [...shown.model.names.keys(), ...(this.inGroups ? rows.groupRows : [])],
      },
      'exclusive',
      this.source,
    );
    const restored = this.restore(state.functionRows);
    this.restored = restored;
    this.table = new ProfileTable(
      functionTable(
        this.rows,
        () => this.shown,
        () => this.source,
        () => ({ inGroups: this.inGroups, direction: this.state.direction }),
        this.spreads,
      ),
      state[sortOf[state.show]],
      { layout: state.flatLayout, expanded: restored.expanded },
      this.events(),
    );
    const show = dropdown<ShownFunctions>({
      label: 'Show',
      choices: shownFunctions.map((value) => ({ value, label: shownLabels[value] })),
      value: state.show,
      onChange: (value) => this.choose({ show: value }),
    });
    this.direction = dropdown<Direction>({
      label: 'Expand to',
      choices: [
        { value: 'callers', label: 'Callers' },
        { value: 'callees', label: 'Callees' },
      ],
      value: state.direction,
      onChange: (value) => this.choose({ direction: value }),
    });
    this.element = element(
      'div',
      { class: 'functions fill' },
      element('div', { class: 'functions-bar row' }, show.element, this.direction.element),
      this.table.grid.element,
    );
  }

  /** The groups that there are, and the one that a function would be in if the user had not chosen another one for it. */
  groupsOf(region: number): { readonly all: readonly string[]; readonly own: string | undefined } {
    const { rows } = this;
    const isMoved = this.moved.has(this.shown.model.names[region] ?? '');
    return { all: rows.groups, own: isMoved ? rows.ownGroup(region) : undefined };
  }

  get grid(): ProfileTable['grid'] {
    return this.table.grid;
  }

  /** Selects what was selected, once the table is in the page. */
  start(top: number | undefined): void {
    const { selected } = this.restored;
    if (selected !== undefined) {
      this.table.grid.select(selected);
      this.host.onSelect(this.regionOf(selected));
    }
    if (top !== undefined) this.table.grid.scrollTo(top);
  }

  /** Another metric or unit. */
  update(shown: Shown): void {
    this.shown = shown;
    this.source = this.newSource();
    this.spreads.update(this.source);
    this.table.update();
  }

  /** Names, marks or matches are others. */
  refresh(shown: Shown): void {
    this.shown = shown;
    this.table.refresh();
  }

  /** Functions are in other groups. */
  regroup(moved: ReadonlyMap<string, string>): void {
    const { selected } = this.table.grid;
    this.moved = moved;
    this.rows.regroup(moved);
    this.spreads.forget();
    this.table.update();
    if (selected !== undefined) this.table.reveal(selected);
    // Groups may have been opened to show it.
    this.host.keep({});
  }

  /** Shows a function that was selected in another view, unless it is selected already: its row, or a caller of it. */
  show(region: number): void {
    const { selected } = this.table.grid;
    if (selected === undefined || this.regionOf(selected) !== region) this.table.reveal(region);
    else this.table.grid.select(selected);
  }

  /** Selects a function, in whatever group it is. */
  select(region: number): void {
    this.table.reveal(region);
  }

  /** Rows that match the search, from top to bottom. */
  matches(): Uint32Array {
    return this.table.matchesInOrder();
  }

  /** Shows what calls a function, or what it calls. */
  showBelow(region: number, direction: Direction): void {
    if (direction !== this.state.direction) this.choose({ direction });
    this.direction.setValue(direction);
    this.table.reveal(region);
    this.table.setExpanded([region], true);
  }

  go(row: number): void {
    this.table.reveal(row);
    this.host.onSelect(this.regionOf(row));
  }

  setAllExpanded(open: boolean): void {
    this.table.setExpanded(open ? this.rows.groupRows : this.table.expanded, open);
  }

  /** What is expanded and selected, by names. */
  get savedRows(): SavedRows {
    const { rows, table } = this;
    const tree = {
      parent: (row: number) => rows.parentOf(row, false),
      name: (row: number) => rows.keyOf(row),
    };
    return saveRows(tree, { expanded: table.expanded, selected: table.grid.selected });
  }

  private get inGroups(): boolean {
    return this.state.show === 'groups';
  }

  private regionOf(row: number): number | undefined {
    const region = this.rows.regionOf(row);
    return region < 0 ? undefined : region;
  }

  private newSource(): TableSource {
    return this.host.source((metric) => this.rows.values(metric));
  }

  private restore(saved: SavedRows): ReturnType<typeof restoreRows> {
    const { rows } = this;
    return restoreRows(
      saved,
      (row) => rows.keyedBelow(row),
      (row) => rows.keyOf(row),
    );
  }

  private choose(changes: Partial<Pick<ViewState, 'show' | 'direction'>>): void {
    const wereInGroups = this.inGroups;
    this.state = { ...this.state, ...changes };
    // The axis is another one.
    if (this.inGroups !== wereInGroups) this.spreads.forget();
    const { selected } = this.table.grid;
    this.table.update(this.state[sortOf[this.state.show]]);
    if (selected !== undefined) this.table.grid.select(selected);
    this.host.keep(changes);
  }

  private events(): TableEvents {
    const { host } = this;
    return {
      onSelect: (row) => {
        host.onSelect(row === undefined ? undefined : this.regionOf(row));
        host.keep({}, 'Selection');
      },
      onActivate: (row) => {
        const region = this.regionOf(row);
        if (region !== undefined) host.onActivate(region);
        else if (this.rows.at(row).kind === 'group') this.table.toggle(row);
      },
      onMenu: (row, place) => {
        const region = this.regionOf(row);
        const rowText = this.table.grid.textOf(row);
        const processes = this.spreads.menuItems(row, place);
        if (region !== undefined) host.onMenu(region, { rowText, processes }, place);
        else openMenu('Actions', [...processes, copyItem('Copy Row', rowText, 'Ctrl+C')], place);
      },
      onLayout: (flatLayout) => host.keep({ flatLayout }),
      onSort: (sort) => {
        const changes = { [sortOf[this.state.show]]: sort };
        this.state = { ...this.state, ...changes };
        host.keep(changes);
      },
      onExpand: () => host.keep({}, 'Expansion'),
      onScroll: () => host.keep({ functionsTop: this.table.grid.top }),
    };
  }
}
