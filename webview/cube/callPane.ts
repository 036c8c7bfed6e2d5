import { formatValue } from '../../src/core/format';
import { unqualifiedName } from '../../src/core/names/unqualifiedName';
import { valueModes, type References } from '../../src/core/views/valueModes';
import { visibleControls } from '../../src/core/names/visibleControls';
import { childLinksInOrder, orderByValue } from '../../src/core/views/treeRows';
import { FlameGraph, type FlameSource } from '../ui/flame/flameGraph';
import type { GridColumn } from '../ui/grid/columns';
import { copyItem, openMenu, type MenuItem, type MenuPlace } from '../ui/controls/menu';
import type { Found } from '../ui/search/nameSearch';
import { tabs, type Tabs } from '../ui/controls/tabs';
import { regionPlace, regionTooltip, rootsOf, tupleColumns } from './callFacts';
import { FlatProfile } from './flatProfile';
import type { CubeModel, MetricValues } from './model';
import { treeMenu, TreePane, type TreePaneOptions } from './treePane';
import { ValueTree } from './valueTree';
import type { CallTab, ViewState } from './viewState';

export interface CallPaneEvents extends Pick<TreePaneOptions, 'onState'> {
  /** Called when the selection has changed, or a selected node was opened or closed. */
  readonly onSelection: () => void;
  readonly onOpenSource: (region: number) => void;
  readonly onTab: (tab: CallTab) => void;
}

/** A metric at the call paths. */
export interface CallValues {
  /** Row of the metric tree. */
  readonly metric: number;
  readonly values: MetricValues;
  readonly references: References;
}

/** The call tree, also as a flat profile and as a flame graph. */
export class CallPane {
  readonly frame: TreePane;
  readonly tree: ValueTree;
  private readonly flat: FlatProfile;
  private readonly flame: FlameGraph;
  private readonly tabs: Tabs<CallTab>;
  private search: Found | undefined;
  private now: CallValues | undefined;
  private more: readonly GridColumn[] = [];
  private fullNames: boolean;
  private readonly roots: Int32Array;

  constructor(
    private readonly model: CubeModel,
    private readonly state: ViewState,
    private readonly events: CallPaneEvents,
  ) {
    this.fullNames = state.fullNames;
    this.roots = rootsOf(model.calls.parent);
    this.tree = new ValueTree(
      'Call tree',
      'Call Path',
      model.calls,
      {
        keyOf: (row) => model.region[row] ?? 0,
        names: () => this.names,
        tag: (row) => visibleControls(model.parameterOf(row)),
        tooltip: (row) => regionTooltip(model.regions[model.region[row] ?? 0]),
      },
      state.trees.calls,
      {
        onMarks: () => this.selectionChanged(),
        onActivate: (row) => events.onOpenSource(model.region[row] ?? 0),
        onMenu: (row, place) => this.pathMenu(row, place),
        onChange: (toggled) => {
          if (toggled === undefined || this.selected.includes(toggled)) events.onSelection();
          events.onState();
        },
      },
    );
    this.flat = new FlatProfile(
      model,
      () => this.names,
      (region) => regionTooltip(model.regions[region]),
      {
        onMarks: () => events.onSelection(),
        onActivate: events.onOpenSource,
        onMenu: (region, place) =>
          openMenu(
            'Actions',
            [...this.regionItems(region), copyItem('Copy Row', this.flat.grid.textOf(region), 'Ctrl+C')],
            place,
          ),
      },
    );
    this.flame = new FlameGraph(this.flameSource(), {
      onSelect: (row) => {
        this.tree.reveal([row]);
        events.onSelection();
        events.onState();
      },
      onActivate: (row) => events.onOpenSource(model.region[row] ?? 0),
      onZoom: () => undefined,
      onMenu: (row, place) => this.pathMenu(row, place),
      describe: (row) => this.describe(row),
      placeOf: (row) => regionPlace(model.regions[model.region[row] ?? 0]),
    });
    this.tabs = tabs<CallTab>({
      label: 'Views of the call paths',
      selected: state.callTab,
      tabs: [
        { id: 'tree', label: 'Call Tree', content: this.tree.grid.element },
        { id: 'flat', label: 'Flat', content: this.flat.grid.element },
        { id: 'flame', label: 'Flame Graph', content: this.flame.element },
      ],
      onSelect: (tab) => this.onTab(tab),
    });
    this.frame = new TreePane(this.tree, state, {
      id: 'calls',
      title: 'Call Paths',
      searchLabel: 'Search functions',
      modes: valueModes.filter((mode) => mode !== 'callRoot'),
      names: { full: model.names, folded: model.folded },
      content: this.tabs,
      searched: {
        setFound: (search) => this.setFound(search),
        matches: () => (this.isFlat ? this.flat : this.tree).matches(),
        selected: () => (this.isFlat ? this.flat : this.tree).grid.selected,
        go: (row) => this.go(row),
        focus: () => this.focus(),
      },
      onMode: () => this.update(),
      onState: events.onState,
      onHotPath: () => this.hotPath(),
    });
  }

  /** Restores the saved selection if the profile is the same, else shows the closed roots with their inclusive values. */
  start(isSame: boolean): void {
    const { selected } = this.state;
    const rows = isSame ? selected.filter((row) => row < this.model.region.length) : [];
    this.tree.reveal(rows.length > 0 ? rows : this.model.region.length > 0 ? [0] : []);
    this.flame.select(this.selected[0]);
  }

  get selected(): readonly number[] {
    return this.tree.grid.marked;
  }

  /** The call paths of the system tree, each with its inclusive or exclusive value. */
  get asked(): { readonly callPaths: readonly number[]; readonly exclusive: readonly boolean[] } {
    if (!this.isFlat) {
      const callPaths = this.selected;
      return { callPaths, exclusive: callPaths.map((row) => this.tree.isOpen(row)) };
    }
    const wanted = new Set(this.flat.grid.marked);
    const callPaths: number[] = [];
    this.model.region.forEach((region, row) => {
      if (wanted.has(region)) callPaths.push(row);
    });
    return { callPaths, exclusive: callPaths.map(() => true) };
  }

  /** The selection in words. */
  get title(): string {
    const { isFlat } = this;
    const rows = isFlat ? this.flat.grid.marked : this.selected;
    const [first] = rows;
    if (first === undefined) return '';
    if (rows.length > 1) return `${rows.length} ${isFlat ? 'functions' : 'call paths'}`;
    return (isFlat ? this.names[first] : this.tree.name(first)) ?? '';
  }

  /** Values of the selected metric at the roots above the selected call paths, and at these as displayed. */
  get wholes(): Pick<References, 'callRoot' | 'callSelection'> {
    const values = this.now?.values;
    if (values === undefined) return { callRoot: 0, callSelection: 0 };
    const roots = new Set(this.selected.map((row) => this.roots[row] ?? row));
    let callRoot = 0;
    for (const root of roots) callRoot += values.inclusive[root] ?? 0;
    const { callPaths, exclusive } = this.asked;
    const callSelection = callPaths.reduce(
      (sum, row, index) =>
        sum + ((exclusive[index] === true ? values.exclusive : values.inclusive)[row] ?? 0),
      0,
    );
    return { callRoot, callSelection };
  }

  show(now: CallValues): void {
    const isNew = now.values !== this.now?.values;
    this.now = now;
    if (isNew) this.more = tupleColumns(now.values, this.model.metrics[now.metric]?.unit ?? '');
    this.update();
  }

  setFullNames(fullNames: boolean): void {
    this.fullNames = fullNames;
    this.update();
  }

  hotPath(from?: number): void {
    const end = this.tree.hotPath(from).at(-1);
    if (end === undefined) return;
    if (this.isFlat) this.showTab('tree');
    this.go(end);
    this.focus();
  }

  focus(): void {
    if (this.tabs.selected === 'flame') this.flame.focus();
    else (this.isFlat ? this.flat : this.tree).grid.focus();
  }

  /** The flame graph as PNG. */
  picture(): Promise<Uint8Array | undefined> {
    this.showTab('flame');
    return this.flame.png();
  }

  private get isFlat(): boolean {
    return this.tabs.selected === 'flat';
  }

  private get names(): readonly string[] {
    return this.fullNames ? this.model.names : this.model.folded;
  }

  private update(): void {
    const { now, more } = this;
    const { mode } = this.frame;
    const metric = this.model.metrics[now?.metric ?? 0];
    const references = { metricRoot: 0, metricSelection: 0, ...now?.references, ...this.wholes };
    this.tree.update({ values: now?.values, unit: metric?.unit ?? '', mode, references, more });
    const percent = mode !== 'absolute';
    this.flat.update({ values: now?.values, metric, total: references.metricSelection, percent });
    this.flame.update(this.flameSource());
  }

  private selectionChanged(): void {
    this.flame.select(this.selected.at(-1));
    if (this.frame.mode === 'callSelection') this.update();
    this.events.onSelection();
    this.events.onState();
  }

  private onTab(tab: CallTab): void {
    this.frame.showMatches();
    this.events.onTab(tab);
    this.events.onSelection();
  }

  private showTab(tab: CallTab): void {
    if (this.tabs.selected === tab) return;
    this.tabs.select(tab);
    this.onTab(tab);
  }

  private setFound(search: Found): void {
    this.search = search;
    this.tree.setFound(search);
    this.flat.setFound(search);
    this.flame.update(this.flameSource());
  }

  private go(row: number): void {
    if (this.isFlat) {
      this.flat.grid.mark([row]);
      this.events.onSelection();
      return;
    }
    this.tree.reveal([row]);
    this.selectionChanged();
  }

  private flameSource(): FlameSource {
    const { model, now } = this;
    const nothing = new Float64Array(model.region.length);
    const { inclusive, exclusive } = now?.values ?? { inclusive: nothing, exclusive: nothing };
    const { parent, links } = model.calls;
    let total = 0;
    for (let root = links.firstRoot; root >= 0; root = links.nextSibling[root] ?? -1)
      total += inclusive[root] ?? 0;
    return {
      parent,
      region: model.region,
      inclusive,
      exclusive,
      total,
      links: () => childLinksInOrder(parent, orderByValue(inclusive, true)),
      name: (region) => this.names[region] ?? '?',
      shortName: (region) => unqualifiedName(model.folded[region] ?? ''),
      isMatch: (region) => this.search?.regions[region] === 1,
    };
  }

  private describe(row: number): string {
    const { values, metric = 0 } = this.now ?? {};
    const unit = this.model.metrics[metric]?.unit ?? '';
    const [all, own] = [values?.inclusive[row] ?? 0, values?.exclusive[row] ?? 0];
    return `inclusive ${formatValue(all, unit)}, exclusive ${formatValue(own, unit)}`;
  }

  private regionItems(region: number): readonly MenuItem[] {
    const hasSource = this.model.regions[region]?.file !== undefined;
    return [
      {
        label: 'Open Source',
        keys: 'Enter',
        disabled: hasSource ? undefined : 'The profile has no source position for this function.',
        run: () => this.events.onOpenSource(region),
      },
      'separator',
      copyItem('Copy Name', this.model.regions[region]?.name ?? '?'),
    ];
  }

  private pathMenu(row: number, place: MenuPlace): void {
    const region = this.model.region[row] ?? 0;
    const [source, line, copyName] = this.regionItems(region);
    const items: (MenuItem | undefined)[] = [
      source,
      line,
      { label: 'Hot Path from Here', keys: 'Alt+H', run: () => this.hotPath(row) },
      ...treeMenu(this.tree, row),
      {
        label: 'Show in Flame Graph',
        run: () => {
          this.showTab('flame');
          this.flame.zoomTo(row);
          this.flame.select(row);
          this.flame.focus();
        },
      },
      'separator',
      copyName,
      copyItem('Copy Call Path', this.pathText(row)),
      copyItem('Copy Row', this.tree.grid.textOf(row), 'Ctrl+C'),
    ];
    openMenu(
      'Actions',
      items.filter((item) => item !== undefined),
      place,
    );
  }

  /** Names from the root down. */
  private pathText(row: number): string {
    const names: string[] = [];
    for (let callPath = row; callPath >= 0; callPath = this.model.calls.parent[callPath] ?? -1)
      names.push(this.model.regions[this.model.region[callPath] ?? 0]?.name ?? '?');
    return names.reverse().join(' / ');
  }
}
