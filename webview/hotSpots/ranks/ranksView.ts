import type { Extent, RankName } from '../../../src/core/views/ranks/rankRows';
import type { RankTimes } from '../../../src/core/views/ranks/rankTimes';
import { dropdown } from '../../ui/controls/dropdown';
import { type Control, element } from '../../ui/base/dom';
import { messageArea } from '../../ui/page/messageArea';
import { errorText, isCancelled, Newest } from '../../ui/page/shell';
import type { HotSpotsChannel } from '../data/load';
import type { Model } from '../data/model';
import { shownName, type Shown } from '../names';
import { rankScales, type RankScale } from './mapDrawing';
import { RankAxis, rankOrders, type RankOrder } from './rankAxis';
import { RankMap } from './rankMap';
import { RankStore } from './rankStore';
import { RankStrip } from './rankStrip';

/** What the times of the ranks are of. */
export const rankScopes = ['function', 'run'] as const;
export type RankScope = (typeof rankScopes)[number];

export const extents = ['exclusive', 'inclusive'] as const;

/** What the user chose, which the view's state keeps. */
export interface RankChoices {
  readonly extent: Extent;
  readonly rankScale: RankScale;
  readonly rankOrder: RankOrder;
  readonly rankScope: RankScope;
}

export interface RanksHost {
  readonly channel: HotSpotsChannel;
  readonly onSelect: (region: number) => void;
  readonly onActivate: (region: number) => void;
  readonly onChoice: (choices: Partial<RankChoices>) => void;
  readonly save: (name: string, format: 'png' | 'svg' | 'csv', content: Uint8Array) => void;
}

/** Delay after a selection before its times are asked for. */
const restMilliseconds = 120;

/** The ranks of a run: what each spends its time for, and functions × ranks. */
export class RanksView implements Control {
  readonly element: HTMLElement;
  private readonly axis: RankAxis;
  private readonly store: RankStore;
  private readonly strip: RankStrip;
  private readonly map: RankMap;
  private readonly message = messageArea();
  private readonly asking = new Newest();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private metric = -1;
  private selected: number | undefined;
  private times: RankTimes | undefined;
  /** Position in the profile of the function that the strip shows; −1: the run; undefined: nothing yet. */
  private scope: number | undefined;
  private listed: { readonly key: unknown; readonly functions: readonly number[] } | undefined;

  constructor(
    private shown: Shown,
    ranks: readonly RankName[],
    private choices: RankChoices,
    private readonly host: RanksHost,
  ) {
    this.axis = new RankAxis(ranks);
    this.store = new RankStore(
      host.channel,
      ranks.length,
      (region) => this.shown.model.originOfRegion(region).position,
      () => this.map.renew(),
      (text) => this.message.show({ kind: 'error', text }),
    );
    this.strip = new RankStrip(this.axis, (format, content) => host.save('time of ranks', format, content));
    this.map = new RankMap(this.axis, this.store, {
      onSelect: host.onSelect,
      onActivate: host.onActivate,
      onSave: (format, content) => host.save('functions by rank', format, content),
    });
    this.element = element(
      'div',
      { class: 'ranks fill' },
      this.controls(),
      this.message.element,
      this.strip.element,
      this.map.element,
    );
  }

  /** @param selected the selected function, if there is one */
  update(shown: Shown, metric: number, selected: number | undefined): void {
    this.shown = shown;
    this.metric = metric;
    this.selected = selected;
    this.store.show(metric, this.choices.extent);
    const { unit = '' } = shown.model.main.header.metrics[metric] ?? {};
    this.map.show({
      functions: this.functions(),
      name: (region) => shownName(this.shown, region),
      unit,
      total: shown.model.total(metric),
      scale: this.choices.rankScale,
      order: this.choices.rankOrder === 'rank' ? 'Rank' : 'Ranks, most computation first',
      selected,
    });
    this.showTimes(selected);
  }

  focus(): void {
    this.map.focus();
  }

  private controls(): HTMLElement {
    const choose = (choices: Partial<RankChoices>): void => {
      this.choices = { ...this.choices, ...choices };
      this.host.onChoice(choices);
      this.update(this.shown, this.metric, this.selected);
    };
    const extent = dropdown<Extent>({
      label: 'Values',
      choices: extents.map((value) => ({
        value,
        label: value === 'exclusive' ? 'Function itself' : 'With callees',
      })),
      value: this.choices.extent,
      onChange: (value) => choose({ extent: value }),
    });
    const scale = dropdown<RankScale>({
      label: 'Colours',
      choices: rankScales.map((value) => ({
        value,
        label: value === 'all' ? 'All functions' : 'Each function by itself',
      })),
      value: this.choices.rankScale,
      onChange: (value) => choose({ rankScale: value }),
    });
    const scope = dropdown<RankScope>({
      label: 'Times of',
      choices: rankScopes.map((value) => ({
        value,
        label: value === 'run' ? 'Whole run' : 'Selected function',
      })),
      value: this.choices.rankScope,
      onChange: (value) => choose({ rankScope: value }),
    });
    const order = dropdown<RankOrder>({
      label: 'Order',
      choices: rankOrders.map((value) => ({
        value,
        label: value === 'rank' ? 'By rank' : 'By computing time',
      })),
      value: this.choices.rankOrder,
      onChange: (value) => {
        choose({ rankOrder: value });
        this.sort();
      },
    });
    return element(
      'div',
      { class: 'rank-controls row' },
      scope.element,
      order.element,
      extent.element,
      scale.element,
    );
  }

  /** Functions of this profile with a value, the hottest first; with a search, those that match. */
  private functions(): readonly number[] {
    const { model, found } = this.shown;
    const key = JSON.stringify([this.metric, this.choices.extent, found.query]);
    if (this.listed?.key === key) return this.listed.functions;
    const values = model.functions(this.metric).main[this.choices.extent];
    const isFiltered = found.query.text !== '' && found.error === undefined;
    const functions = [...model.names.keys()]
      .filter(
        (region) =>
          (values[region] ?? 0) > 0 && isMain(model, region) && (!isFiltered || found.regions[region] === 1),
      )
      .sort((a, b) => (values[b] ?? 0) - (values[a] ?? 0));
    this.listed = { key, functions };
    return functions;
  }

  private showTimes(selected: number | undefined): void {
    const { model } = this.shown;
    const isRun = this.choices.rankScope === 'run' || selected === undefined;
    const scope = isRun || !isMain(model, selected) ? -1 : model.originOfRegion(selected).position;
    if (scope === this.scope) return;
    this.scope = scope;
    clearTimeout(this.timer);
    const signal = this.asking.next();
    const name = scope < 0 || selected === undefined ? undefined : shownName(this.shown, selected);
    this.timer = setTimeout(() => void this.load(scope, name, signal), restMilliseconds);
  }

  private async load(region: number, name: string | undefined, signal: AbortSignal): Promise<void> {
    try {
      this.times = await this.host.channel.request('rankTimes', { region }, { signal });
      const what = name === undefined ? 'Whole run' : `${name} with callees`;
      const note = this.times.hidesMpi
        ? ' The profile shows no MPI function, so that waiting in MPI counts as computing.'
        : '';
      this.strip.show(this.times, `${what}, without MPI’s start and end.${note}`);
      this.sort();
    } catch (error) {
      if (!isCancelled(error)) this.strip.show(undefined, errorText(error));
    }
  }

  private sort(): void {
    this.axis.sort(this.choices.rankOrder === 'rank' ? undefined : this.times?.computing);
  }
}

function isMain(model: Model, region: number): boolean {
  return model.originOfRegion(region).side === 'main';
}
