import { formatPercent } from '../../src/core/format';
import type { ChartData } from '../charts/data';
import { chart, type Chart } from '../charts/chart';
import { type Control, element } from '../ui/base/dom';
import { messageArea } from '../ui/page/messageArea';
import { errorText, isCancelled } from '../ui/page/shell';
import { formatIn, type Unit } from './data/columns';
import type { HotSpotsChannel } from './data/load';
import type { Model } from './data/model';
import { shownName, type Shown } from './names';

/** Maximum number of bars that can be distinguished; more locations are combined. */
const mostBars = 256;
/** Delay after a selection before its values are requested. */
const restMilliseconds = 120;

interface Location {
  readonly name: string;
  readonly rank: number;
  readonly thread: number;
}

/** Distribution of the selected call path's values over threads and ranks. */
export class Threads implements Control {
  readonly element: HTMLElement;
  private readonly title = element('h2', { class: 'threads-title ellipsis' });
  private readonly message = messageArea();
  private readonly picture: Chart = chart({ label: 'Values per thread' });
  private abort = new AbortController();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly channel: HotSpotsChannel) {
    this.picture.element.hidden = true;
    this.element = element(
      'section',
      { class: 'threads', label: 'Distribution over threads' },
      this.title,
      this.message.element,
      this.picture.element,
    );
  }

  /** Shows the values of a call path in a unit. */
  show(shown: Shown, callPath: number | undefined, metric: number, unit: Unit): void {
    clearTimeout(this.timer);
    this.abort.abort();
    this.abort = new AbortController();
    if (callPath === undefined) {
      this.fail('Select a call path to see how it spreads over ranks and threads.');
      return;
    }
    const { signal } = this.abort;
    const { model } = shown;
    const metricUnit = model.main.header.metrics[metric]?.unit ?? '';
    const total = model.total(metric);
    const name = shownName(shown, model.region[callPath] ?? 0);
    const format = (value: number): string => formatIn(value, unit, metricUnit, total);
    this.timer = setTimeout(
      () => void this.load(model, callPath, metric, name, format, signal),
      restMilliseconds,
    );
  }

  private async load(
    model: Model,
    callPath: number,
    metric: number,
    name: string,
    format: (value: number) => string,
    signal: AbortSignal,
  ): Promise<void> {
    const { side, position } = model.originOfCallPath(callPath);
    const { header } = (side === 'main' ? model.main : model.compare) ?? model.main;
    const shownMetric = model.main.header.metrics[metric];
    const metricPosition = header.metrics.findIndex((candidate) => candidate.name === shownMetric?.name);
    try {
      const { inclusive, exclusive } = await this.channel.request(
        'locations',
        { side, callPath: position, metric: Math.max(0, metricPosition) },
        { signal },
      );
      this.title.textContent = `${name} · ${balance(inclusive)}`;
      this.message.show(undefined);
      this.picture.element.hidden = false;
      this.picture.setData(
        chartData(header.locations, inclusive, exclusive, shownMetric?.displayName ?? '', format),
      );
    } catch (error) {
      if (!isCancelled(error)) this.fail(errorText(error));
    }
  }

  private fail(text: string): void {
    this.title.textContent = '';
    this.picture.element.hidden = true;
    this.message.show({ kind: 'empty', text });
  }
}

/** Excess of the most loaded location over the mean, for which all others wait. */
export function balance(values: Float64Array): string {
  if (values.length < 2) return 'one thread';
  let sum = 0;
  let most = 0;
  for (const value of values) {
    sum += value;
    most = Math.max(most, value);
  }
  const mean = sum / values.length;
  const count = `${values.length} threads`;
  return mean > 0 ? `${count}, most is ${formatPercent(most / mean - 1)} above the mean` : count;
}

/** Combines neighbours by their largest value if there are too many. */
function chartData(
  locations: readonly Location[],
  inclusive: Float64Array,
  exclusive: Float64Array,
  metric: string,
  format: (value: number) => string,
): ChartData {
  const perBar = Math.ceil(Math.max(1, locations.length) / mostBars);
  const bars = Math.ceil(locations.length / perBar);
  const largest = (values: Float64Array): number[] =>
    Array.from({ length: bars }, (_, bar) =>
      values.subarray(bar * perBar, (bar + 1) * perBar).reduce((a, b) => Math.max(a, b), 0),
    );
  const label = (location: number): string => {
    const { rank = 0, thread = 0 } = locations[Math.min(location, locations.length - 1)] ?? {};
    return `${rank}:${thread}`;
  };
  return {
    categories: Array.from({ length: bars }, (_, bar) =>
      perBar === 1 ? label(bar) : `${label(bar * perBar)} – ${label((bar + 1) * perBar - 1)}`,
    ),
    categoryTitle: perBar === 1 ? 'Rank:thread' : 'Ranks:threads (largest value)',
    left: { title: metric, format },
    series: [
      { label: 'Inclusive', kind: 'bar', color: 'blue', values: largest(inclusive) },
      { label: 'Exclusive', kind: 'bar', color: 'orange', values: largest(exclusive) },
    ],
  };
}
