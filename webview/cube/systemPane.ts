import type { CubeMetric } from '../../src/core/views/cubePieces';
import { valueModes, type References } from '../../src/core/views/valueModes';
import { visibleControls } from '../../src/core/names/visibleControls';
import { copyItem, openMenu, type MenuPlace } from '../ui/controls/menu';
import { tabs, type Tabs } from '../ui/controls/tabs';
import type { CubeModel, TreeValues } from './model';
import { treeMenu, TreePane, type TreePaneOptions } from './treePane';
import { Statistics } from './statistics';
import { ValueTree } from './valueTree';
import type { SystemTab, ViewState } from './viewState';

export interface SystemPaneEvents extends Pick<TreePaneOptions, 'onState'> {
  readonly onTab: (tab: SystemTab) => void;
}

/** The values of the selected call paths by machine, node, process and thread. */
export class SystemPane {
  readonly frame: TreePane;
  readonly tree: ValueTree;
  private readonly statistics = new Statistics();
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
        onMarks: () => undefined,
        onActivate: () => undefined,
        onMenu: (row, place) => this.menu(row, place),
        onChange: events.onState,
      },
    );
    this.tabs = tabs<SystemTab>({
      label: 'Views of the system',
      selected: state.systemTab,
      tabs: [
        { id: 'tree', label: 'System Tree', content: this.tree.grid.element },
        { id: 'statistics', label: 'Statistics', content: this.statistics.element },
      ],
      onSelect: events.onTab,
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
      onHotPath: () => {
        const end = this.tree.hotPath().at(-1);
        if (end !== undefined) this.tree.reveal([end]);
      },
    });
  }

  start(isSame: boolean): void {
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
  }

  /** The name of a location with that of its process. */
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
        copyItem('Copy Name', this.names[row] ?? ''),
        copyItem('Copy Row', this.tree.grid.textOf(row), 'Ctrl+C'),
      ],
      place,
    );
  }
}
