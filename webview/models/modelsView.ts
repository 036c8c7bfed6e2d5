import type { ModelMetric, ModelsHeader, ModelTableRow } from '../../src/core/views/modelPieces';
import type { ModelsEvents, ModelsExport, ModelsRequests, ModelsShown } from '../../src/protocol/models';
import { announce } from '../ui/base/liveRegion';
import { button } from '../ui/controls/button';
import { adaptiveSplitter } from '../ui/controls/adaptiveSplitter';
import { dialogMilliseconds, isCancelled, isFindKey, Newest, type Shell } from '../ui/page/shell';
import { details } from './details';
import { header } from './header';
import { loadPredictions, loadRows, visibleHeader } from './load';
import { predictedRows, type PredictedRow } from './modelRows';
import { modelTable } from './modelTable';
import { pointChooser } from './pointChooser';
import type { ViewState } from './viewState';
import { calledFunction, pointText, shortPath } from './words';

/** Narrower panels show the details below the list. */
const wideEnough = 980;
/** Names of functions can be pages long. */
const longestName = 120;
const legendName = 36;

export type ModelsShell = Shell<ModelsRequests, ModelsEvents, ViewState>;

/** The owner of the panel's content: requests data from the extension, receives its events, and saves the view's state. */
export class ModelsView {
  private header: ModelsHeader | undefined;
  private metric: ModelMetric | undefined;
  private rows: readonly ModelTableRow[] = [];
  private predicted: readonly PredictedRow[] = [];
  /** The selected row, and the one that is compared with it. */
  private chosen: readonly number[] = [];
  private readonly loading = new Newest();
  private readonly predicting = new Newest();
  private readonly choosing = new Newest();
  private readonly top;
  private readonly point;
  private readonly table;
  private readonly details;

  constructor(private readonly shell: ModelsShell) {
    const { channel, state } = shell;
    this.top = header({
      make: () => shell.act('make', {}),
      cancel: () => shell.act('cancel', {}, ({ cancelled }) => (cancelled ? 'Cancelled' : undefined)),
      chooseInput: () => shell.act('chooseInput', {}),
      save: (format) => {
        if (this.header === undefined) return;
        this.save({ kind: 'models', id: this.header.id, format, point: this.at });
      },
    });
    this.point = pointChooser({
      onPoint: (point) => this.choosePoint(point),
      onReset: () => this.choosePoint(undefined),
    });
    this.table = modelTable(
      this.point,
      {
        onMetric: (metric) => this.chooseMetric(metric),
        onMarks: (rows, current) => this.chooseRows(rows, current),
        openSource: (row) => this.openSource(row),
        onQuery: (search) => shell.keep({ search }),
        onSort: (sort) => shell.keep({ sort }),
        onLayout: (layout) => shell.keep({ layout }),
      },
      { search: state.search, sort: state.sort, layout: state.layout },
    );
    this.details = details(state, {
      keep: (part) => shell.keep(part),
      openSource: () => this.openSource(this.chosen[0]),
      onParameter: (parameter) => {
        shell.keep({ parameter });
        void this.readChosen();
      },
      onFixed: (parameter, value) => {
        shell.keep({ fixed: this.fixed.with(parameter, value) });
        void this.readChosen();
      },
      savePicture: (kind, content) =>
        this.save({ kind: kind === 'csv' ? 'table' : kind, name: this.pictureName(), content }),
    });
    const parts = adaptiveSplitter({
      first: { element: this.table.element, name: 'the list' },
      second: this.details.element,
      wideEnough,
      share: state.listShare,
      onShare: (listShare) => shell.keep({ listShare }),
    });
    shell.top.append(this.top.element);
    shell.content.append(parts.element);
    channel.on('shown', (shown) => this.show(shown));
    channel.on('progress', (progress) => this.top.setProgress(progress));
    shell.onKey((event) => {
      if (!isFindKey(event)) return false;
      this.table.focusSearch();
      return true;
    });
  }

  /** Requests the models to show; also after hiding and reloads. */
  async open(): Promise<void> {
    this.shell.show({ kind: 'loading', text: 'Reading the models' });
    try {
      this.show(await this.shell.channel.request('open', {}, { patienceMilliseconds: dialogMilliseconds }));
    } catch (error) {
      this.shell.fail(error, () => void this.open());
    }
  }

  private show(shown: ModelsShown): void {
    this.shell.keep({ panel: shown.panel });
    this.shell.notice.hide();
    const make = (): void => this.shell.act('make', {});
    const another = button({
      label: 'Show Another Input…',
      onClick: () => this.shell.act('chooseInput', {}),
    });
    if (shown.kind === 'done') {
      const visible = { ...shown, header: visibleHeader(shown.header) };
      this.top.show(visible);
      this.showHeader(visible.header);
      return;
    }
    this.top.show(shown);
    // The previous models remain visible while others are made.
    if (shown.kind === 'making' && this.header !== undefined) return;
    this.header = undefined;
    switch (shown.kind) {
      case 'making':
        this.shell.show({ kind: 'loading', text: 'Making models' });
        return;
      case 'cancelled':
        this.shell.show({
          kind: 'empty',
          text: 'Making the models was cancelled.',
          action: { label: 'Make Models', run: make },
        });
        return;
      case 'empty':
        this.shell.show({
          kind: 'empty',
          text: `${shown.message} Models need measurements at five values of a parameter at least.`,
          action: { label: 'Show Another Input…', run: () => this.shell.act('chooseInput', {}) },
        });
        return;
      case 'failed':
        this.shell.fail(shown.message, make, undefined, another);
    }
  }

  private showHeader(given: ModelsHeader): void {
    this.header = given;
    const { state } = this.shell;
    if (state.id !== given.id || (state.point ?? given.point).length !== given.parameters.length)
      this.shell.keep({
        id: given.id,
        point: state.point?.length === given.parameters.length ? state.point : undefined,
        fixed: undefined,
        row: undefined,
        compared: undefined,
        parameter: undefined,
      });
    const metric = given.metrics.find(({ name }) => name === state.metric) ?? usualMetric(given.metrics);
    this.table.setMetrics(
      given.metrics.map(({ name }) => name),
      metric?.name ?? '',
    );
    this.point.show(given.parameters, this.at);
    if (metric !== undefined) void this.readMetric(given, metric);
  }

  private async readMetric(of: ModelsHeader, metric: ModelMetric): Promise<void> {
    const signal = this.loading.next();
    this.predicting.cancel();
    this.choosing.cancel();
    this.metric = metric;
    this.chosen = [];
    try {
      const { channel, state } = this.shell;
      const rows = await loadRows(channel, of.id, metric, signal);
      const predictions = await loadPredictions(channel, of.id, metric, this.at, signal, (share) =>
        this.point.setProgress(share),
      );
      this.rows = rows;
      this.predicted = predictedRows(rows, predictions);
      this.shell.show(undefined);
      this.table.show(this.predicted, metric.unit);
      const saved = [state.row, state.compared].filter((row) => row !== undefined && row < metric.count);
      const first = this.table.first;
      this.chosen =
        saved[0] !== undefined ? (saved as readonly number[]) : first === undefined ? [] : [first];
      // The current row of the keyboard is the last one.
      this.table.mark(this.chosen);
      if (this.chosen.length === 0) this.details.say('Select a model to see its plot.');
      else await this.readChosen();
    } catch (error) {
      if (isCancelled(error)) return;
      this.header = undefined;
      this.shell.fail(error, () => void this.open());
    }
  }

  private chooseMetric(name: string): void {
    const { header: of } = this;
    const metric = of?.metrics.find((candidate) => candidate.name === name);
    if (of === undefined || metric === undefined) return;
    this.shell.keep({ metric: name, row: undefined, compared: undefined });
    void this.readMetric(of, metric);
  }

  /** @param point undefined: ten times the largest values */
  private choosePoint(point: readonly number[] | undefined): void {
    const { header: of } = this;
    if (of === undefined || String(point ?? of.point) === String(this.at)) {
      this.point.show(of?.parameters ?? [], this.at);
      return;
    }
    this.shell.keep({ point });
    this.point.show(of.parameters, this.at);
    void this.predict(of);
  }

  private async predict(of: ModelsHeader): Promise<void> {
    const { metric, rows } = this;
    if (metric === undefined) return;
    const signal = this.predicting.next();
    try {
      const { channel } = this.shell;
      const predictions = await loadPredictions(channel, of.id, metric, this.at, signal, (share) =>
        this.point.setProgress(share),
      );
      this.predicted = predictedRows(rows, predictions);
      this.table.show(this.predicted, metric.unit);
      announce(`Predicted for ${pointText(of.parameters, this.at)}`);
      await this.readChosen();
    } catch (error) {
      this.shell.warn(error);
    }
  }

  private chooseRows(rows: readonly number[], current: number | undefined): void {
    const row = current !== undefined && rows.includes(current) ? current : rows[0];
    // The model that was selected first stays the first one.
    const other = rows[0] === row ? rows.at(-1) : rows[0];
    if (row === undefined) return;
    this.chosen = other === undefined || other === row ? [row] : [other, row];
    this.shell.keep({ row: this.chosen[0], compared: this.chosen[1] });
    void this.readChosen();
  }

  /** Reads and shows curves and details of the selected models. */
  private async readChosen(): Promise<void> {
    const { header: of, metric, chosen } = this;
    const shown = chosen.flatMap((row) => this.predicted[row] ?? []);
    const [row, compared] = shown;
    if (of === undefined || metric === undefined || row === undefined) return;
    const signal = this.choosing.next();
    this.details.showModel(row, compared);
    const { parameter, fixed } = this;
    const point = fixed.with(parameter, this.at[parameter] ?? 1);
    const named = (position: number | undefined) => ({ id: of.id, row: metric.first + (position ?? 0) });
    const { channel } = this.shell;
    try {
      const [detail, ...curves] = await Promise.all([
        channel.request('detail', { ...named(chosen[0]), point: this.at }, { signal }),
        ...chosen.map((position) =>
          channel.request('curve', { ...named(position), point, parameter }, { signal }),
        ),
      ]);
      this.details.showDetail(detail, metric.unit);
      const names = legendNames(shown);
      this.details.showPlot({
        models: curves.map((curve, position) => ({ name: names[position] ?? '', curve })),
        metric: metric.name,
        unit: metric.unit,
        parameters: of.parameters,
        parameter,
        values: of.values,
        fixed,
      });
    } catch (error) {
      this.shell.warn(error);
    }
  }

  /** The point that is predicted. */
  private get at(): readonly number[] {
    return this.shell.state.point ?? this.header?.point ?? [];
  }

  private get parameter(): number {
    const { parameter = 0 } = this.shell.state;
    return parameter < (this.header?.parameters.length ?? 0) ? parameter : 0;
  }

  /** Where the parameters are fixed that the plot does not show. */
  private get fixed(): readonly number[] {
    const values = this.header?.values ?? [];
    const { fixed } = this.shell.state;
    return fixed?.length === values.length ? fixed : values.map((all) => all.at(-1) ?? 1);
  }

  private openSource(row: number | undefined): void {
    const { header: of, metric } = this;
    if (of === undefined || metric === undefined || row === undefined) return;
    const name = calledFunction(this.predicted[row]?.callPath ?? '');
    this.shell.act('openSource', { id: of.id, row: metric.first + row }, ({ opened }) => {
      if (!opened)
        this.shell.notice.say(
          `No function ${name} is known here: measure this program once, or open its folder.`,
        );
      return undefined;
    });
  }

  private pictureName(): string {
    const [row] = this.chosen;
    return calledFunction((row === undefined ? undefined : this.predicted[row])?.callPath ?? '').slice(
      0,
      longestName,
    );
  }

  private save(parameters: ModelsExport): void {
    this.shell.act('save', parameters, ({ saved }) => (saved ? 'Saved' : undefined));
  }
}

/** Time, if it was measured: it is what matters in the end. */
function usualMetric(metrics: readonly ModelMetric[]): ModelMetric | undefined {
  return metrics.find(({ name }) => name === 'time') ?? metrics[0];
}

/** The called functions, or the ends of call paths if these are the same. */
function legendNames(rows: readonly PredictedRow[]): readonly string[] {
  const names = rows.map(({ callPath }) => calledFunction(callPath));
  const shown = new Set(names).size < names.length ? rows.map(({ callPath }) => shortPath(callPath)) : names;
  return shown.map((name) => (name.length > legendName ? `${name.slice(0, legendName)}…` : name));
}
