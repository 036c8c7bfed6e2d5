import { counted } from '../../src/core/format';
import { isDynamic } from '../../src/core/properties/kinds';
import type { DynamicsEvents, DynamicsRequests, DynamicsShown } from '../../src/protocol/dynamics';
import type { DynamicsHeader, PropertyRow, SeriesRow } from '../../src/core/views/dynamicsPieces';
import { announce } from '../ui/base/liveRegion';
import { dialogMilliseconds, isCancelled, isFindKey, Newest, type Shell } from '../ui/page/shell';
import { tabs } from '../ui/controls/tabs';
import { adaptiveSplitter } from '../ui/controls/adaptiveSplitter';
import { details, overlaysOf } from './details';
import { weight } from './lists/findingRows';
import { findings } from './lists/findings';
import { header, noDynamicsText } from './header';
import { loadLists, loadMap, visibleHeader } from './load';
import type { MapModel } from './overTime/mapModel';
import { SeriesModel } from './base/seriesModel';
import { seriesList } from './lists/seriesList';
import { TimeAxis } from './base/timeAxis';
import type { ListTab, ViewState } from './viewState';

/** Narrower panels show the details below the list. */
const wideEnough = 860;
/** Names of functions can be pages long. */
const longestName = 120;
/** Maximum number of series to choose from. */
const mostOffered = 256;

export type DynamicsShell = Shell<DynamicsRequests, DynamicsEvents, ViewState>;

/** The owner of the panel's content: requests data from the extension, receives its events, and saves the view's state. */
export class DynamicsView {
  private header: DynamicsHeader | undefined;
  /** Id of the analysis whose rows are loaded. */
  private readId: string | undefined;
  /** The property that the user chose elsewhere, until its rows have arrived. */
  private wanted: DynamicsEvents['choose'] | undefined;
  private properties: readonly PropertyRow[] = [];
  private series: readonly SeriesRow[] = [];
  private map: MapModel | undefined;
  private readonly loading = new Newest();
  private readonly choosing = new Newest();
  private choice = this.choosing.next();
  private readonly axis = new TimeAxis();
  private readonly top = header({
    analyse: (settings) => this.shell.act('analyse', { settings }),
    cancel: () => this.shell.act('cancel', {}, ({ cancelled }) => (cancelled ? 'Cancelled' : undefined)),
    act: (action) => this.shell.act('act', { action }),
  });
  private readonly findings;
  private readonly list;
  private readonly details;

  constructor(private readonly shell: DynamicsShell) {
    const { channel, state } = shell;
    this.findings = findings(
      {
        onSelect: (property) => this.chooseProperty(property),
        openSource: (row) => this.openSource('property', row),
        onView: (view) => this.keep({ findings: view }),
        onLayout: (findingLayout) => this.keep({ findingLayout }),
      },
      { view: state.findings, layout: state.findingLayout },
    );
    this.list = seriesList(
      {
        onSelect: (series) => this.chooseSeries(series, undefined),
        openSource: (row) => this.openSource('series', row),
        onSort: (seriesSort) => this.keep({ seriesSort }),
        onLayout: (seriesLayout) => this.keep({ seriesLayout }),
      },
      { sort: state.seriesSort, layout: state.seriesLayout },
    );
    this.details = details(this.axis, state, {
      keep: (part) => this.keep(part),
      chooseSeries: (series) => this.chooseSeries(series, this.state.property),
      chooseMapRow: (row) => this.chooseMapRow(row),
      chooseProperty: (property) => this.chooseProperty(property),
      openSource: (row) => this.openSource('series', row),
      openReportSource: (row) => this.openSource('report', row),
      saveReport: (kind) => this.save({ kind, threshold: this.state.findings.threshold }),
      save: (kind, name, content) => this.save({ kind, name: name.slice(0, longestName), content }),
      explain: () => void this.readChecks(),
    });
    const lists = tabs<ListTab>({
      label: 'Lists',
      tabs: [
        { id: 'findings', label: 'Findings', content: this.findings.element },
        { id: 'series', label: 'Series', content: this.list.element },
      ],
      selected: state.list,
      onSelect: (list) => this.keep({ list }),
    }).element;
    const parts = adaptiveSplitter({
      first: { element: lists, name: 'the list' },
      second: this.details.element,
      wideEnough,
      share: state.listShare,
      onShare: (listShare) => this.keep({ listShare }),
    });
    shell.top.append(this.top.element);
    shell.content.append(parts.element);
    this.axis.onChange(() => this.keepSpan());
    channel.on('shown', (shown) => this.show(shown));
    channel.on('progress', (progress) => this.top.setProgress(progress));
    channel.on('choose', (wanted) => {
      this.wanted = wanted;
      this.reveal();
    });
    shell.onKey((event) => {
      if (!isFindKey(event) || shell.state.list !== 'findings') return false;
      this.findings.focusSearch();
      return true;
    });
  }

  /** Requests the analysis to show; also after hiding and reloads. */
  async open(): Promise<void> {
    this.shell.show({ kind: 'loading', text: 'Reading the analysis' });
    try {
      this.show(await this.shell.channel.request('open', {}, { patienceMilliseconds: dialogMilliseconds }));
    } catch (error) {
      this.shell.fail(error, () => void this.open());
    }
  }

  private show(given: DynamicsShown): void {
    const shown = given.kind === 'done' ? { ...given, header: visibleHeader(given.header) } : given;
    this.keep({ panel: shown.panel });
    this.top.show(shown);
    this.shell.notice.hide();
    const analyse = (): void => this.shell.act('analyse', { settings: shown.settings });
    // The previous findings remain visible during a new analysis.
    if (shown.kind === 'making' && this.header !== undefined) return;
    if (shown.kind === 'done') {
      void this.read(shown.header);
      return;
    }
    this.header = undefined;
    switch (shown.kind) {
      case 'making':
        this.shell.show({ kind: 'loading', text: 'Looking for what changes over the iterations' });
        return;
      case 'cancelled':
        this.shell.show({
          kind: 'empty',
          text: 'The analysis was cancelled.',
          action: { label: 'Analyse', run: analyse },
        });
        return;
      case 'empty':
        this.shell.show({
          kind: 'empty',
          text: shown.message,
          action: {
            label: 'Choose a Phase…',
            run: () => this.shell.act('act', { action: 'markPhase' }),
          },
        });
        return;
      case 'failed':
        this.shell.fail(shown.message, analyse);
    }
  }

  private async read(wanted: DynamicsHeader): Promise<void> {
    if (this.header?.id === wanted.id) return;
    const signal = this.loading.next();
    this.header = wanted;
    this.map = undefined;
    try {
      const { properties, series, report } = await loadLists(this.shell.channel, wanted, signal);
      this.properties = properties;
      this.series = series;
      const isSame = this.state.id === wanted.id;
      this.axis.setRun(wanted.iterations, isSame ? this.state.span : undefined);
      this.shell.show(undefined);
      const empty = wanted.noDynamics ? noDynamicsText : 'There are no findings.';
      this.findings.show(properties, empty);
      this.list.show(series);
      this.details.report.show(report, empty);
      const { property, series: saved } = this.state;
      this.keep({
        id: wanted.id,
        ...(!isSame && { property: undefined, series: undefined, span: undefined }),
      });
      this.readId = wanted.id;
      announce(counted(properties.length, 'finding'));
      if (this.reveal()) return;
      if (isSame && saved !== undefined && saved < series.length) {
        if (property !== undefined) this.findings.select(property);
        this.chooseSeries(saved, property);
      } else this.chooseFirst();
    } catch (error) {
      if (isCancelled(error)) return;
      this.header = undefined;
      this.shell.fail(error, () => void this.open());
    }
  }

  /** Chooses the most severe finding about change over time, else the most severe one, else the series with the largest share. */
  private chooseFirst(): void {
    let best: number | undefined;
    const score = (position: number): number => {
      const row = this.properties[position];
      if (row === undefined || row.series.length === 0) return -1;
      return isDynamic(row) ? 1 + (row.excess ?? 0) : weight(row);
    };
    this.properties.forEach((_, position) => {
      if (score(position) >= 0 && (best === undefined || score(position) > score(best))) best = position;
    });
    if (best !== undefined) {
      this.findings.select(best);
      this.chooseProperty(best);
    } else if (this.series.length > 0) this.chooseSeries(0, undefined);
    else this.details.say('Nothing was analysed over the iterations: no problem is large enough.');
  }

  /** Shows the property that the user chose elsewhere, even if filters hide it; returns whether there was one. */
  private reveal(): boolean {
    if (this.wanted === undefined || this.wanted.id !== this.readId) return false;
    const { property: id } = this.wanted;
    this.wanted = undefined;
    const property = this.properties.findIndex((row) => row.id === id);
    if (property < 0) return false;
    this.findings.select(property);
    this.chooseProperty(property);
    return true;
  }

  private chooseProperty(property: number): void {
    const row = this.properties[property];
    const series = row?.series[0];
    if (row === undefined) return;
    if (series === undefined) {
      this.keep({ property });
      announce(row.title);
      return;
    }
    this.chooseSeries(series, property);
  }

  private chooseMapRow(row: number): void {
    const series = this.map?.series[row];
    if (series !== undefined) this.chooseSeries(series, this.state.property);
  }

  private chooseSeries(position: number, property: number | undefined): void {
    const row = this.series[position];
    if (row === undefined || this.header === undefined) return;
    this.keep({ series: position, property });
    this.list.select(position);
    this.details.showProperty(property === undefined ? undefined : this.properties[property]);
    this.choice = this.choosing.next();
    void this.readSeries(this.header, row, position, this.choice);
  }

  private async readSeries(
    { id, unit, iterations, maps }: DynamicsHeader,
    row: SeriesRow,
    position: number,
    signal: AbortSignal,
  ): Promise<void> {
    try {
      const detail = await this.shell.channel.request('values', { id, series: position }, { signal });
      const model = new SeriesModel(position, row, detail, iterations);
      this.axis.setStep(model.step);
      this.details.showSeries(model, unit);
      const mapHeader = maps[row.map];
      if (mapHeader === undefined) this.map = undefined;
      else if (this.map?.position !== row.map)
        this.map = await loadMap(this.shell.channel, id, row.map, mapHeader, signal);
      this.details.showMap(this.map, unit);
      this.markMap(row);
      this.offer(position);
    } catch (error) {
      this.shell.warn(error);
    }
  }

  private markMap(row: SeriesRow): void {
    const overlays = this.map === undefined ? [] : overlaysOf(this.map, this.properties, this.state.property);
    this.details.markMap(overlays, row.mapRow < 0 ? undefined : row.mapRow);
  }

  /** Offers the series of the chosen property, else all of the same map. */
  private offer(position: number): void {
    const { property } = this.state;
    const own = property === undefined ? undefined : this.properties[property]?.series;
    const all = own?.includes(position) === true ? own : Array.from(this.map?.series ?? []);
    const offered = all.slice(0, mostOffered);
    this.details.offer(offered.includes(position) ? offered : [position, ...offered], this.series, position);
  }

  private async readChecks(): Promise<void> {
    const { series } = this.state;
    if (this.header === undefined || series === undefined) return;
    const signal = this.choice;
    try {
      this.details.showChecks(
        await this.shell.channel.request('trace', { id: this.header.id, series }, { signal }),
      );
    } catch (error) {
      this.shell.warn(error);
    }
  }

  private openSource(of: 'property' | 'series' | 'report', row: number): void {
    const id = this.header?.id;
    if (id === undefined) return;
    this.shell.act('openSource', { id, of, row }, ({ opened }) =>
      opened ? undefined : 'Its source is not known.',
    );
  }

  private save(parameters: DynamicsRequests['save']['parameters']): void {
    this.shell.act('save', parameters, ({ saved }) => (saved ? 'Saved' : undefined));
  }

  private keepSpan(): void {
    const { span, isZoomed } = this.axis;
    const saved = this.state.span;
    if (isZoomed ? saved?.[0] === span[0] && saved[1] === span[1] : saved === undefined) return;
    this.keep({ span: isZoomed ? span : undefined });
  }

  private get state(): ViewState {
    return this.shell.state;
  }

  private keep(part: Parameters<DynamicsShell['keep']>[0]): void {
    this.shell.keep(part);
  }
}
