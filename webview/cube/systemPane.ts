import type { CubeMetric } from '../../src/core/views/cubePieces';
import { valueModes, type References } from '../../src/core/views/valueModes';
import { visibleControls } from '../../src/core/names/visibleControls';
import { copyItem, openMenu, type MenuPlace } from '../ui/controls/menu';
import { tabs, type Tabs } from '../ui/controls/tabs';
import type { CubeModel, TreeValues } from './model';
import { treeMenu, TreePane, type TreePaneOptions } from './treePane';
import { Statistics } from './statistics';
import { ValueTree } from './valueTree';
import type { Places } from './topology/cells';
import { TopologyView } from './topology/topologyView';
import type { TopologyState } from './topology/state';
import type { SystemTab, ViewState } from './viewState';

export interface SystemPaneEvents extends Pick<TreePaneOptions, 'onState'> {
  readonly onTab: (tab: SystemTab) => void;
  /** @throws RequestError */
  readonly loadTopology: (topology: number) => Promise<Places>;
  readonly onTopology: (state: TopologyState) => void;
}

/** The values of the selected call paths by machine, node, process and thread. */
export class SystemPane {
  readonly frame: TreePane;
  readonly tree: ValueTree;
  private readonly statistics = new Statistics();
  /** Absent where the file has none. */
  private readonly topology: TopologyView | undefined;
  private readonly tabs: Tabs<SystemTab>;
  private values: TreeValues | undefined;
  private metric: CubeMetric | undefined;
  private references: References = { metricRoot: 0, metricSelection: 0, callRoot: 0, callSelection: 0 };
  private readonly names: readonly string[];
  private readonly nodeOfLocation: Int32Array;

  constructor(
    private readonly model: CubeModel,
    private readonly state: ViewState,
    events: SystemPaneEvents,
  ) {
    const { systemNames, systemKinds, systemLocation } = model.definitions;
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
        onMarks: () => this.showMarks(),
        onActivate: () => undefined,
        onMenu: (row, place) => this.menu(row, place),
        onChange: events.onState,
      },
    );
    this.topology = this.topologyView(events);
    const hasTab = state.systemTab !== 'topology' || this.topology !== undefined;
    this.tabs = tabs<SystemTab>({
      label: 'Views of the system',
      selected: hasTab ? state.systemTab : 'tree',
      tabs: [
        { id: 'tree', label: 'System Tree', content: this.tree.grid.element },
        { id: 'statistics', label: 'Statistics', content: this.statistics.element },
        ...(this.topology === undefined
          ? []
          : [{ id: 'topology' as const, label: 'Topology', content: this.topology.element }]),
      ],
      onSelect: (tab) => {
        if (tab === 'topology') this.topology?.open();
        events.onTab(tab);
      },
    });
    this.frame = new TreePane(this.tree, state, {
      id: 'system',
      title: 'System',
      searchLabel: 'Search the system',
      modes: valueModes,
      absoluteScale: 'Share of the largest of its level',
      names: { full: this.names },
      content: this.tabs,
      onMode: () => this.update(),
      onState: events.onState,
      searched: {
        go: (row) => this.reveal([row]),
        focus: () => (this.tabs.selected === 'topology' ? this.topology : this.tree.grid)?.focus(),
      },
      onHotPath: () => {
        const end = this.tree.hotPath().at(-1);
        if (end !== undefined) this.reveal([end]);
      },
    });
  }

  start(isSame: boolean): void {
    if (this.tabs.selected === 'topology') this.topology?.open();
    if (isSame && this.state.trees.system.expanded.length > 0) return;
    // Opens the tree down to the parents of locations, usually processes.
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

  /** Sets the references of percentages. */
  setReferences(references: References): void {
    this.references = references;
    this.update();
  }

  private update(): void {
    const { values, metric, references } = this;
    this.tree.update({
      values,
      unit: metric?.unit ?? '',
      mode: this.frame.mode,
      references,
      comparesPeers: true,
    });
    this.topology?.show({ inclusive: values?.inclusive, metric, mode: this.frame.mode, references });
  }

  private topologyView(events: SystemPaneEvents): TopologyView | undefined {
    const { header, definitions, system } = this.model;
    if (header.topologies.length === 0) return undefined;
    return new TopologyView(header.topologies, this.state.topology, {
      load: events.loadTopology,
      parent: system.parent,
      nameOf: (node) => this.nameOfNode(node),
      locations: header.locations,
      locationOf: definitions.systemLocation,
      onSelect: (nodes) => {
        this.reveal(nodes);
        events.onState();
      },
      onState: events.onTopology,
    });
  }

  /** Selects nodes in the tree and in the topology. */
  private reveal(nodes: readonly number[]): void {
    this.tree.reveal(nodes);
    this.showMarks();
  }

  private showMarks(): void {
    this.topology?.mark(this.tree.grid.marked);
  }

  /** The name of a location with that of its process. */
  private nameOfLocation(location: number): string {
    return this.nameOfNode(this.nodeOfLocation[location] ?? -1);
  }

  /** A location has its process before its own name. */
  private nameOfNode(node: number): string {
    if ((this.model.definitions.systemLocation[node] ?? -1) < 0) return this.names[node] ?? '';
    const above = this.model.system.parent[node] ?? -1;
    return [this.names[above], this.names[node]].filter((name) => name !== undefined).join(', ');
  }

  private menu(row: number, place: MenuPlace): void {
    openMenu(
      'Actions',
      [
        ...treeMenu(this.tree, row),
        'separator',
        copyItem('Copy Name', this.names[row] ?? ''),
        copyItem('Copy Row', this.tree.grid.textOf(row), 'Ctrl+C'),
      ],
      place,
    );
  }
}
