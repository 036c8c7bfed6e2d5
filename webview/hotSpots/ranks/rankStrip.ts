import { csvText } from '../../../src/core/csv';
import { formatPercent, formatSeconds, formatSecondsUpTo } from '../../../src/core/format';
import { largestOf } from '../../../src/core/views/columnUnit';
import type { RankTimes } from '../../../src/core/views/ranks/rankTimes';
import { plot, type Plot } from '../../charts/plot';
import type { PlotColors } from '../../charts/plotColors';
import type { Area, Surface } from '../../charts/surface';
import { ticks } from '../../../src/core/ticks';
import { announce } from '../../ui/base/liveRegion';
import { type Control, element } from '../../ui/base/dom';
import { rowsTable } from '../../ui/grid/rowsTable';
import { binEnds, cursorMark, rankArea } from './rankArea';
import type { RankAxis } from './rankAxis';
import { ranksText } from './rankFacts';
import { stripParts, type StripPart } from './stripParts';

const legendHeight = 30;

function stripArea(width: number, height: number): Area {
  return rankArea(width, height, legendHeight, 8);
}

/** The time of each rank as a bar: computation, waiting for ranks, the rest of MPI. Where ranks share a bar, it shows their means, and a line the most computation. */
export class RankStrip implements Control {
  readonly element: HTMLElement;
  private readonly shown: Plot;
  private readonly readOut = element('p', {
    class: 'read-out muted ellipsis',
    attributes: { 'aria-hidden': 'true' },
  });
  private parts: readonly StripPart[] = [];
  private scope = '';
  /** Seconds of the longest part of a rank, of which the table has the unit. */
  private largest = 0;

  constructor(
    private readonly axis: RankAxis,
    onSave: (kind: 'png' | 'svg' | 'csv', content: Uint8Array) => void,
  ) {
    this.shown = plot({
      label: 'Time of each rank',
      keys: 'Left and Right choose a rank, Home and End go to the first and last one.',
      draw: (surface, colors) => drawStrip(surface, colors, axis, this.parts),
      table: rowsTable({
        label: 'Time of each rank',
        columns: () => [
          { title: 'Rank', width: 70 },
          { title: 'Host', width: 120 },
          ...this.parts.map(({ title }) => ({ title, number: true, width: 130 })),
        ],
        count: () => axis.count,
        cells: (row) => {
          const rank = axis.ranks[row] ?? 0;
          const { rank: number = 0, host = '' } = axis.names[rank] ?? {};
          return [
            String(number),
            host,
            ...this.parts.map(({ values }) => formatSecondsUpTo(values[rank] ?? 0, this.largest)),
          ];
        },
      }),
      csv: () => this.csv(),
      onSave,
      onKey: (event) => this.onKey(event),
    });
    const { canvas } = this.shown;
    canvas.addEventListener('pointermove', (event) => {
      const x = event.clientX - canvas.getBoundingClientRect().left;
      axis.setCursor(x < this.area.x ? undefined : axis.positionAt(x, this.area));
    });
    canvas.addEventListener('pointerleave', () => axis.setCursor(undefined));
    axis.onChange(() => this.showCursor());
    this.element = element('div', { class: 'rank-strip' }, this.shown.element, this.readOut);
  }

  /** @param scope what the times are of: the run, or a function with its callees */
  show(times: RankTimes | undefined, scope: string): void {
    this.parts = times === undefined ? [] : stripParts(times);
    this.largest = largestOf(this.parts.flatMap(({ values }) => [largestOf(values)]));
    this.scope = scope;
    this.showCursor();
    this.shown.renew();
  }

  private get area(): Area {
    return stripArea(this.shown.canvas.clientWidth, this.shown.canvas.clientHeight);
  }

  private showCursor(): void {
    this.readOut.textContent = this.words();
    this.readOut.title = this.words();
    this.shown.update();
  }

  private words(): string {
    const { axis } = this;
    if (axis.cursor === undefined) return this.scope;
    const bins = axis.bins(this.area.width);
    const bin = bins.binOf(axis.cursor);
    const members = bins.members(bin);
    const means = this.parts.map(({ values }) => bins.value(values, bin).mean);
    const whole = means.reduce((sum, mean) => sum + mean, 0);
    const texts = this.parts.map(({ title }, part) => {
      const mean = means[part] ?? 0;
      return `${title.toLowerCase().replace('mpi', 'MPI')} ${formatSeconds(mean)}${whole > 0 ? ` (${formatPercent(mean / whole)})` : ''}`;
    });
    return `${capital(ranksText(axis, members))}: ${members.length === 1 ? '' : 'means of '}${texts.join(', ')}`;
  }

  private onKey(event: KeyboardEvent): boolean {
    const { axis } = this;
    const step = axis.bins(this.area.width).perBin;
    const { cursor } = axis;
    const to = {
      ArrowRight: (cursor ?? -step) + step,
      ArrowLeft: (cursor ?? axis.count) - step,
      Home: 0,
      End: axis.count - 1,
    }[event.key];
    if (to === undefined) return false;
    axis.setCursor(Math.min(axis.count - 1, Math.max(0, to)));
    announce(this.words());
    return true;
  }

  private csv(): string {
    const { axis, parts } = this;
    return csvText([
      ['rank', 'host', ...parts.map(({ title }) => `${title} (sec)`)],
      ...axis.ranks.map((rank) => {
        const { rank: number = 0, host = '' } = axis.names[rank] ?? {};
        return [number, host, ...parts.map(({ values }) => values[rank] ?? 0)];
      }),
    ]);
  }
}

function drawStrip(surface: Surface, colors: PlotColors, axis: RankAxis, parts: readonly StripPart[]): void {
  const area = stripArea(surface.width, surface.height);
  const bins = axis.bins(area.width);
  const means = parts.map(({ values }) =>
    Array.from({ length: bins.count }, (_, bin) => bins.value(values, bin)),
  );
  let most = 0;
  for (let bin = 0; bin < bins.count; bin++)
    most = Math.max(
      most,
      means.reduce((sum, part) => sum + (part[bin]?.mean ?? 0), 0),
      means[0]?.[bin]?.most ?? 0,
    );
  stripLegend(surface, colors, parts);
  const y = (seconds: number): number => area.y + area.height * (1 - (most > 0 ? seconds / most : 0));
  for (const tick of ticks(0, most, 2)) {
    surface.line([area.x, y(tick), area.x + area.width, y(tick)], { color: colors.grid });
    surface.text(formatSecondsUpTo(tick, most), area.x - 8, y(tick), { color: colors.muted, align: 'right' });
  }
  for (let bin = 0; bin < bins.count; bin++) {
    const [left, right] = binEnds(area, bin, bins.count);
    let below = 0;
    parts.forEach(({ color }, part) => {
      const value = means[part]?.[bin]?.mean ?? 0;
      if (value <= 0) return;
      const top = y(below + value);
      const box = { x: left, y: top, width: right - left, height: y(below) - top };
      surface.rectangle(box, { fill: color(colors) });
      below += value;
    });
    const largest = y(means[0]?.[bin]?.most ?? 0);
    if (bins.perBin > 1) surface.line([left, largest, right, largest], { color: colors.foreground });
  }
  cursorMark(surface, colors, area, axis);
}

function stripLegend(surface: Surface, colors: PlotColors, parts: readonly StripPart[]): void {
  let x = 12;
  const y = legendHeight / 2 - 2;
  for (const { title, color } of parts) {
    surface.rectangle(
      { x, y: y - 5, width: 10, height: 10 },
      { fill: color(colors), stroke: { color: colors.grid } },
    );
    surface.text(title, x + 15, y, { color: colors.foreground });
    x += 15 + surface.measure(title) + 16;
  }
}

function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
