import { formatPercent, formatValueUpTo } from '../../src/core/format';
import { largestOf } from '../../src/core/views/columnUnit';
import { flatColumns } from '../../src/core/profile/regions';
import type { CubeMetric } from '../../src/core/views/cubePieces';
import { orderByText, orderByValue } from '../../src/core/views/treeRows';
import type { GridColumn, SortOrder } from '../ui/grid/columns';
import { Grid, type GridOptions } from '../ui/grid/grid';
import { matchRanges, type Found } from '../ui/search/nameSearch';
import { onThemeChange } from '../ui/base/theme';
import { fillNamed } from './colourBox';
import type { CubeModel, MetricValues } from './model';

const usualSort: SortOrder = { column: 'exclusive', direction: 'descending' };

interface FlatShown {
  readonly values: MetricValues | undefined;
  readonly metric: CubeMetric | undefined;
  readonly total: number;
  readonly percent: boolean;
}

/** Regions with the values of all their call paths. */
export class FlatProfile {
  readonly grid: Grid;
  private shown: FlatShown = { values: undefined, metric: undefined, total: 0, percent: false };
  private columnsOf: { readonly inclusive: Float64Array; readonly exclusive: Float64Array };
  private rows: readonly number[] = [];
  private sort = usualSort;
  private search: Found | undefined;

  private largest = { inclusive: 0, exclusive: 0 };

  constructor(
    private readonly model: CubeModel,
    private readonly names: () => readonly string[],
    private readonly tooltip: (region: number) => string,
    events: Required<Pick<GridOptions, 'onMarks' | 'onActivate' | 'onMenu'>>,
  ) {
    const nothing = new Float64Array(model.regions.length);
    this.columnsOf = { inclusive: nothing, exclusive: nothing };
    this.grid = new Grid({
      label: 'Flat profile',
      columns: this.columns(),
      sort: usualSort,
      ...events,
      onSort: (sort) => {
        this.sort = sort;
        this.arrange();
      },
    });
    onThemeChange(() => this.grid.refresh());
  }

  update(shown: FlatShown): void {
    const { values, metric } = shown;
    const isNew = values !== this.shown.values;
    this.shown = shown;
    if (!isNew) {
      this.grid.refresh();
      return;
    }
    const { region, regions, calls } = this.model;
    const count = region.length;
    const zeros = new Float64Array(count);
    const executed = values?.inclusive.map((value) => (value === 0 ? 0 : 1)) ?? zeros;
    this.columnsOf = flatColumns(
      { callPaths: { count, parent: calls.parent, region }, regions },
      { inclusive: values?.inclusive ?? zeros, exclusive: values?.exclusive ?? zeros, visits: executed },
      metric?.combine ?? 'sum',
    );
    this.largest = {
      inclusive: largestOf(this.columnsOf.inclusive),
      exclusive: largestOf(this.columnsOf.exclusive),
    };
    this.arrange();
  }

  setFound(search: Found): void {
    this.search = search;
    this.grid.refresh();
  }

  matches(): readonly number[] {
    return this.rows.filter((row) => this.search?.regions[row] === 1);
  }

  private columns(): readonly GridColumn[] {
    const number = (id: 'inclusive' | 'exclusive', title: string, tooltip: string): GridColumn => ({
      id,
      title,
      tooltip,
      width: 92,
      align: 'end',
      sort: 'descending',
      text: (row) => this.text(this.columnsOf[id][row] ?? 0, this.largest[id]),
      bar: (row) => this.share(this.columnsOf[id][row] ?? 0) ?? 0,
    });
    return [
      {
        id: 'name',
        title: 'Function',
        width: 100,
        sort: 'ascending',
        text: (row) => this.names()[row] ?? '?',
        render: (row, cell) => {
          const text = (this.names()[row] ?? '?').slice(0, 1000);
          const { search } = this;
          const ranges = search?.regions[row] === 1 ? matchRanges(text, search) : [];
          const own = this.columnsOf.exclusive[row] ?? 0;
          fillNamed(cell, { text, ranges, tag: '' }, this.share(own), own < 0);
        },
        cellTooltip: (row) => this.tooltip(row),
      },
      number('exclusive', 'Exclusive', 'In the function itself'),
      number('inclusive', 'Inclusive', 'With everything that it calls; calls to itself count once'),
    ];
  }

  private text(value: number, largest: number): string {
    const { percent, metric, values } = this.shown;
    if (values === undefined) return '…';
    if (!percent) return formatValueUpTo(value, metric?.unit ?? '', largest);
    const share = this.share(value);
    return share === undefined ? '–' : formatPercent(share);
  }

  private share(value: number): number | undefined {
    const { total } = this.shown;
    return total === 0 ? undefined : value / total;
  }

  private arrange(): void {
    const descending = this.sort.direction === 'descending';
    const { inclusive, exclusive } = this.columnsOf;
    const order =
      this.sort.column === 'name'
        ? orderByText(
            this.names().map((_, row) => row),
            this.names(),
            descending,
          )
        : orderByValue(this.sort.column === 'inclusive' ? inclusive : exclusive, descending);
    this.rows = Array.from(order).filter((row) => inclusive[row] !== 0 || exclusive[row] !== 0);
    this.grid.setRows(this.rows);
  }
}
