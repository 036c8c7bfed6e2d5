import type { References } from '../../src/core/views/valueModes';
import { copyItem, openMenu, type MenuPlace } from '../ui/controls/menu';
import { visibleControls } from '../../src/core/names/visibleControls';
import type { CubeModel } from './model';
import { treeMenu, TreePane, type TreePaneOptions } from './treePane';
import { ValueTree } from './valueTree';
import type { ViewState } from './viewState';

export interface MetricPaneEvents extends Pick<TreePaneOptions, 'onState'> {
  /** Called when another metric is selected, or when the metric changes between inclusive and exclusive. */
  readonly onMetric: () => void;
}

/** The tree of metrics with their values of the whole run. */
export class MetricPane {
  readonly frame: TreePane;
  readonly tree: ValueTree;
  private selectedRow: number;
  private readonly totals: Float64Array;
  private readonly failed = new Set<number>();

  constructor(
    private readonly model: CubeModel,
    state: ViewState,
    private readonly events: MetricPaneEvents,
  ) {
    const { metrics } = model;
    const saved = metrics.findIndex(
      ({ name, expression }) => name === state.metric && expression === undefined,
    );
    this.selectedRow = saved < 0 ? model.usualMetric : saved;
    this.totals = new Float64Array(metrics.length).fill(NaN);
    const names = metrics.map(({ displayName }) => displayName);
    this.tree = new ValueTree(
      'Metric tree',
      'Metric',
      model.metricTree,
      {
        keyOf: (row) => row,
        names: () => names,
        tag: (row) => (metrics[row]?.expression === undefined ? '' : 'derived'),
        tooltip: (row) => this.tooltip(row),
      },
      state.trees.metrics,
      {
        // The pane selects one metric at a time, the last one that the user chose.
        onMarks: () => this.choose(this.tree.grid.selected),
        onActivate: () => undefined,
        onMenu: (row, place) => this.menu(row, place),
        onChange: (toggled) => {
          this.update();
          if (toggled === this.selectedRow) events.onMetric();
          events.onState();
        },
      },
    );
    this.frame = new TreePane(this.tree, state, {
      id: 'metrics',
      title: 'Metrics',
      searchLabel: 'Search metrics',
      modes: ['absolute', 'ownRoot', 'metricSelection', 'peer'],
      names: { full: names },
      searched: {
        selected: () => this.selectedRow,
        go: (row) => {
          this.tree.reveal([row]);
          this.choose(row);
        },
      },
      onMode: () => this.update(),
      onState: events.onState,
    });
  }

  start(): void {
    this.update();
    this.tree.reveal([this.selectedRow]);
  }

  get selected(): number {
    return this.selectedRow;
  }

  /** Whether the metric is shown without its parts. */
  get isOwn(): boolean {
    return this.tree.isOpen(this.selectedRow);
  }

  setTotal(row: number, total: number | undefined): void {
    if (total === undefined) this.failed.add(row);
    else this.totals[row] = total;
    this.update();
  }

  /** Totals of the whole run for the root of the selected metric, and for the metric as displayed. */
  get wholes(): Pick<References, 'metricRoot' | 'metricSelection'> {
    let root = this.selectedRow;
    for (let above = this.parentOf(root); above >= 0; above = this.parentOf(root)) root = above;
    const selection = this.isOwn ? this.ownTotal(this.selectedRow) : (this.totals[this.selectedRow] ?? NaN);
    return { metricRoot: numberOr0(this.totals[root]), metricSelection: numberOr0(selection) };
  }

  private choose(row: number | undefined): void {
    if (row === undefined || row === this.selectedRow) return;
    this.selectedRow = row;
    this.update();
    this.events.onMetric();
    this.events.onState();
  }

  private update(): void {
    const { metrics } = this.model;
    this.tree.update({
      values: {
        inclusive: this.totals.slice(),
        exclusive: Float64Array.from(metrics, (_, row) => this.ownTotal(row)),
      },
      unit: '',
      unitOf: (row) => metrics[row]?.unit ?? '',
      mode: this.frame.mode,
      references: { ...this.wholes, callRoot: 0, callSelection: 0 },
      isEmpty: (row) => metrics[row]?.expression !== undefined || this.failed.has(row),
    });
  }

  private ownTotal(row: number): number {
    return this.model
      .partsOf(row)
      .reduce((rest, part) => rest - (this.totals[part] ?? NaN), this.totals[row] ?? NaN);
  }

  private parentOf(row: number): number {
    return this.model.metricTree.parent[row] ?? -1;
  }

  private tooltip(row: number): string {
    const {
      displayName = '',
      name = '',
      unit = '',
      dtype = '',
      description = '',
      expression,
    } = this.model.metrics[row] ?? {};
    const kind = [name, dtype, unit].filter((part) => part !== '').join(' · ');
    return [
      displayName,
      kind,
      description,
      ...(expression === undefined
        ? []
        : [`Derived, and not computed here: ${expression === '' ? 'no expression' : expression}`]),
      ...(this.failed.has(row) ? ['Its values cannot be read.'] : []),
    ]
      .filter((line) => line !== '')
      .map((line) => visibleControls(line.replaceAll('\n', ' ')))
      .join('\n');
  }

  private menu(row: number, place: MenuPlace): void {
    const { displayName = '', name = '' } = this.model.metrics[row] ?? {};
    openMenu(
      displayName,
      [
        ...treeMenu(this.tree, row),
        'separator',
        copyItem('Copy Name', displayName),
        copyItem('Copy Unique Name', name),
        copyItem('Copy Row', this.tree.grid.textOf(row), 'Ctrl+C'),
      ],
      place,
    );
  }
}

function numberOr0(value: number | undefined): number {
  return value === undefined || Number.isNaN(value) ? 0 : value;
}
