import { visibleControls } from '../../src/core/names/visibleControls';
import { present } from '../../src/core/present';
import type { ModelMetric, ModelsHeader, ModelTableRow } from '../../src/core/views/models/modelPieces';
import type {
  ModelsAction,
  ModelsEvents,
  ModelsExport,
  ModelsRequests,
  ModelsShown,
} from '../../src/protocol/models';
import { announce } from '../ui/base/liveRegion';
import { button } from '../ui/controls/button';
import { adaptiveSplitter } from '../ui/controls/adaptiveSplitter';
import { isCancelled, isFindKey, Newest, type Shell } from '../ui/page/shell';
import { OpenedPage } from '../ui/opened/openedPage';
import { comparedWith, readModels, shownModels } from './chosenModels';
import { details } from './details';
import { header } from './header';
import { loadPredictions, loadRows, visibleHeader } from './load';
import { predictedRows, type PredictedRow } from './modelRows';
import { modelTable } from './modelTable';
import { pointChooser } from './pointChooser';
import type { RowKind, ViewState } from './viewState';
import { calledFunction, pointText } from './words';

/** Narrower panels show the details below the list. */
const wideEnough = 980;
/** Names of functions can be pages long. */
const longestName = 120;

export type ModelsShell = Shell<ModelsRequests, ModelsEvents, ViewState>;

/** The owner of the panel's content: requests data from the extension, receives its events, and saves the view's state. */
export class ModelsView {
  private header: ModelsHeader | undefined;
  private metric: ModelMetric | undefined;
  private title = '';
  private rows: readonly ModelTableRow[] = [];
  private predicted: readonly PredictedRow[] = [];
  /** The selected row, and the one that is compared with it. */
  private chosen: readonly number[] = [];
  private readonly loading = new Newest();
  private readonly predicting = new Newest();
  private readonly choosing = new Newest();
  private readonly page;
  private readonly top;
  private readonly point;
  private readonly table;
  private readonly details;

  constructor(private readonly shell: ModelsShell) {
    const { state } = shell;
    this.top = header({
      make: (settings) => shell.act('make', { settings }),
      cancel: () => shell.act('cancel', {}, ({ cancelled }) => (cancelled ? 'Cancelled' : undefined)),
      act: (action) => shell.act('act', { action }),
      measureNext: () => {
        if (this.header === undefined) return;
        shell.act('measureNext', { id: this.header.id }, ({ started }) =>
          started ? undefined : 'The models have changed meanwhile.',
        );
      },
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
        onRows: (rows) => this.chooseKind(rows),
        onView: (part) => shell.keep(part),
        onLayout: (layout) => shell.keep({ layout }),
      },
      state,
    );
    this.details = details(state, {
      keep: (part) => shell.keep(part),
      openSource: () => this.openSource(this.chosen[0]),
      onParameters: (parameter, second) => {
        shell.keep({ parameter, second: second === parameter ? undefined : second });
        void this.readChosen();
      },
      onAxes: () => void this.readChosen(),
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
    const act = (action: ModelsAction) => (): void => shell.act('act', { action });
    const another = { label: 'Show Another Input…', run: act('chooseInput') };
    this.page = new OpenedPage<ModelsHeader, Omit<ModelsShown, 'kind'>>(shell, {
      header: this.top,
      reading: 'Reading the models',
      making: 'Making models',
      cancelled: 'Making the models was cancelled.',
      again: ({ settings }) => ({ label: 'Make Models', run: () => shell.act('make', { settings }) }),
      empty: (message) => ({
        text: `${message} Models need measurements at five values of a parameter at least.`,
        action: another,
      }),
      failed: ({ isComparing }) => [
        button({ label: another.label, onClick: another.run }),
        ...(isComparing ? [button({ label: 'Stop Comparing', onClick: act('compareNothing') })] : []),
      ],
      keepsPrevious: () => this.header !== undefined,
      visible: visibleHeader,
      begin: ({ title }) => (this.title = visibleControls(title)),
      show: (header) => this.showHeader(header),
      forget: () => (this.header = undefined),
    });
    shell.onKey((event) => {
      if (!isFindKey(event)) return false;
      this.table.focusSearch();
      return true;
    });
  }

  open(): Promise<void> {
    return this.page.open();
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
        second: undefined,
      });
    this.point.show(given.parameters, this.at);
    this.readShown();
  }

  /** Reads the metric that the user has chosen, or the usual one. */
  private readShown(): void {
    const { metrics } = this.part;
    const metric = metrics.find(({ name }) => name === this.shell.state.metric) ?? usualMetric(metrics);
    this.table.setMetrics(
      metrics.map(({ name }) => name),
      metric?.name ?? '',
    );
    if (metric !== undefined) void this.readMetric(metric);
  }

  private async readMetric(metric: ModelMetric): Promise<void> {
    const signal = this.loading.next();
    this.predicting.cancel();
    this.choosing.cancel();
    this.metric = metric;
    this.chosen = [];
    try {
      const { channel, state } = this.shell;
      const { id } = this.part;
      const rows = await loadRows(channel, id, metric, signal);
      const predictions = await loadPredictions(channel, id, metric, this.at, signal, (share) =>
        this.point.setProgress(share),
      );
      this.rows = rows;
      this.predicted = predictedRows(rows, predictions);
      this.shell.show(undefined);
      this.showTable(metric);
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

  private showTable({ unit }: ModelMetric): void {
    const { title } = this.header?.compared ?? {};
    this.table.show(this.predicted, { unit, kind: this.shell.state.rows, ...present({ compared: title }) });
  }

  private chooseMetric(metric: string): void {
    this.shell.keep({ metric, row: undefined, compared: undefined });
    this.readShown();
  }

  private chooseKind(rows: RowKind): void {
    this.shell.keep({ rows, row: undefined, compared: undefined });
    this.readShown();
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
      const predictions = await loadPredictions(channel, this.part.id, metric, this.at, signal, (share) =>
        this.point.setProgress(share),
      );
      this.predicted = predictedRows(rows, predictions);
      this.showTable(metric);
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

  /** Reads and shows curves or a map, and details of the selected models. */
  private async readChosen(): Promise<void> {
    const { header: of, metric } = this;
    const rows = this.chosen.flatMap((position) => {
      const row = this.predicted[position];
      return row === undefined ? [] : [{ position, row }];
    });
    const models = shownModels(rows, this.title, of?.compared);
    const [first, other] = models;
    if (of === undefined || metric === undefined || first === undefined) return;
    const signal = this.choosing.next();
    this.details.showModel(first.row, other && comparedWith(other, of.compared));
    const { linearX, linearSecond } = this.shell.state;
    const { parameter, second, fixed, at } = this;
    const wanted = {
      id: this.part.id,
      metric,
      at,
      fixed,
      parameter,
      second,
      linear: [linearX, linearSecond],
    } as const;
    try {
      const { details, content } = await readModels(this.shell.channel, of, models, wanted, signal);
      this.details.showDetails(details, metric.unit);
      const { parameters, values } = of;
      this.details.showPlot({
        content,
        metric: metric.name,
        unit: metric.unit,
        parameters,
        parameter,
        values,
        fixed,
      });
    } catch (error) {
      this.shell.warn(error);
    }
  }

  /** What the table shows: the models of call paths, or those of functions. */
  private get part(): ModelsHeader['functions'] {
    const { header: of } = this;
    if (of === undefined) return { id: '', metrics: [] };
    return this.shell.state.rows === 'functions' ? of.functions : of;
  }

  /** The point that is predicted. */
  private get at(): readonly number[] {
    return this.shell.state.point ?? this.header?.point ?? [];
  }

  private get parameter(): number {
    const { parameter = 0 } = this.shell.state;
    return parameter < (this.header?.parameters.length ?? 0) ? parameter : 0;
  }

  /** The parameter of the vertical axis of a map; undefined: curves. */
  private get second(): number | undefined {
    const { second = 0 } = this.shell.state;
    const isOther = second !== this.parameter && second < (this.header?.parameters.length ?? 0);
    return this.shell.state.second !== undefined && isOther ? second : undefined;
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
    this.shell.act('openSource', { id: this.part.id, row: metric.first + row }, ({ opened }) => {
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
