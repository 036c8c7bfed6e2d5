import { formatValueUpTo } from '../../../src/core/format';
import { visibleControls } from '../../../src/core/names/visibleControls';
import type { CubeMetric, CubeTopology } from '../../../src/core/views/cubePieces';
import type { References, ValueMode } from '../../../src/core/views/valueModes';
import { element, type Control } from '../../ui/base/dom';
import { iconButton } from '../../ui/controls/button';
import { rowsTable, type RowsTable } from '../../ui/grid/rowsTable';
import { messageArea, type Message } from '../../ui/page/messageArea';
import { errorText, isCancelled } from '../../ui/page/shell';
import { shownValue } from '../values/shownValue';
import { cellValues, markedCells, occupied, type CellValues, type Occupied, type Places } from './cells';
import { TopologyControls } from './controls';
import {
  indexOf,
  mostCells,
  placeOf,
  planeCoordinates,
  problemOf,
  topologyGrid,
  usualChoice,
  type Cell,
  type TopologyGrid,
} from './grid';
import { TopologyPicture } from './picture';
import type { TopologyState } from './state';

export interface TopologyHost {
  /** @throws RequestError */
  readonly load: (topology: number) => Promise<Places>;
  /** By node of the system tree. */
  readonly parent: Int32Array;
  readonly nameOf: (node: number) => string;
  readonly locations: number;
  /** The position of a node's location; −1: none. */
  readonly locationOf: Int32Array;
  readonly onSelect: (nodes: readonly number[]) => void;
  readonly onState: (state: TopologyState) => void;
}

/** What a topology shows at its places. */
export interface TopologyValues {
  /** By node of the system tree: a process has the values of its threads. */
  readonly inclusive: Float64Array | undefined;
  readonly metric: CubeMetric | undefined;
  readonly mode: ValueMode;
  readonly references: References;
}

/** The values of the selected call paths in the places that processes and threads have in a topology. */
export class TopologyView implements Control {
  readonly element: HTMLElement;
  private readonly controls: TopologyControls;
  private readonly message = messageArea();
  private readonly picture: TopologyPicture;
  private readonly table: RowsTable;
  private readonly tablePlace = element('div', { class: 'topology-table' });
  private readonly summary = element('p', { class: 'topology-summary muted' });
  private readonly loaded = new Map<number, Promise<Places>>();
  private places: Places | undefined;
  private grid: TopologyGrid | undefined;
  private cells: Occupied | undefined;
  /** Index of the cell by position. */
  private occupiedAt: readonly number[] = [];
  private shown: TopologyValues | undefined;
  private values: CellValues | undefined;
  private marked: readonly number[] = [];
  private markedAt: ReadonlySet<number> = new Set();
  private isOpen = false;

  constructor(
    private readonly topologies: readonly CubeTopology[],
    private state: TopologyState,
    private readonly host: TopologyHost,
  ) {
    this.table = rowsTable({
      label: 'Places of the topology',
      columns: () => [
        { title: 'Location', width: 110 },
        { title: 'Value', number: true, width: 80 },
        ...this.described.dimensions.map(({ name }) => ({
          title: visibleControls(name),
          number: true,
          width: 50,
        })),
      ],
      count: () => this.cells?.nodes.length ?? 0,
      cells: (position) => this.tableCells(position),
      onActivate: (position) => this.host.onSelect(this.cells?.nodes[position] ?? []),
    });
    this.tablePlace.append(this.table.element);
    this.picture = new TopologyPicture((cell) => {
      const nodes = this.cells?.nodes[this.positionOf(cell)];
      if (nodes !== undefined) host.onSelect(nodes);
    });
    const toggle = iconButton('table', 'Topology: Show as Table', () =>
      this.keep({ table: !this.state.table }),
    );
    this.controls = new TopologyControls(topologies, toggle, {
      onTopology: (shown) => {
        this.keep({ shown, rows: 0, columns: 0, slices: [] });
        void this.load();
      },
      onChoice: ({ rows, columns = rows, slices }) => {
        this.keep({ rows, columns, slices: slices.map((slice) => (slice === undefined ? 0 : slice + 1)) });
        this.arrange();
      },
    });
    this.element = element(
      'div',
      { class: 'topology fill' },
      this.controls.element,
      this.message.element,
      this.picture.element,
      this.tablePlace,
      this.summary,
    );
  }

  /** Loads the places on first use. */
  open(): void {
    if (this.isOpen) return;
    this.isOpen = true;
    void this.load();
  }

  focus(): void {
    this.picture.focus();
  }

  show(shown: TopologyValues): void {
    this.shown = shown;
    this.update();
  }

  /** Outlines the places of what is selected in the system tree. */
  mark(nodes: readonly number[]): void {
    this.marked = nodes;
    if (this.cells === undefined) return;
    this.markedAt = markedCells(this.cells, this.host.parent, nodes);
    this.draw();
  }

  private get described(): CubeTopology {
    return (
      this.topologies[this.state.shown] ??
      this.topologies[0] ?? { name: '', dimensions: [], placed: 0, outside: 0 }
    );
  }

  private get sizes(): readonly number[] {
    return this.described.dimensions.map(({ size }) => size);
  }

  private keep(changes: Partial<TopologyState>): void {
    this.state = { ...this.state, ...changes };
    this.host.onState(this.state);
    this.update();
  }

  private async load(): Promise<void> {
    const { described } = this;
    const position = Math.max(0, this.topologies.indexOf(described));
    this.places = undefined;
    const problem = problemOf(described.dimensions);
    if (problem !== undefined) {
      this.controls.show(position, undefined);
      this.fail({ kind: 'empty', text: problem });
      return;
    }
    this.fail({ kind: 'loading', text: 'Reading the topology…' });
    const loading = this.loaded.get(position) ?? this.host.load(position);
    this.loaded.set(position, loading);
    try {
      const places = await loading;
      if (described !== this.described) return;
      this.places = places;
      this.arrange();
    } catch (error) {
      this.loaded.delete(position);
      if (described !== this.described || isCancelled(error)) return;
      const action = { label: 'Try Again', run: () => void this.load() };
      this.fail({ kind: 'error', text: errorText(error), action });
    }
  }

  private fail(message: Message | undefined): void {
    this.grid = undefined;
    this.cells = undefined;
    this.message.show(message);
    this.update();
  }

  /** Puts the places into cells. */
  private arrange(): void {
    const { places, sizes, state } = this;
    if (places === undefined) return;
    const choice = chosen(sizes, state);
    this.controls.show(Math.max(0, this.topologies.indexOf(this.described)), {
      dimensions: this.described.dimensions,
      choice,
    });
    const grid = topologyGrid(sizes, choice);
    if (grid === undefined) {
      this.fail({
        kind: 'empty',
        text: `These are more than ${mostCells} cells. Choose other rows and columns, or one coordinate of a dimension.`,
      });
      return;
    }
    this.message.show(undefined);
    this.grid = grid;
    this.cells = occupied(grid, places);
    const indices: number[] = [];
    this.cells.at.forEach((position, index) => {
      if (position >= 0) indices[position] = index;
    });
    this.occupiedAt = indices;
    this.markedAt = markedCells(this.cells, this.host.parent, this.marked);
    this.update();
  }

  private update(): void {
    const { cells, shown, host, state, grid } = this;
    const { parent } = host;
    this.values =
      cells === undefined || shown?.inclusive === undefined
        ? undefined
        : cellValues(cells, {
            inclusive: shown.inclusive,
            parent,
            combine: shown.metric?.combine ?? 'sum',
            mode: shown.mode,
            references: shown.references,
          });
    this.controls.setTable(state.table);
    this.picture.element.hidden = grid === undefined || state.table;
    this.tablePlace.hidden = grid === undefined || !state.table;
    this.summary.hidden = grid === undefined;
    this.summary.textContent = this.summaryText();
    if (state.table && grid !== undefined) this.table.refresh();
    this.draw();
  }

  private draw(): void {
    const { grid, cells, values } = this;
    if (grid === undefined || cells === undefined) {
      this.picture.show(undefined);
      return;
    }
    const { dimensions } = this.described;
    this.picture.show({
      grid,
      drawn: (cell) => {
        const position = this.positionOf(cell);
        return position < 0
          ? undefined
          : { share: values?.share(position), isMarked: this.markedAt.has(position) };
      },
      planeName: (plane) => coordinatesText(dimensions, planeCoordinates(grid, plane)),
      isPeriodic: (dimension) => dimensions[dimension]?.periodic === true,
      describe: (cell) => {
        const place = coordinatesText(dimensions, [...placeOf(grid, cell).entries()]);
        const position = this.positionOf(cell);
        return position < 0
          ? ['No location', '', place]
          : [this.nameAt(position), this.valueText(position), place];
      },
    });
  }

  private positionOf(cell: Cell): number {
    return this.grid === undefined ? -1 : (this.cells?.at[indexOf(this.grid, cell)] ?? -1);
  }

  private nameAt(position: number): string {
    const [first, ...others] = this.cells?.nodes[position] ?? [];
    const name = first === undefined ? '' : this.host.nameOf(first);
    return others.length === 0 ? name : `${name} and ${others.length} more`;
  }

  private valueText(position: number): string {
    const { values, shown } = this;
    if (values === undefined || shown === undefined) return '…';
    const { least, most } = values;
    return shownValue(values.values[position] ?? 0, values.share(position), {
      mode: shown.mode,
      unit: shown.metric?.unit ?? '',
      largest: Math.max(Math.abs(least), Math.abs(most)),
    });
  }

  private tableCells(position: number): readonly string[] {
    const { grid, occupiedAt } = this;
    if (grid === undefined) return [];
    const { rows, columns } = grid;
    const index = occupiedAt[position] ?? 0;
    const line = Math.floor(index / columns);
    const place = placeOf(grid, {
      plane: Math.floor(line / rows),
      row: line % rows,
      column: index % columns,
    });
    return [this.nameAt(position), this.valueText(position), ...place.map(String)];
  }

  /** Range of the values, and what is not shown. */
  private summaryText(): string {
    const { values, shown, described, places, host } = this;
    if (places === undefined) return '';
    const unit = shown?.metric?.unit ?? '';
    const parts: string[] = [];
    if (values !== undefined && values.values.length > 0)
      parts.push(
        `From ${formatValueUpTo(values.least, unit, values.most)} to ${formatValueUpTo(values.most, unit, values.most)}.`,
      );
    const without = host.locations - locationsOf(places, host);
    if (without > 0) parts.push(`${without} of ${host.locations} locations have no place in this topology.`);
    if (described.outside > 0)
      parts.push(
        described.outside === 1
          ? '1 place outside of the dimensions is not shown.'
          : `${described.outside} places outside of the dimensions are not shown.`,
      );
    return parts.join(' ');
  }
}

/** The saved choice where it fits the topology, else the usual one. */
function chosen(sizes: readonly number[], { rows, columns, slices }: TopologyState) {
  const usual = usualChoice(sizes);
  const isSame = rows === columns;
  if (usual.columns === undefined || isSame || rows >= sizes.length || columns >= sizes.length) return usual;
  return {
    rows,
    columns,
    slices: sizes.map((size, dimension) => {
      const slice = (slices[dimension] ?? 0) - 1;
      return slice < 0 || dimension === rows || dimension === columns ? undefined : Math.min(size - 1, slice);
    }),
  };
}

function coordinatesText(
  dimensions: CubeTopology['dimensions'],
  coordinates: Iterable<readonly [dimension: number, coordinate: number]>,
): string {
  return Array.from(
    coordinates,
    ([dimension, coordinate]) => `${visibleControls(dimensions[dimension]?.name ?? '')} = ${coordinate}`,
  ).join(', ');
}

/** Number of locations that have a place themselves, or whose process or node has one. */
function locationsOf({ nodes }: Places, { parent, locationOf }: TopologyHost): number {
  const placed = new Uint8Array(parent.length);
  for (const node of nodes) placed[node] = 1;
  let count = 0;
  locationOf.forEach((location, node) => {
    let at = location < 0 ? -1 : node;
    while (at >= 0 && placed[at] !== 1) at = parent[at] ?? -1;
    if (at >= 0) count++;
  });
  return count;
}
