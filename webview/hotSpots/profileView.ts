import { present } from '../../src/core/present';
import type { HotSpotsEvents, HotSpotsOpened } from '../../src/protocol/hotSpots';
import { element, type Control } from '../ui/base/dom';
import { FlameGraph } from '../ui/flame/flameGraph';
import { historyKey } from '../ui/page/history';
import { isFindKey } from '../ui/page/shell';
import { MatchWalk } from '../ui/search/matchWalk';
import { search } from '../ui/search/nameSearch';
import type { MenuPlace } from '../ui/controls/menu';
import type { SearchQuery } from '../ui/search/searchBox';
import { splitter } from '../ui/controls/splitter';
import { tabs, type Tabs } from '../ui/controls/tabs';
import { tableSource, type TableSource } from './data/columns';
import { Controls } from './controls';
import { Facts } from './facts';
import { FunctionsTab } from './functions/functionsTab';
import type { Direction } from './functions/functionRows';
import type { Measured, Model } from './data/model';
import { flameSource, shortPlace, type Shown } from './names';
import { ParallelTabs } from './parallelTabs';
import type { ProfileViewHost } from './profileViewHost';
import { ProfileActions } from './profileActions';
import type { ProfileTable } from './profileTable';
import { openRowMenu, pathText, type RowMore } from './rowMenu';
import { openSpreadMenu, spreadOptions } from './spread/spreadMenu';
import type { SpreadHost } from './spread/spreads';
import { stepOf } from './steps';
import { Threads } from './threads';
import { boundedState, TreeTable } from './treeTable';
import { type TabId, type ViewState } from './viewState';

/** One profile (or two) in its tabs: call tree, functions, flame graph. */
export class ProfileView implements Control {
  readonly element: HTMLElement;
  readonly controls: Controls;
  private readonly actions: ProfileActions;
  private readonly walk: MatchWalk;
  private readonly calls: TreeTable;
  /** Table of the call tree. */
  private readonly tree: ProfileTable;
  private readonly functions: FunctionsTab;
  private readonly flame: FlameGraph;
  private readonly threads: Threads;
  private readonly tabs: Tabs<TabId>;
  private readonly facts: Facts;
  private readonly parallel: ParallelTabs;
  private metric: number;
  private shown: Shown;
  private selected: number | undefined;
  private selectedFunction: number | undefined;
  private isStarted = false;
  /** Several changes are one step. */
  private isInStep = false;

  constructor(
    private readonly model: Model,
    private readonly opened: HotSpotsOpened,
    private state: ViewState,
    private readonly host: ProfileViewHost,
  ) {
    this.metric = model.metricNamed(state.metric ?? '') ?? model.usualMetric;
    this.shown = {
      model,
      fullNames: state.fullNames,
      found: search(model.names, model.folded, state.search),
    };
    this.actions = new ProfileActions(host.channel, model, host.onError);
    const { openSource } = this.actions;
    const spread: SpreadHost = {
      ...{ channel: host.channel, model, opened, choose: this.actions.choose, onError: host.onError },
      options: spreadOptions(state),
    };
    this.calls = new TreeTable(
      this.shown,
      this.pathSource,
      `${opened.main.id} ${opened.compare?.id ?? ''}`,
      state,
      {
        onSelect: (row) => this.select(row, 'tree'),
        onActivate: (row) => openSource(this.regionOf(row)),
        onMenu: (row, place) => this.pathMenu(row, place, this.tree.grid.textOf(row)),
        onLayout: (treeLayout) => this.keep({ treeLayout }),
        onSort: (treeSort) => this.keep({ treeSort }),
        onExpand: () => this.keep({}, 'Expansion'),
        onScroll: () => this.keep({ treeTop: this.tree.grid.top }),
      },
      spread,
    );
    this.tree = this.calls.table;
    this.selected = this.calls.restored.selected;
    this.functions = new FunctionsTab(this.shown, state, {
      source: (of) => this.source(of),
      onSelect: (region) => this.selectFunction(region),
      onActivate: openSource,
      onMenu: (region, more, place) => this.rowMenu(region, more, place),
      keep: (changes, step) => this.keep(changes, step),
      moved: host.moved,
      spread,
    });
    this.flame = new FlameGraph(flameSource(this.shown, this.metric), {
      onSelect: (row) => this.select(row, 'flame'),
      onActivate: (row) => openSource(this.regionOf(row)),
      onZoom: () => this.keep({}, 'Zoom'),
      onMenu: (row, place) => this.pathMenu(row, place, this.calls.describe(row)),
      describe: (row) => this.calls.describe(row),
      placeOf: (row) => shortPlace(model, this.regionOf(row)),
    });
    this.threads = new Threads(host.channel);
    this.facts = new Facts(model, opened, this.actions);
    this.parallel = new ParallelTabs(this.shown, state, {
      channel: host.channel,
      actions: this.actions,
      isCompared: opened.compare !== undefined,
      onSelect: (row) => this.selectFunction(row),
      keep: (changes) => this.keep(changes),
    });
    this.controls = this.makeControls();
    this.walk = new MatchWalk(this.controls.search, {
      matches: () => this.matches(),
      selected: () => this.selectedRow,
      go: (row) => this.go(row),
      error: () => this.shown.found.error,
    });
    const pages = [
      { id: 'tree', label: 'Call Tree', content: this.tree.grid.element },
      { id: 'functions', label: 'Functions', content: this.functions.element },
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
    this.showThreads(state.showsThreads);
    const { zoom } = this.calls.restored;
    if (zoom !== undefined) this.flame.zoomTo(zoom);
    this.update();
    if (this.selected !== undefined) this.select(this.selected, undefined);
    else this.tree.grid.select(this.calls.hottest);
    this.functions.start(state.functionsTop);
    if (state.treeTop !== undefined) this.tree.grid.scrollTo(state.treeTop);
    if (state.search.text !== '') {
      this.controls.search.setQuery(state.search);
      this.walk.showOutcome();
    }
    this.isStarted = true;
    this.keep({});
  }

  focus(): void {
    if (this.tabs.selected === 'tree') this.tree.grid.focus();
    else if (this.tabs.selected === 'functions') this.functions.grid.focus();
    else (this.parallel.pages.find(({ id }) => id === this.tabs.selected) ?? this.flame).focus();
  }

  /** Shows a function: its heaviest call path, or its row of the flat profile. */
  revealFunction(name: string): void {
    const region = this.model.regionNamed(name);
    if (region === undefined) {
      const why = `${name} is not in this profile: it was not instrumented, or not executed.`;
      this.host.onError(new Error(why));
      return;
    }
    const heaviest = this.model.heaviestPathOf(region, this.metric);
    if (heaviest !== undefined) this.select(heaviest, undefined);
    this.functions.select(region);
    this.focus();
  }

  /** Shows a view that the user asked for elsewhere. */
  showView(tab: 'groups' | 'changes'): void {
    if (!this.parallel.pages.some(({ id }) => id === tab)) {
      if (tab === 'groups')
        this.host.onError(new Error('The run has one process with one thread: there are no groups.'));
      return;
    }
    this.showTab(tab);
    this.focus();
  }

  /** Functions are in other groups. */
  setMoved(moved: ReadonlyMap<string, string>): void {
    this.functions.regroup(moved);
  }

  setPins(pins: HotSpotsEvents['pins']): void {
    this.model.setPins(pins);
    this.tree.grid.refresh();
    this.functions.grid.refresh();
  }

  private makeControls(): Controls {
    return new Controls({
      onMetric: (name) => {
        this.metric = this.model.metricNamed(name) ?? 0;
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
      onUndo: this.host.onUndo,
      onRedo: this.host.onRedo,
      onHotPath: () => this.hotPath(),
      onExpandAll: () => this.expandAll(true),
      onCollapseAll: () => this.expandAll(false),
      onFullNames: () => {
        this.shown = { ...this.shown, fullNames: !this.shown.fullNames };
        this.keep({ fullNames: this.shown.fullNames });
        this.updateNames();
      },
      onThreads: () => {
        this.keep({ showsThreads: !this.state.showsThreads });
        this.showThreads(this.state.showsThreads);
      },
      onSpread: (anchor) =>
        openSpreadMenu([this.calls.spreads, this.functions.spreads], this.state, this.keep, anchor),
      onColumns: (anchor) =>
        (this.tabs.selected === 'functions' ? this.functions : this.tree).grid.showColumnChooser(anchor),
      onZoomOut: () => this.flame.zoomOut(),
      onZoomReset: () => this.flame.zoomTo(undefined),
      onSave: (kind) => {
        if (kind === 'png') void this.actions.savePicture(() => this.picture());
        else this.actions.save(kind);
      },
    });
  }

  private get pathSource(): TableSource {
    return this.source((metric) => this.model.paths(metric));
  }

  private source(of: (metric: number) => Measured): TableSource {
    return tableSource(this.model, this.opened, this.metric, of, this.state.unit);
  }

  private expandAll(open: boolean): void {
    if (this.tabs.selected === 'functions') this.functions.setAllExpanded(open);
    else this.tree.setExpandedBelow(undefined, open);
  }

  private update(): void {
    this.calls.update(this.shown, this.pathSource);
    this.functions.update(this.shown);
    this.flame.update(flameSource(this.shown, this.metric));
    this.facts.update(this.metric);
    this.updateParallel();
    this.showDistribution();
  }

  private updateNames(): void {
    this.calls.refresh(this.shown);
    this.functions.refresh(this.shown);
    this.flame.update(flameSource(this.shown, this.metric));
    this.updateParallel();
  }

  private updateParallel(): void {
    this.parallel.update(this.tabs.selected, this.shown, this.metric, this.selectedFunction);
  }

  private get selectedRow(): number | undefined {
    if (this.tabs.selected === 'functions') return this.functions.grid.selected;
    return this.showsFunctions ? this.selectedFunction : this.selected;
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
    this.keep({}, 'Selection');
    this.showDistribution();
  }

  private selectFunction(row: number | undefined): void {
    this.selectedFunction = row;
    if (this.tabs.selected !== 'functions') this.updateParallel();
  }

  private onTab(tab: TabId): void {
    this.keep({ tab });
    if (tab === 'functions' && this.selectedFunction !== undefined)
      this.functions.show(this.selectedFunction);
    this.update();
    this.walk.showOutcome();
  }

  /** Handles keys that work independently of the focus; returns true for a handled key. */
  onKey(event: KeyboardEvent): boolean {
    const history = historyKey(event);
    if (isFindKey(event)) this.controls.search.focus();
    else if (history !== undefined) this.host[history === 'undo' ? 'onUndo' : 'onRedo']();
    else if (event.key === 'F3') this.walk.step(event.shiftKey ? -1 : 1);
    else return false;
    return true;
  }

  private onQuery(query: SearchQuery): void {
    const { model } = this;
    this.shown = { ...this.shown, found: search(model.names, model.folded, query) };
    this.asStep('Search', () => {
      this.keep({ search: query });
      this.updateNames();
      this.walk.begin();
    });
  }

  /** Matches of the search, in the order of the shown view. */
  private matches(): ArrayLike<number> {
    if (!this.showsFunctions) return this.tree.matchesInOrder();
    const rows = this.functions.matches();
    return this.tabs.selected === 'functions' ? rows : rows.filter((row) => row < this.model.names.length);
  }

  private go(row: number): void {
    if (!this.showsFunctions) {
      this.select(row, undefined);
      return;
    }
    this.functions.go(row);
    this.keep({}, 'Selection');
  }

  /** Changes that belong together are one step to undo. */
  private asStep(step: string, change: () => void): void {
    const isInside = this.isInStep;
    this.isInStep = true;
    change();
    this.isInStep = isInside;
    this.keep({}, step);
  }

  private hotPath(from?: number): void {
    const end = this.model.hotPath(this.metric, from).at(-1);
    if (end !== undefined) this.select(end, undefined);
    this.focus();
  }

  private pathMenu(row: number, place: MenuPlace, rowText: string): void {
    const more = {
      zoom: () => {
        this.asStep('Zoom', () => {
          this.showTab('flame');
          this.flame.zoomTo(row);
          this.flame.select(row);
        });
        this.flame.focus();
      },
      hotPath: () => this.hotPath(row),
      expandBelow: () => this.tree.setExpandedBelow(row, true),
      collapseBelow: () => this.tree.setExpandedBelow(row, false),
      processes: this.calls.spreads.menuItems(row, place),
      rowText,
      pathText: pathText(this.model, row),
    };
    this.rowMenu(this.regionOf(row), more, place);
  }

  private rowMenu(region: number, more: Omit<RowMore, 'showBelow' | 'groups'>, place: MenuPlace): void {
    const showBelow = (direction: Direction): void => this.showBelow(region, direction);
    const groups = this.functions.groupsOf(region);
    openRowMenu(this.model, region, this.actions, { ...more, groups, showBelow }, place);
  }

  private showBelow(region: number, direction: Direction): void {
    this.asStep('Callers or Callees', () => {
      this.showTab('functions');
      this.selectFunction(region);
      this.functions.showBelow(region, direction);
    });
    this.focus();
  }

  private showTab(tab: TabId): void {
    if (this.tabs.selected === tab) return;
    this.tabs.select(tab);
    this.onTab(tab);
  }

  private picture(): Promise<Uint8Array | undefined> {
    this.showTab('flame');
    return this.flame.png();
  }

  private regionOf(callPath: number): number {
    return this.model.region[callPath] ?? 0;
  }

  private showThreads(shows: boolean): void {
    this.element.classList.toggle('without-threads', !shows);
    if (shows) this.showDistribution();
  }

  private showDistribution(): void {
    if (this.state.showsThreads) this.threads.show(this.shown, this.selected, this.metric, this.state.unit);
  }

  /** All of the state, for undo. */
  get wholeState(): ViewState {
    const { functions, calls } = this;
    const own = calls.state(this.selected, this.flame.zoom);
    return present({ ...this.state, ...own, functionRows: functions.savedRows }) as ViewState;
  }

  /** @param step what changed, if the changes do not say it */
  private readonly keep = (changes: Partial<ViewState>, step = stepOf(changes)): void => {
    this.state = { ...this.state, ...changes };
    if (!this.isStarted) return;
    this.controls.setTab(this.state.tab, this.state.show);
    this.controls.setPressed(this.state.fullNames, this.state.showsThreads);
    this.host.onState(() => boundedState(this.wholeState));
    if (step !== undefined && !this.isInStep) this.host.onStep(step);
  };
}
