import {
  maximumFunctions,
  type RefinementEvents,
  type RefinementRequests,
  type RefinementShown,
} from '../../src/protocol/refinement';
import { present } from '../../src/core/present';
import { chart } from '../charts/chart';
import '../charts/lines';
import { iconButton } from '../ui/controls/button';
import { element } from '../ui/base/dom';
import { announce } from '../ui/base/liveRegion';
import { inPieces } from '../ui/page/pieces';
import { isFindKey, type Shell } from '../ui/page/shell';
import { splitter } from '../ui/controls/splitter';
import { tabs } from '../ui/controls/tabs';
import { decisionTable } from './decisionTable';
import { differenceTable } from './differenceTable';
import { header } from './header';
import { roundChart } from './roundChart';
import { type TabName, type ViewState } from './viewState';
import { roundAnnouncement, stateAnnouncement } from './words';

export type RefinementShell = Shell<RefinementRequests, RefinementEvents, ViewState>;

/** The panel's controller: requests data from the extension, handles its events, and saves the state of the view. */
export class RefinementView {
  private shown: RefinementShown | undefined;
  /** Revision of the shown or requested functions. */
  private revision = -1;
  private readonly header = header({
    next: () => this.shell.act('next', {}, ({ started }) => (started ? 'Started' : undefined)),
    stop: () =>
      this.shell.act('stop', {}, ({ stopped }) => (stopped ? 'Stopping' : 'No refinement is running.')),
    accept: () => this.withIteration((iteration) => this.accept(iteration)),
    exportFilter: () =>
      this.withIteration((iteration) =>
        this.shell.act('exportFilter', { iteration }, ({ saved }) => (saved ? 'Filter saved' : undefined)),
      ),
    chooseIteration: (iteration) => {
      this.shell.keep({ iteration });
      this.showHeader();
    },
  });
  private readonly chart;
  private readonly decisions;
  private readonly difference;

  constructor(private readonly shell: RefinementShell) {
    const { channel, state } = shell;
    this.chart = chart({
      label: 'Overhead and functions per round',
      showsTable: state.showsTable,
      onShowsTable: (showsTable) => this.shell.keep({ showsTable }),
      onChoose: (index) => this.chooseIteration(index),
    });
    const openSource = (row: number): void =>
      this.shell.act('openSource', { row }, ({ opened }) =>
        opened ? undefined : 'Its source is not known.',
      );
    this.decisions = decisionTable(
      {
        openSource,
        pin: (row, pinState) => this.shell.act('pin', { row, state: pinState }),
        saveCsv: (text) => this.save('csv', new TextEncoder().encode(text)),
        onView: (decisions) => this.shell.keep({ decisions }),
        onLayout: (decisionLayout) => this.shell.keep({ decisionLayout }),
      },
      { view: state.decisions, layout: state.decisionLayout },
    );
    this.difference = differenceTable(
      {
        ask: (from, to, signal) => channel.request('difference', { from, to }, { signal }),
        openSource,
        onChoice: (from, to) => this.shell.keep({ from, to }),
        onLayout: (differenceLayout) => this.shell.keep({ differenceLayout }),
      },
      {
        ...present({ from: state.from, to: state.to }),
        layout: state.differenceLayout,
      },
    );
    shell.content.append(this.header.element, this.parts());
    channel.on('shown', (shown) => this.show(shown));
    channel.on('progress', (progress) => this.header.setProgress(progress));
    shell.onKey((event) => {
      if (!isFindKey(event) || shell.state.tab !== 'decisions') return false;
      this.decisions.focusSearch();
      return true;
    });
  }

  /** Requests the study; also after hiding and reloads. */
  async open(): Promise<void> {
    this.shell.show({ kind: 'loading', text: 'Reading the study' });
    try {
      this.show(await this.shell.channel.request('open', {}));
    } catch (error) {
      this.shell.fail(error, () => void this.open());
    }
  }

  private parts(): HTMLElement {
    const savePicture = iconButton('save', 'Save Chart as PNG', () => void this.savePicture());
    const top = element('div', { class: 'chart-pane' }, this.chart.element, savePicture.element);
    const bottom = tabs<TabName>({
      label: 'Details',
      tabs: [
        { id: 'decisions', label: 'Decisions', content: this.decisions.element },
        { id: 'difference', label: 'Difference', content: this.difference.element },
      ],
      selected: this.shell.state.tab,
      onSelect: (tab) => this.shell.keep({ tab }),
    });
    const parts = splitter({
      label: 'Height of the chart',
      first: top,
      second: bottom.element,
      direction: 'rows',
      share: this.shell.state.chartShare,
      onShare: (chartShare) => this.shell.keep({ chartShare }),
    });
    return parts.element;
  }

  private show(shown: RefinementShown): void {
    const before = this.shown;
    const isOther = before?.study !== shown.study || before.folder !== shown.folder;
    this.shown = shown;
    if (isOther) {
      const { folder, target, study } = shown;
      const isSaved = this.shell.state.study === study;
      this.shell.keep({ folder, target, study, ...(!isSaved && { iteration: undefined }) });
    }
    this.announceNews(isOther ? undefined : before, shown);
    if (shown.state === 'gone') {
      this.shell.show({
        kind: 'error',
        text: `The study ${shown.study} of ${shown.target} was deleted while it was shown.`,
        detail: 'Refine again, or choose another study in the Experiments view.',
      });
      return;
    }
    this.shell.show(undefined);
    this.showHeader();
    this.chart.setData(roundChart(shown));
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
      announce(roundAnnouncement(last));
    else if (before.state !== now.state) announce(stateAnnouncement(now.state));
  }

  private async readFunctions({ functions, revision }: RefinementShown): Promise<void> {
    const isCurrent = (): boolean => this.revision === revision;
    try {
      const rows = await inPieces(functions, maximumFunctions, async (first, count) => {
        const piece = await this.shell.channel.request('functions', { first, count });
        return isCurrent() ? piece : [];
      });
      if (isCurrent()) this.decisions.show(rows);
    } catch (error) {
      this.shell.warn(error);
    }
  }

  private showHeader(): void {
    if (this.shown !== undefined) this.header.show(this.shown, this.iteration());
  }

  /** The round for *accept* and *export*: the user's choice, or the last. */
  private iteration(): number | undefined {
    const iterations = this.shown?.iterations ?? [];
    const chosen = iterations.find(({ index }) => index === this.shell.state.iteration);
    return (chosen ?? iterations.at(-1))?.index;
  }

  private withIteration(action: (iteration: number) => void): void {
    const iteration = this.iteration();
    if (iteration !== undefined) action(iteration);
  }

  private chooseIteration(index: number): void {
    const iteration = this.shown?.iterations[index]?.index;
    if (iteration === undefined) return;
    this.shell.keep({ iteration });
    this.showHeader();
    announce(`Round ${iteration} chosen`);
  }

  private accept(iteration: number): void {
    this.shell.act('accept', { iteration }, () => `Round ${iteration} accepted`);
  }

  private save(kind: 'png' | 'csv', content: Uint8Array): void {
    this.shell.act('save', { kind, content }, ({ saved }) => (saved ? 'Saved' : undefined));
  }

  private async savePicture(): Promise<void> {
    const content = await this.chart.png();
    if (content !== undefined) this.save('png', content);
  }
}
