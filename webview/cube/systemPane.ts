import type { CubeMetric } from '../../src/core/views/cubePieces';
import { valueModes, type References, type ValueMode } from '../../src/core/views/valueModes';
import { visibleControls } from '../../src/core/names/visibleControls';
import { copyText } from '../ui/base/clipboard';
import { element } from '../ui/base/dom';
import { openMenu, type MenuPlace } from '../ui/controls/menu';
import { tabs, type Tabs } from '../ui/controls/tabs';
import type { CubeModel, TreeValues } from './model';
import { PaneFrame, type PaneEvents } from './paneFrame';
import { Statistics } from './statistics';
import { treeMenu } from './treeMenu';
import { TreeSearch } from './treeSearch';
import { ValueTree } from './valueTree';
import type { SystemTab, ViewState } from './viewState';

export interface SystemPaneEvents extends PaneEvents {
  readonly onTab: (tab: SystemTab) => void;
}

/** Where the selected call paths spent what: machines, nodes, processes, threads. */
export class SystemPane {
  readonly frame: PaneFrame;
  readonly tree: ValueTree;
  readonly search: TreeSearch;
  private readonly statistics = new Statistics();
  private readonly tabs: Tabs<SystemTab>;
  private values: TreeValues | undefined;
  private metric: CubeMetric | undefined;
  private references: References = { metricRoot: 0, metricSelection: 0, callRoot: 0, callSelection: 0 };
  private mode: ValueMode;
  private readonly names: readonly string[];
  private readonly nodeOfLocation: Int32Array;

  constructor(
    private readonly model: CubeModel,
    private readonly state: ViewState,
    events: SystemPaneEvents,
  ) {
    const { systemNames, systemKinds, systemLocation } = model.definitions;
    this.mode = state.modes.system;
    this.names = systemNames.map(visibleControls);
    this.nodeOfLocation = new Int32Array(model.header.locations);
    systemLocation.forEach((location, node) => {
      if (location >= 0) this.nodeOfLocation[location] = node;
    });
    this.tree = new ValueTree(
      'System tree',
      'System',
      model.system,
      {
        keyOf: (row) => row,
        names: () => this.names,
        tag: () => '',
        tooltip: (row) => [this.names[row] ?? '', systemKinds[row] ?? ''].join('\n'),
      },
      state.trees.system,
      {
        onMarks: () => undefined,
        onActivate: () => undefined,
        onMenu: (row, place) => this.menu(row, place),
        onChange: events.onState,
      },
    );
    this.search = new TreeSearch(() => this.frame.search, {
      names: () => ({ full: this.names, folded: this.names }),
      setFound: (found) => this.tree.setFound(found),
      matches: () => this.tree.matches(),
      selected: () => this.tree.grid.selected,
      go: (row) => this.tree.reveal([row]),
    });
    const page = (content: HTMLElement): HTMLElement => element('div', { class: 'page' }, content);
    this.tabs = tabs<SystemTab>({
      label: 'Views of the system',
      selected: state.systemTab,
      tabs: [
        { id: 'tree', label: 'System Tree', content: page(this.tree.grid.element) },
        { id: 'statistics', label: 'Statistics', content: page(this.statistics.element) },
      ],
      onSelect: events.onTab,
    });
    this.frame = new PaneFrame({
      title: 'System',
      searchLabel: 'Search the system',
      modes: valueModes,
      mode: this.mode,
      collapsed: state.collapsed.system,
      content: this.tabs.element,
      onMode: (mode) => {
        this.mode = mode;
        this.update();
        events.onMode(mode);
      },
      onQuery: (query) => this.search.setQuery(query),
      onStep: (direction) => this.search.step(direction),
      onLeaveSearch: () => this.tree.grid.focus(),
      onHotPath: () => {
        const end = this.tree.hotPath().at(-1);
        if (end !== undefined) this.tree.reveal([end]);
      },
      onCollapsed: events.onCollapsed,
      menu: () => treeMenu(this.tree),
    });
  }

  start(isSame: boolean): void {
    if (isSame && this.state.trees.system.expanded.length > 0) return;
    // Down to what holds locations: processes, as a rule.
    const { systemLocation } = this.model.definitions;
    const { firstChild } = this.model.system.links;
    this.tree.openQuietly((row) => {
      const child = firstChild[row] ?? -1;
      return child >= 0 && (systemLocation[child] ?? -1) < 0;
    });
  }

  /** @param values of the selected call paths, one per location; undefined: nothing is selected */
  show(values: Float64Array | undefined, metric: CubeMetric | undefined, references: References): void {
    this.metric = metric;
    this.references = references;
    this.values =
      values === undefined ? undefined : this.model.systemValues(values, metric?.combine ?? 'sum');
    this.statistics.show(values, metric?.unit ?? '', (location) => this.nameOfLocation(location));
    this.update();
  }

  /** What values are parts of. */
  setReferences(references: References): void {
    this.references = references;
    this.update();
  }

  private update(): void {
    const { values, metric, mode, references } = this;
    this.tree.update({ values, unit: metric?.unit ?? '', mode, references });
  }

  /** With the process that it belongs to. */
  private nameOfLocation(location: number): string {
    const node = this.nodeOfLocation[location] ?? -1;
    const above = this.model.system.parent[node] ?? -1;
    return [this.names[above], this.names[node]].filter((name) => name !== undefined).join(', ');
  }

  private menu(row: number, place: MenuPlace): void {
    openMenu(
      'Actions',
      [
        ...treeMenu(this.tree, row),
        'separator',
        { label: 'Copy Name', run: () => void copyText(this.names[row] ?? '') },
        { label: 'Copy Row', keys: 'Ctrl+C', run: () => void copyText(this.tree.grid.textOf(row)) },
      ],
      place,
    );
  }
}
