import type { HotSpotsEvents, HotSpotsOpened } from '../../src/protocol/hotSpots';
import { element, type Control } from '../ui/base/dom';
import { FlameGraph } from '../ui/flame/flameGraph';
import { isFindKey } from '../ui/page/shell';
import { MatchWalk } from '../ui/search/matchWalk';
import { search } from '../ui/search/nameSearch';
import { menuPlaceBelow, openMenu, type MenuPlace } from '../ui/controls/menu';
import type { SearchQuery } from '../ui/search/searchBox';
import { splitter } from '../ui/controls/splitter';
import { tabs, type Tabs } from '../ui/controls/tabs';
import { numberColumns, tableSource, type TableSource } from './columns';
import { Controls } from './controls';
import { Facts } from './facts';
import { FlatTable } from './flatTable';
import type { HotSpotsChannel } from './load';
import type { Model } from './model';
import { flameSource, type Shown } from './names';
import { ParallelTabs } from './parallelTabs';
import { ProfileActions } from './profileActions';
import { openRowMenu, pathText } from './rowMenu';
import type { SpreadHost, SpreadOptions } from './spread/spreads';
import { Threads } from './threads';
import { TreeTable } from './treeTable';
import { mostExpandedKept, type TabId, type ViewState } from './viewState';

export interface ProfileViewHost {
  readonly channel: HotSpotsChannel;
  /** Called when the view's state has changed; the shell calls `state` later to save it. */
  readonly onState: (state: () => ViewState) => void;
  readonly onError: (error: unknown) => void;
}

/** One profile (or two) in its tabs: call tree, functions, flame graph. */
export class ProfileView implements Control {
  readonly element: HTMLElement;
  private readonly controls: Controls;
  private readonly actions: ProfileActions;
  private readonly walk: MatchWalk;
  private readonly tree: TreeTable;
  private readonly flat: FlatTable;
  private readonly flame: FlameGraph;
  private readonly threads: Threads;
  private readonly tabs: Tabs<TabId>;
  private readonly facts: Facts;
  private readonly parallel: ParallelTabs;
  private metric: number;
  private shown: Shown;
  private selected: number | undefined;
  private selectedFunction: number | undefined;
  /** Whether the saved state belongs to this profile. */
  private readonly wasShown: boolean;
  private isStarted = false;

  constructor(
    private readonly model: Model,
    private readonly opened: HotSpotsOpened,
    private state: ViewState,
    private readonly host: ProfileViewHost,
  ) {
    const metric = opened.main.metrics.findIndex(({ name }) => name === state.metric);
    this.metric = metric < 0 ? model.usualMetric : metric;
    const isSame = state.profile === this.profileId;
    this.wasShown = isSame;
    this.selected = isSame && (state.selected ?? Infinity) < model.count ? state.selected : undefined;
    this.shown = {
      model,
      fullNames: state.fullNames,
      found: search(model.names, model.folded, state.search),
    };
    this.actions = new ProfileActions(host.channel, model, host.onError);
    const { openSource } = this.actions;
    const source = this.source('paths');
    const spreadHost: SpreadHost = {
      ...{ channel: host.channel, model, opened, choose: this.actions.choose, onError: host.onError },
      options: this.spreadOptions,
    };
    this.tree = new TreeTable(
      this.shown,
      source,
      { sort: state.treeSort, layout: state.treeLayout, expanded: isSame ? state.expanded : [] },
      {
        onSelect: (row) => this.select(row, 'tree'),
        onActivate: (row) => openSource(this.regionOf(row)),
        onMenu: (row, place) => this.pathMenu(row, place, this.tree.grid.textOf(row)),
        onLayout: (treeLayout) => this.keep({ treeLayout }),
        onSort: (treeSort) => this.keep({ treeSort }),
        onExpand: () => this.keep({}),
      },
      spreadHost,
    );
    this.flat = new FlatTable(
      this.shown,
      this.source('functions'),
      { sort: state.flatSort, layout: state.flatLayout },
      {
        onSelect: (row) => this.selectFunction(row),
        onActivate: openSource,
        onMenu: (row, place) => {
          const processes = this.flat.spreads.menuItems(row, place);
          openRowMenu(model, row, this.actions, { rowText: this.flat.grid.textOf(row), processes }, place);
        },
        onLayout: (flatLayout) => this.keep({ flatLayout }),
        onSort: (flatSort) => this.keep({ flatSort }),
      },
      spreadHost,
    );
    this.flame = new FlameGraph(flameSource(this.shown, this.metric), {
      onSelect: (row) => this.select(row, 'flame'),
      onActivate: (row) => openSource(this.regionOf(row)),
      onZoom: () => this.keep({}),
      onMenu: (row, place) => this.pathMenu(row, place, this.describe(row)),
      describe: (row) => this.describe(row),
    });
    this.threads = new Threads(host.channel);
    this.facts = new Facts(model, opened, () => this.actions.choose([]));
    this.parallel = new ParallelTabs(this.shown, state, {
      channel: host.channel,
      actions: this.actions,
      onSelect: (row) => this.selectFunction(row),
      keep: (changes) => this.keep(changes),
    });
    this.controls = this.makeControls();
    this.walk = new MatchWalk(this.controls.search, {
      matches: () => this.matches(),
      selected: () => (this.showsFunctions ? this.selectedFunction : this.selected),
      go: (row) => this.go(row),
      error: () => this.shown.found.error,
    });
    const pages = [
      { id: 'tree', label: 'Call Tree', content: this.tree.grid.element },
      { id: 'functions', label: 'Functions', content: this.flat.grid.element },
      { id: 'flame', label: 'Flame Graph', content: this.flame.element },
      ...this.parallel.pages,
    ] as const;
    // The saved state may be that of another profile.
    if (!pages.some(({ id }) => id === state.tab)) this.state = { ...state, tab: 'tree' };
    this.tabs = tabs<TabId>({
      label: 'Views of the profile',
      selected: this.state.tab,
      tabs: pages,
      onSelect: (tab) => this.onTab(tab),
    });
    const parts = splitter({
      label: 'Height of the distribution over threads',
      first: this.tabs.element,
      second: this.threads.element,
      direction: 'rows',
      share: state.share,
      onShare: (share) => this.keep({ share }),
    });
    this.element = element(
      'div',
      { class: 'profile fill' },
      this.controls.element,
      ...this.facts.elements,
      parts.element,
    );
  }

  /** Call once the element is in the page. */
  start(): void {
    const { state } = this;
    this.controls.setOpened(this.opened, this.opened.main.metrics[this.metric]?.name ?? '', state.unit);
    this.controls.setPressed(state.fullNames, state.showsThreads);
    this.controls.setTab(state.tab);
    this.showThreads(state.showsThreads);
    if (this.wasShown && state.zoom !== undefined) this.flame.zoomTo(state.zoom);
    this.update();
    if (this.selected !== undefined) this.select(this.selected, undefined);
    if (state.search.text !== '') {
      this.controls.search.setQuery(state.search);
      this.walk.showOutcome();
    }
    this.isStarted = true;
    this.keep({});
  }

  focus(): void {
    if (this.tabs.selected === 'tree') this.tree.grid.focus();
    else if (this.tabs.selected === 'functions') this.flat.grid.focus();
    else (this.parallel.pages.find(({ id }) => id === this.tabs.selected) ?? this.flame).focus();
  }

  /** Shows a function: its heaviest call path, or its row of the flat profile. */
  revealFunction(name: string): void {
    const region = this.model.regionNamed(name);
    if (region === undefined) {
      this.host.onError(
        new Error(`${name} is not in this profile: it was not instrumented, or not executed.`),
      );
      return;
    }
    const heaviest = this.model.heaviestPathOf(region, this.metric);
    if (heaviest !== undefined) this.select(heaviest, undefined);
    this.flat.grid.select(region);
    this.focus();
  }

  showTab(tab: 'groups'): void {
    if (this.parallel.pages.some(({ id }) => id === tab)) {
      this.tabs.select(tab);
      this.onTab(tab);
      this.focus();
    } else this.host.onError(new Error('The run has one process with one thread: there are no groups.'));
  }

  setPins(pins: HotSpotsEvents['pins']): void {
    this.model.setPins(pins);
    this.tree.grid.refresh();
    this.flat.grid.refresh();
  }

  private get profileId(): string {
    return `${this.opened.main.id} ${this.opened.compare?.id ?? ''}`;
  }

  private makeControls(): Controls {
    return new Controls({
      onMetric: (name) => {
        this.metric = Math.max(
          0,
          this.opened.main.metrics.findIndex((candidate) => candidate.name === name),
        );
        this.keep({ metric: name });
        this.update();
      },
      onUnit: (unit) => {
        this.keep({ unit });
        this.update();
      },
      onCompare: (experiment) => this.actions.compare(experiment),
      onQuery: (query) => this.onQuery(query),
      onStep: (direction) => this.walk.step(direction),
      onLeaveSearch: () => this.focus(),
      onHotPath: () => this.hotPath(),
      onExpandAll: () => this.tree.setExpandedBelow(undefined, true),
      onCollapseAll: () => this.tree.setExpandedBelow(undefined, false),
      onFullNames: () => {
        this.shown = { ...this.shown, fullNames: !this.shown.fullNames };
        this.keep({ fullNames: this.shown.fullNames });
        this.controls.setPressed(this.shown.fullNames, this.state.showsThreads);
        this.updateNames();
      },
      onThreads: () => {
        this.keep({ showsThreads: !this.state.showsThreads });
        this.controls.setPressed(this.shown.fullNames, this.state.showsThreads);
        this.showThreads(this.state.showsThreads);
      },
      onSpread: (anchor) => this.chooseSpread(anchor),
      onColumns: (anchor) =>
        (this.tabs.selected === 'functions' ? this.flat : this.tree).grid.showColumnChooser(anchor),
      onZoomOut: () => this.flame.zoomOut(),
      onZoomReset: () => this.flame.zoomTo(undefined),
      onSave: (kind) => {
        if (kind === 'png') void this.actions.savePicture(() => this.picture());
        else this.actions.save(kind);
      },
    });
  }

  private get spreadOptions(): SpreadOptions {
    return { outliers: this.state.spreadOutliers, scale: this.state.spreadScale };
  }

  /** What the box plots of both tables show. */
  private chooseSpread(anchor: Element): void {
    const { outliers, scale } = this.spreadOptions;
    const set = (changes: Partial<ViewState>): void => {
      this.keep(changes);
      for (const table of [this.tree, this.flat]) table.spreads.setOptions(this.spreadOptions);
    };
    openMenu(
      'Spread over Processes',
      [
        { label: 'Outliers', checked: outliers, run: () => set({ spreadOutliers: !outliers }) },
        {
          label: 'Same Scale in All Rows',
          checked: scale === 'table',
          run: () => set({ spreadScale: scale === 'table' ? 'row' : 'table' }),
        },
      ],
      menuPlaceBelow(anchor),
    );
  }

  private source(of: 'paths' | 'functions'): TableSource {
    return tableSource(this.model, this.opened, this.metric, of, this.state.unit);
  }

  private update(): void {
    this.tree.update(this.shown, this.source('paths'));
    this.flat.update(this.shown, this.source('functions'));
    this.flame.update(flameSource(this.shown, this.metric));
    this.facts.update(this.metric);
    this.updateParallel();
    this.showDistribution();
  }

  private updateNames(): void {
    const { shown } = this;
    this.tree.update(shown, this.tree.currentSource);
    this.flat.update(shown, this.flat.currentSource);
    this.flame.update(flameSource(shown, this.metric));
    this.updateParallel();
  }

  private updateParallel(): void {
    this.parallel.update(this.tabs.selected, this.shown, this.metric, this.selectedFunction);
  }

  /** Whether the shown view has a row per function, and none per call path. */
  private get showsFunctions(): boolean {
    return ['functions', 'groups', 'ranks'].includes(this.tabs.selected);
  }

  private select(row: number | undefined, from: 'tree' | 'flame' | undefined): void {
    this.selected = row;
    if (row !== undefined) this.selectedFunction = this.regionOf(row);
    if (row !== undefined && from !== 'tree') this.tree.reveal(row);
    if (from !== 'flame') this.flame.select(row);
    this.keep({});
    this.showDistribution();
  }

  private selectFunction(row: number | undefined): void {
    this.selectedFunction = row;
    if (this.tabs.selected !== 'functions') this.updateParallel();
  }

  private onTab(tab: TabId): void {
    this.controls.setTab(tab);
    this.keep({ tab });
    if (tab === 'functions' && this.selectedFunction !== undefined)
      this.flat.grid.select(this.selectedFunction);
    this.update();
    this.walk.showOutcome();
  }

  /** Handles keys that work independently of the focus; returns true for a handled key. */
  onKey(event: KeyboardEvent): boolean {
    if (isFindKey(event)) this.controls.search.focus();
    else if (event.key === 'F3') this.walk.step(event.shiftKey ? -1 : 1);
    else return false;
    return true;
  }

  private onQuery(query: SearchQuery): void {
    const { model } = this;
    this.shown = { ...this.shown, found: search(model.names, model.folded, query) };
    this.keep({ search: query });
    this.updateNames();
    this.walk.begin();
  }

  /** Matches of the search, in the order of the shown view. */
  private matches(): ArrayLike<number> {
    return this.showsFunctions ? this.flat.matchesInOrder() : this.tree.matchesInOrder();
  }

  private go(row: number): void {
    if (this.showsFunctions) {
      this.flat.grid.select(row);
      this.selectFunction(row);
    } else this.select(row, undefined);
  }

  private hotPath(from?: number): void {
    const path = this.model.hotPath(this.metric, from);
    const end = path.at(-1);
    if (end !== undefined) this.select(end, undefined);
    this.focus();
  }

  private pathMenu(row: number, place: MenuPlace, rowText: string): void {
    const more = {
      zoom: () => {
        this.showFlame();
        this.flame.zoomTo(row);
        this.flame.select(row);
        this.flame.focus();
      },
      hotPath: () => this.hotPath(row),
      expandBelow: () => this.tree.setExpandedBelow(row, true),
      collapseBelow: () => this.tree.setExpandedBelow(row, false),
      processes: this.tree.spreads.menuItems(row, place),
      rowText,
      pathText: pathText(this.model, row),
    };
    openRowMenu(this.model, this.regionOf(row), this.actions, more, place);
  }

  private showFlame(): void {
    if (this.tabs.selected === 'flame') return;
    this.tabs.select('flame');
    this.onTab('flame');
  }

  private picture(): Promise<Uint8Array | undefined> {
    this.showFlame();
    return this.flame.png();
  }

  private regionOf(callPath: number): number {
    return this.model.region[callPath] ?? 0;
  }

  private describe(row: number): string {
    return numberColumns(this.source('paths'))
      .filter(({ hidden }) => hidden !== true)
      .map(({ title, values, format }) => `${title.toLowerCase()} ${format(values()[row] ?? 0)}`)
      .join(', ');
  }

  private showThreads(shows: boolean): void {
    this.element.classList.toggle('without-threads', !shows);
    if (shows) this.showDistribution();
  }

  private showDistribution(): void {
    if (this.state.showsThreads) this.threads.show(this.shown, this.selected, this.metric, this.state.unit);
  }

  /** The state to save; slow for large trees. */
  private get savedState(): ViewState {
    const expanded = this.isStarted ? this.tree.expanded : this.state.expanded;
    return {
      ...this.state,
      profile: this.profileId,
      expanded: expanded.length > mostExpandedKept ? [] : expanded,
      zoom: this.isStarted ? this.flame.zoom : this.state.zoom,
      selected: this.selected,
    };
  }

  private keep(changes: Partial<ViewState>): void {
    this.state = { ...this.state, ...changes };
    if (this.isStarted) this.host.onState(() => this.savedState);
  }
}
