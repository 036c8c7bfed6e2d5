import { counted } from '../../src/core/format';
import { scaleSet } from '../../src/core/transforms/scaleSpace';
import type { PropertyRow, RuleCheck, SeriesRow } from '../../src/core/views/dynamicsPieces';
import { chanceSentence } from '../../src/core/properties/chance';
import { button, iconButton } from '../ui/controls/button';
import { type Control, element } from '../ui/base/dom';
import { dropdown } from '../ui/controls/dropdown';
import { messageArea } from '../ui/page/messageArea';
import { slider } from '../ui/controls/slider';
import { splitter } from '../ui/controls/splitter';
import { tabs } from '../ui/controls/tabs';
import type { MapOverlay } from './overTime/mapDrawing';
import type { MapModel } from './overTime/mapModel';
import { type ReportFormat, reportTable, type ReportTable } from './lists/reportTable';
import { ruleChecks } from './explain/ruleChecks';
import { scaleogramChart } from './explain/scaleogramChart';
import { seriesChart } from './overTime/seriesChart';
import { sigmaText } from './overTime/seriesLegend';
import type { SeriesModel } from './base/seriesModel';
import type { SavePicture, TimeAxis } from './base/timeAxis';
import { treeChart } from './explain/treeChart';
import { valueMap } from './overTime/valueMap';
import type { DetailTab, ViewState } from './viewState';
import { placeText, seriesTitle, share } from './base/words';

export interface DetailActions {
  readonly keep: (part: Partial<ViewState>) => void;
  readonly chooseSeries: (series: number) => void;
  readonly chooseMapRow: (row: number) => void;
  readonly chooseProperty: (property: number) => void;
  readonly openSource: (series: number) => void;
  readonly openReportSource: (row: number) => void;
  readonly saveReport: (kind: ReportFormat) => void;
  readonly save: SavePicture;
  /** Requests the rules of the shown series. */
  readonly explain: () => void;
}

export interface Details extends Control {
  readonly report: ReportTable;
  showSeries(model: SeriesModel | undefined, unit: string): void;
  /** Shows the property whose series is displayed. */
  showProperty(property: PropertyRow | undefined): void;
  /** Offers series to choose instead of the current one. */
  offer(series: readonly number[], rows: readonly SeriesRow[], current: number): void;
  showMap(model: MapModel | undefined, unit: string): void;
  markMap(overlays: readonly MapOverlay[], row: number | undefined): void;
  showChecks(checks: readonly RuleCheck[]): void;
  readonly tab: DetailTab;
  say(text: string): void;
}

/** All details of one series: the chart over time with all ranks below, the explanation of its findings, and the report of the whole run. */
export function details(axis: TimeAxis, state: ViewState, actions: DetailActions): Details {
  const { keep, save } = actions;
  const title = element('h2', { class: 'series-title ellipsis' });
  const finding = element('p', { class: 'finding muted' });
  const sentence = element('p', { class: 'sentence' });
  const message = messageArea();
  const others = dropdown<string>({
    label: 'Series',
    onChange: (value) => actions.chooseSeries(Number(value)),
  });
  const chart = seriesChart({
    axis,
    save,
    showsTable: state.chartTable,
    onShowsTable: (chartTable) => keep({ chartTable }),
  });
  const map = valueMap({
    axis,
    scale: state.mapScale,
    onScale: (mapScale) => keep({ mapScale }),
    onRow: actions.chooseMapRow,
    save,
    showsTable: state.mapTable,
    onShowsTable: (mapTable) => keep({ mapTable }),
  });
  let sigmas: Float64Array = new Float64Array(0);
  const sigmaAt = (position: number): number => (position === 0 ? 0 : (sigmas[position - 1] ?? 0));
  const smoothing = slider({
    label: 'Smooth',
    tooltip: 'Standard deviation of the smoothing, in iterations',
    count: 1,
    position: 0,
    text: (position) => (position === 0 ? 'off' : `σ ${sigmaText(sigmaAt(position))}`),
    onChange: (position) => {
      keep({ smoothing: position });
      chart.setSigma(sigmaAt(position));
    },
  });
  let showsResiduals = state.residuals;
  const residuals = button({
    label: 'Residuals',
    tooltip: 'Show the values less their explanation',
    onClick: () => {
      showsResiduals = !showsResiduals;
      keep({ residuals: showsResiduals });
      residuals.setPressed(showsResiduals);
      chart.setResiduals(showsResiduals);
    },
  });
  residuals.setPressed(showsResiduals);
  chart.setResiduals(showsResiduals);
  const checks = ruleChecks();
  const scales = scaleogramChart(axis, save);
  const tree = treeChart(axis, save);
  const report = reportTable({
    onSelect: actions.chooseProperty,
    openSource: actions.openReportSource,
    save: actions.saveReport,
  });
  const charts = splitter({
    label: 'Height of the chart',
    first: chart.element,
    second: map.element,
    direction: 'rows',
    share: state.chartShare,
    onShare: (chartShare) => keep({ chartShare }),
  });
  let { tab } = state;
  let model: SeriesModel | undefined;
  let unit = '';
  const explain = (): void => {
    if (tab !== 'explain') return;
    scales.show(model, unit);
    tree.show(model);
    actions.explain();
  };
  const section = (name: string, content: HTMLElement): HTMLElement =>
    element('section', { class: 'explain-part', label: name }, element('h3', { text: name }), content);
  const explained = element(
    'div',
    { class: 'explain fill' },
    section('Rules and their numbers', checks.element),
    section('Where it changes: scaleogram', scales.element),
    section('Stable ranges: interval tree', tree.element),
  );
  const pages = tabs<DetailTab>({
    label: 'Details',
    tabs: [
      { id: 'time', label: 'Over Time', content: charts.element },
      { id: 'explain', label: 'Explain', content: explained },
      { id: 'report', label: 'Report', content: report.element },
    ],
    selected: tab,
    onSelect: (wanted) => {
      tab = wanted;
      keep({ tab });
      showTools();
      explain();
    },
    extra: element('div', { class: 'row chart-tools' }, residuals.element, smoothing.element),
  });
  const source = iconButton('source', 'Go to Source', () => {
    if (model !== undefined) actions.openSource(model.position);
  });
  const head = element(
    'div',
    { class: 'series-head' },
    element('div', { class: 'series-words' }, title, finding, sentence),
    element('div', { class: 'row' }, others.element, source.element),
  );
  const content = element('div', { class: 'details-content fill' }, head, pages.element);
  content.hidden = true;
  /** Hides tools that do not apply: the report covers all series, and only the chart is smoothed. */
  const showTools = (): void => {
    head.hidden = tab === 'report';
    smoothing.element.hidden = tab !== 'time';
    residuals.element.hidden = tab !== 'time' || model?.detail.model === undefined;
  };
  showTools();
  return {
    element: element('div', { class: 'details fill' }, message.element, content),
    report,
    get tab() {
      return tab;
    },
    showSeries: (wanted, wantedUnit) => {
      message.show(undefined);
      content.hidden = false;
      model = wanted;
      unit = wantedUnit;
      title.textContent = model === undefined ? 'No series' : seriesTitle(model.row);
      title.title = model?.row.region ?? '';
      source.setDisabled(model?.row.file === undefined ? 'Its source is not known.' : undefined);
      sentence.textContent = model === undefined ? '' : seriesSentence(model);
      const step = model?.step ?? 1;
      sigmas = scaleSet(model?.detail.values.length ?? 1, 0.5, 4).map((sigma) => sigma * step);
      smoothing.setCount(1 + sigmas.length);
      const position = Math.min(state.smoothing, sigmas.length);
      if (smoothing.position !== position && smoothing.position === 0) smoothing.setPosition(position);
      chart.setSigma(sigmaAt(smoothing.position));
      chart.show(model, unit);
      showTools();
      explain();
    },
    showProperty: (property) => {
      finding.textContent = property === undefined ? '' : propertySentence(property);
      finding.hidden = property === undefined;
    },
    offer: (series, rows, current) => {
      others.setChoices(
        series.map((position) => ({ value: String(position), label: offerText(rows[position]) })),
        String(current),
      );
      others.element.hidden = series.length < 2;
    },
    showMap: (wanted, wantedUnit) => map.show(wanted, wantedUnit),
    markMap: (overlays, row) => {
      map.setOverlays(overlays);
      map.setRow(row);
    },
    showChecks: (given) => checks.show(given),
    say: (text) => {
      content.hidden = true;
      message.show({ kind: 'empty', text });
    },
  };
}

function seriesSentence({ detail, row }: SeriesModel): string {
  const regular = row.period === undefined ? [] : [`peaks every ${counted(row.period, 'iteration')}`];
  return [detail.sentence, ...regular].join(' · ');
}

function propertySentence({ title, ranks = '', chance }: PropertyRow): string {
  const place = ranks === '' ? title : `${title} · ${/^\d+$/.test(ranks) ? 'rank' : 'ranks'} ${ranks}`;
  return chance === undefined ? place : `${place}. ${chanceSentence(chance)}`;
}

function offerText(row: SeriesRow | undefined): string {
  if (row === undefined) return '';
  return `${placeText(row.rank, row.thread)} (${share(row.share)})`;
}

/** Maximum number of overlays; more would hide the values. */
const mostOverlays = 200;

/** Areas of the map with properties. */
export function overlaysOf(
  map: MapModel,
  properties: readonly PropertyRow[],
  chosen: number | undefined,
): readonly MapOverlay[] {
  let count = 0;
  return properties.flatMap(({ region, iterations, ranks, kind }, position) => {
    if (region?.name !== map.header.region || iterations === undefined || iterations.length === 0) return [];
    // Properties of the whole run have no area.
    if (!/^degradation|improvement|periodic|late/.test(kind)) return [];
    if (position !== chosen && ++count > mostOverlays) return [];
    return [
      {
        rows:
          ranks === undefined || ranks === '' ? new Uint8Array(map.header.rows).fill(1) : map.rowsOf(ranks),
        iterations: iterations.slice(0, 64).map(([first, last]) => [first - 1, last - 1] as const),
        label: kind.replace(/^degradation-/, ''),
        isChosen: position === chosen,
      },
    ];
  });
}
