import { at } from '../../../src/core/at';
import { condensedNames } from '../../../src/core/groups/processNames';
import { capitalised } from '../../../src/core/groups/words';
import type { ProfileHeader } from '../../../src/core/views/profilePieces';
import {
  positionsIn,
  rangesOf,
  sameProcesses,
  type ProcessRanges,
} from '../../../src/core/views/ranks/processRanges';
import type { Extent } from '../../../src/core/views/ranks/rankRows';
import { positionsOfPart, rowSpread, type SpreadPart } from '../../../src/core/views/ranks/rowSpread';
import type { HotSpotsOpened, Side } from '../../../src/protocol/hotSpots';
import { copyText } from '../../ui/base/clipboard';
import type { MenuItem, MenuPlace } from '../../ui/controls/menu';
import type { GridColumn } from '../../ui/grid/columns';
import { isCancelled } from '../../ui/page/shell';
import { formatIn, type TableSource } from '../data/columns';
import type { HotSpotsChannel } from '../data/load';
import type { Model } from '../data/model';
import { SpreadColumn, type Pointed, type SpreadShown } from './spreadColumn';
import { SpreadStore, type SpreadRows } from './spreadStore';
import { SpreadTip } from './spreadTip';
import { nounOf, partText, processesText, rangeText, spreadLine } from './spreadWords';

/** What the tables of a panel share. */
export interface SpreadHost {
  readonly channel: HotSpotsChannel;
  readonly model: Model;
  readonly opened: HotSpotsOpened;
  readonly choose: (processes: ProcessRanges) => void;
  readonly onError: (error: unknown) => void;
  readonly options: SpreadOptions;
}

export interface SpreadOptions {
  readonly outliers: boolean;
  readonly scale: (typeof spreadScales)[number];
}

export const spreadScales = ['table', 'row'] as const;

/** Time until the processes below the pointer are asked for. */
const restMilliseconds = 120;

/** The box plots of a table: two columns, of which one is shown until the user chooses others; none for a run of one process. */
export class Spreads {
  private readonly all: readonly SpreadColumn[];
  private readonly tip = new SpreadTip();
  private options: SpreadOptions;
  private source: TableSource;
  private grid: HTMLElement | undefined;
  private abort = new AbortController();
  private onScores: () => void = () => undefined;
  private pointed = '';

  /** @param usual the value that the table is about */
  constructor(
    private readonly host: SpreadHost,
    rows: SpreadRows,
    private readonly usual: Extent,
    source: TableSource,
  ) {
    [this.options, this.source] = [host.options, source];
    const { channel, model, onError, opened } = host;
    const extents: readonly Extent[] = opened.main.locations.length < 2 ? [] : ['inclusive', 'exclusive'];
    this.all = extents.map((extent) => {
      const store = new SpreadStore(channel, model, rows, extent, {
        onRows: () => column.redraw(),
        onScores: () => {
          this.setBusy(false);
          this.onScores();
        },
        onError,
      });
      const column = new SpreadColumn(store, extent, extent === usual, () => this.shown);
      return column;
    });
    this.update(source);
  }

  get columns(): readonly GridColumn[] {
    return this.all.map(({ column }) => column);
  }

  update(source: TableSource): void {
    this.source = source;
    this.setBusy(false);
    for (const { store } of this.all) store.show(source.position, this.options.outliers);
  }

  setOptions(options: SpreadOptions): void {
    this.options = options;
    this.update(this.source);
    for (const column of this.all) column.redraw();
  }

  /** Rows are made of other call paths. */
  forget(): void {
    for (const { store } of this.all) store.forget();
    this.update(this.source);
  }

  /** Watches the pointer over the cells of the table. @param onScores called when `sortValues` has others */
  attach(grid: HTMLElement, onScores: () => void): void {
    this.grid = grid;
    this.onScores = onScores;
    grid.addEventListener('pointermove', (event) => this.point(event));
    for (const name of ['pointerleave', 'pointerdown', 'scroll'] as const)
      grid.addEventListener(name, () => this.leave(), { passive: true });
  }

  /** Sort keys of a column; undefined if it is none of these. While they are computed, rows are in the order of their values. */
  sortValues(id: string): Float64Array | undefined {
    const column = this.all.find((candidate) => candidate.id === id);
    const scores = column?.store.scores();
    this.setBusy(column !== undefined && scores === undefined);
    if (column === undefined) return undefined;
    const values = this.source.measured.main[column.extent];
    if (scores === undefined || scores.length >= values.length) return scores ?? values;
    // Rows that were made later have no scores; none of their siblings has one.
    const all = values.slice();
    all.set(scores);
    return all;
  }

  /** Entries of the menu of a row; for the part of a box plot at its place, or else for high values. */
  menuItems(row: number, place: MenuPlace): readonly MenuItem[] {
    const target = document.elementFromPoint(place.x, place.y);
    const pointed = target === null ? undefined : this.pointedAt(target, place.x, place.y);
    if (pointed?.row === row) return [this.chooseItem(pointed), this.copyItem(pointed)];
    const column = this.all.find(({ extent }) => extent === this.usual);
    const spread = column?.store.row(row)?.main;
    if (spread === undefined) return [];
    const of = (part: SpreadPart): Pointed => ({ row, side: 'main', part, spread, extent: this.usual });
    const { median, p98, maximum } = spread;
    return [
      this.chooseItem(of('upperHalf'), maximum > median),
      this.chooseItem(of('above'), maximum > p98),
      this.copyItem(of('upperHalf'), maximum > median),
    ];
  }

  private get shown(): SpreadShown {
    const { opened } = this.host;
    const { metric, unit, total } = this.source;
    const { outliers, scale } = this.options;
    const count = (header: ProfileHeader): string => `${header.locations.length} ${nounOf(header)}`;
    return {
      format: (value) => formatIn(value, unit, metric.unit, total, 0),
      outliers,
      isRowScale: scale === 'row',
      over:
        opened.compare === undefined
          ? count(opened.main)
          : `${count(opened.main)}, and ${count(opened.compare)}`,
      metric: metric.displayName,
      isCompared: opened.compare !== undefined,
    };
  }

  private chooseItem(pointed: Pointed, isAny = true): MenuItem {
    return this.item('Show Only', pointed, isAny, (positions) =>
      this.host.choose(this.processesOf(pointed.side, positions)),
    );
  }

  private copyItem(pointed: Pointed, isAny = true): MenuItem {
    return this.item(
      'Copy',
      pointed,
      isAny,
      (positions) => void copyText(condensedNames(this.header(pointed.side).locations, positions)),
    );
  }

  private item(
    verb: string,
    pointed: Pointed,
    isAny: boolean,
    act: (positions: readonly number[]) => void,
  ): MenuItem {
    const noun = capitalised(nounOf(this.header(pointed.side)));
    const run = async (): Promise<void> => {
      try {
        const values = await this.column(pointed).store.values(pointed.row, pointed.side);
        const positions = positionsOfPart(values, rowSpread(values), pointed.part);
        if (positions.length > 0) act(positions);
      } catch (error) {
        this.host.onError(error);
      }
    };
    return {
      label: `${verb} ${noun} ${partText(pointed.part)}`,
      disabled: isAny ? undefined : 'There are none.',
      run: () => void run(),
    };
  }

  /** Positions among all locations of the main profile. */
  private processesOf(side: Side, positions: readonly number[]): ProcessRanges {
    const { chosen, locations } = this.header('main');
    const own = this.header(side).locations;
    const shown =
      side === 'main'
        ? positions
        : [
            ...positionsIn(
              sameProcesses(
                positions.map((position) => at(own, position)),
                locations,
              ),
            ),
          ];
    if (chosen === undefined) return rangesOf(shown);
    const all = positionsIn(chosen.processes);
    return rangesOf(shown.map((position) => at(all, position)));
  }

  private point(event: PointerEvent): void {
    const pointed =
      event.target instanceof Element
        ? this.pointedAt(event.target, event.clientX, event.clientY)
        : undefined;
    const key = pointed === undefined ? '' : [pointed.row, pointed.extent, pointed.side, pointed.part].join();
    if (key === this.pointed) return;
    this.leave();
    this.pointed = key;
    if (pointed !== undefined) void this.describe(pointed, event.clientX, event.clientY);
  }

  private leave(): void {
    this.abort.abort();
    this.pointed = '';
    this.tip.hide();
  }

  /** The tip has the values at once, and the processes when they are known. */
  private async describe(pointed: Pointed, x: number, y: number): Promise<void> {
    this.abort = new AbortController();
    const { signal } = this.abort;
    const { format } = this.shown;
    const { spread, part, side, row } = pointed;
    const header = this.header(side);
    const column = this.column(pointed);
    const most = column.mostOf(column.store.row(row) ?? {});
    const tip = (who: string): void =>
      this.tip.show(
        [
          rangeText(spread, part, format),
          who,
          spreadLine(spread, format),
          `${side === 'compare' ? 'Compared run. ' : ''}Axis from ${format(0)} to ${format(most)}. Right-click to show only these.`,
        ],
        this.grid,
        x,
        y,
      );
    tip('…');
    await new Promise((resolve) => setTimeout(resolve, restMilliseconds));
    if (signal.aborted) return;
    try {
      const values = await column.store.values(row, side, signal);
      tip(processesText(header, positionsOfPart(values, rowSpread(values), part)));
    } catch (error) {
      if (!isCancelled(error)) this.host.onError(error);
    }
  }

  private pointedAt(target: Element, x: number, y: number): Pointed | undefined {
    const cell = target.closest('.spread-cell')?.querySelector<HTMLElement>('.grid-text');
    if (cell === null || cell === undefined) return undefined;
    for (const column of this.all) {
      const pointed = column.pointed(cell, x, y);
      if (pointed !== undefined) return pointed;
    }
    return undefined;
  }

  private column({ extent }: Pick<Pointed, 'extent'>): SpreadColumn {
    return at(this.all, extent === 'inclusive' ? 0 : 1);
  }

  private header(side: Side): ProfileHeader {
    const { main, compare = main } = this.host.opened;
    return side === 'main' ? main : compare;
  }

  private setBusy(isBusy: boolean): void {
    this.grid?.setAttribute('aria-busy', String(isBusy));
  }
}
