import {
  maximumFunctions,
  type DecisionRow,
  type RefinementEvents,
  type RefinementRequests,
  type RefinementShown,
} from '../../src/protocol/refinement';
import { chart } from '../charts/chart';
import { type Channel, RequestError, type VsCodeApi } from '../ui/channel';
import { iconButton } from '../ui/button';
import { type Control, element } from '../ui/dom';
import { announce } from '../ui/liveRegion';
import { messageArea } from '../ui/messageArea';
import { splitter } from '../ui/splitter';
import { tabs } from '../ui/tabs';
import { decisionTable } from './decisionTable';
import { differenceTable } from './differenceTable';
import { header } from './header';
import { iterationChart } from './iterationChart';
import { readViewState, type TabName, type ViewState } from './viewState';
import { iterationAnnouncement, stateAnnouncement } from './words';

/** The user answers a question of the extension meanwhile: where to save, whether to run. */
const patientMilliseconds = 24 * 3600 * 1000;

/** The one owner of what the panel shows: asks the extension, listens to it, and keeps what the user is looking at. */
export class RefinementView implements Control {
  readonly element: HTMLElement;
  private state: ViewState;
  private shown: RefinementShown | undefined;
  /** Of the functions that are shown or being asked for. */
  private revision = -1;
  private readonly message = messageArea();
  private readonly content: HTMLElement;
  private readonly header = header({
    next: () => this.act('next', {}, ({ started }) => (started ? 'Started' : undefined)),
    stop: () => this.act('stop', {}, ({ stopped }) => (stopped ? 'Stopping' : 'Nothing runs.')),
    accept: () => this.withIteration((iteration) => this.accept(iteration)),
    exportFilter: () =>
      this.withIteration((iteration) =>
        this.act('exportFilter', { iteration }, ({ saved }) => (saved ? 'Filter saved' : undefined)),
      ),
    chooseIteration: (iteration) => {
      this.keep({ iteration });
      this.showHeader();
    },
  });
  private readonly chart;
  private readonly decisions;
  private readonly difference;

  constructor(
    private readonly channel: Channel<RefinementRequests, RefinementEvents>,
    private readonly api: VsCodeApi,
  ) {
    this.state = readViewState(api.getState());
    const { state } = this;
    this.chart = chart({
      label: 'Overhead and functions per iteration',
      showsTable: state.showsTable,
      onShowsTable: (showsTable) => this.keep({ showsTable }),
      onChoose: (at) => this.chooseIteration(at),
    });
    const openSource = (row: number): void =>
      this.act('openSource', { row }, ({ opened }) => (opened ? undefined : 'Its source is not known.'));
    this.decisions = decisionTable(
      {
        openSource,
        pin: (row, wanted) => this.act('pin', { row, state: wanted }, () => undefined),
        saveCsv: (text) => this.save('csv', new TextEncoder().encode(text)),
        onView: (decisions) => this.keep({ decisions }),
        onLayout: (decisionLayout) => this.keep({ decisionLayout }),
      },
      { view: state.decisions, layout: state.decisionLayout },
    );
    this.difference = differenceTable(
      {
        ask: (from, to, signal) => channel.request('difference', { from, to }, { signal }),
        openSource,
        onChoice: (from, to) => this.keep({ from, to }),
        onLayout: (differenceLayout) => this.keep({ differenceLayout }),
      },
      {
        ...(state.from === undefined ? {} : { from: state.from }),
        ...(state.to === undefined ? {} : { to: state.to }),
        layout: state.differenceLayout,
      },
    );
    this.content = this.makeContent();
    this.element = element('div', { class: 'refinement' }, this.message.element, this.content);
    this.content.hidden = true;
    channel.on('shown', (shown) => this.show(shown));
    channel.on('progress', (progress) => this.header.setProgress(progress));
    this.element.addEventListener('keydown', (event) => this.onKey(event));
  }

  /** Asks what is shown; also after hiding and reloads. */
  async open(): Promise<void> {
    this.message.show({ kind: 'loading', text: 'Reading the study' });
    try {
      this.show(await this.channel.request('open', {}));
    } catch (error) {
      this.content.hidden = true;
      this.message.show({
        kind: 'error',
        text: textOf(error),
        action: { label: 'Try Again', run: () => void this.open() },
      });
    }
  }

  private makeContent(): HTMLElement {
    const savePicture = iconButton('save', 'Save Chart as PNG', () => void this.savePicture());
    const top = element('div', { class: 'chart-pane' }, this.chart.element, savePicture.element);
    const bottom = tabs<TabName>({
      label: 'Details',
      tabs: [
        { id: 'decisions', label: 'Decisions', content: element('div', {}, this.decisions.element) },
        { id: 'difference', label: 'Difference', content: element('div', {}, this.difference.element) },
      ],
      selected: this.state.tab,
      onSelect: (tab) => this.keep({ tab }),
    });
    const parts = splitter({
      label: 'Height of the chart',
      first: top,
      second: bottom.element,
      direction: 'rows',
      share: this.state.chartShare,
      onShare: (chartShare) => this.keep({ chartShare }),
    });
    return element('div', { class: 'refinement-content' }, this.header.element, parts.element);
  }

  private show(shown: RefinementShown): void {
    const before = this.shown;
    const isOther = before?.study !== shown.study || before.folder !== shown.folder;
    this.shown = shown;
    if (isOther) {
      const { folder, target, study } = shown;
      const kept = this.state.study === study;
      this.state = readViewState({ ...this.state, ...(kept ? {} : { iteration: undefined }) });
      this.keep({ folder, target, study });
    }
    this.announceNews(isOther ? undefined : before, shown);
    if (shown.state === 'gone') {
      this.content.hidden = true;
      this.message.show({
        kind: 'error',
        text: `The study ${shown.study} of ${shown.target} was deleted while it was shown.`,
        detail: 'Refine again, or choose another study in the Experiments view.',
      });
      return;
    }
    this.message.show(undefined);
    this.content.hidden = false;
    this.showHeader();
    this.chart.setData(iterationChart(shown));
    this.difference.show(shown.iterations);
    if (shown.revision !== this.revision || isOther) {
      this.revision = shown.revision;
      void this.readFunctions(shown);
      if (!isOther) this.difference.refresh();
    }
  }

  private announceNews(before: RefinementShown | undefined, now: RefinementShown): void {
    const last = now.iterations.at(-1);
    if (before === undefined) return;
    if (last !== undefined && now.iterations.length > before.iterations.length)
      announce(iterationAnnouncement(last));
    else if (before.state !== now.state) announce(stateAnnouncement(now.state));
  }

  private async readFunctions({ functions, revision }: RefinementShown): Promise<void> {
    const rows: DecisionRow[] = [];
    try {
      while (rows.length < functions) {
        const some = await this.channel.request('functions', { first: rows.length, count: maximumFunctions });
        if (this.revision !== revision) return;
        if (some.length === 0) break;
        rows.push(...some);
      }
      this.decisions.show(rows);
    } catch (error) {
      this.header.setNotice(textOf(error));
    }
  }

  private showHeader(): void {
    if (this.shown !== undefined) this.header.show(this.shown, this.iteration());
  }

  /** What *accept* and *export* mean: what the user chose, else the last. */
  private iteration(): number | undefined {
    const iterations = this.shown?.iterations ?? [];
    const chosen = iterations.find(({ index }) => index === this.state.iteration);
    return (chosen ?? iterations.at(-1))?.index;
  }

  private withIteration(action: (iteration: number) => void): void {
    const iteration = this.iteration();
    if (iteration !== undefined) action(iteration);
  }

  private chooseIteration(at: number): void {
    const iteration = this.shown?.iterations[at]?.index;
    if (iteration === undefined) return;
    this.keep({ iteration });
    this.showHeader();
    announce(`Iteration ${iteration} chosen`);
  }

  private accept(iteration: number): void {
    this.act('accept', { iteration }, () => `Iteration ${iteration} accepted`);
  }

  /** Asks the extension to do something; what fails is said in the header and read out. */
  private act<Name extends keyof RefinementRequests>(
    name: Name,
    parameters: RefinementRequests[Name]['parameters'],
    said: (result: RefinementRequests[Name]['result']) => string | undefined,
  ): void {
    this.header.setNotice(undefined);
    this.channel.request(name, parameters, { patienceMilliseconds: patientMilliseconds }).then(
      (result) => {
        const text = said(result);
        if (text !== undefined) announce(text);
      },
      (error: unknown) => this.header.setNotice(textOf(error)),
    );
  }

  private save(kind: 'png' | 'csv', content: Uint8Array): void {
    this.act('save', { kind, content }, ({ saved }) => (saved ? 'Saved' : undefined));
  }

  private async savePicture(): Promise<void> {
    const content = await this.chart.png();
    if (content !== undefined) this.save('png', content);
  }

  private onKey(event: KeyboardEvent): void {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'f') return;
    if (this.content.hidden || this.state.tab !== 'decisions') return;
    event.preventDefault();
    this.decisions.focusSearch();
  }

  private keep(part: Partial<ViewState>): void {
    this.state = { ...this.state, ...part };
    this.api.setState(this.state);
  }
}

function textOf(error: unknown): string {
  if (error instanceof RequestError) return error.message;
  return error instanceof Error ? error.message : String(error);
}
