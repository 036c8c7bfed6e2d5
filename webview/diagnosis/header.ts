import { noticeTexts } from '../../src/core/diagnosis/recorded/notSearched';
import type { SearchNotice } from '../../src/core/diagnosis/search/searchRecord';
import type { DiagnosisHeader } from '../../src/core/views/diagnosis/diagnosisPieces';
import type { DiagnosisAction, DiagnosisShown } from '../../src/protocol/diagnosis';
import type { MakingProgress } from '../../src/protocol/opened';
import { type Control, element } from '../ui/base/dom';
import { button } from '../ui/controls/button';
import { toolbar } from '../ui/controls/toolbar';
import { notesList, openedHeader } from '../ui/opened/openedHeader';
import { formatSeconds } from '../../src/core/format';
import { runningText, SearchWords, summaryText } from './words';

export interface Header extends Control {
  show(shown: DiagnosisShown): void;
  /** The experiments have arrived. */
  showSummary(header: DiagnosisHeader, trueCount: number): void;
  setProgress(progress: MakingProgress | undefined): void;
}

/** Notices of a search are few, but a forged file may have any number. */
const mostNotices = 50;

/** What is diagnosed, how it was searched, what hindered the search, and the progress while it is made. */
export function header(actions: {
  readonly cancel: () => void;
  readonly act: (action: DiagnosisAction) => void;
  readonly save: () => void;
}): Header {
  const summary = element('p', { class: 'summary' });
  const running = element('span');
  let isPaused = false;
  const pausing = button({
    label: 'Pause',
    onClick: () => actions.act(isPaused ? 'search' : 'pause'),
  });
  const stopping = button({
    label: 'Stop Search',
    icon: 'stop',
    tooltip: 'Stop searching; the program runs on',
    onClick: () => actions.act('stop'),
  });
  const state = element(
    'div',
    { class: 'row search-state' },
    running,
    toolbar('Search', pausing, stopping).element,
  );
  const notes = notesList();
  const saving = button({
    label: 'Export…',
    icon: 'export',
    tooltip: 'Save the whole search, as the command line does',
    onClick: actions.save,
  });
  const opening = button({
    label: 'Import…',
    icon: 'save',
    tooltip: 'Open a saved search',
    onClick: () => actions.act('import'),
  });
  const other = button({
    label: 'Diagnose…',
    icon: 'search',
    tooltip: 'Diagnose another measurement',
    onClick: () => actions.act('chooseInput'),
  });
  const opened = openedHeader({
    view: 'diagnosis',
    label: 'Diagnosis',
    doing: 'Searching',
    cancel: actions.cancel,
    tools: toolbar('Diagnosis', other, opening, saving),
    facts: [state, summary, notes.element],
  });
  return {
    ...opened,
    show: (shown) => {
      opened.show(`Diagnosis of ${shown.title}`, shown);
      saving.setDisabled(shown.kind === 'done' ? undefined : 'There is no search yet.');
      if (shown.kind !== 'done') state.hidden = true;
      if (shown.kind !== 'done' && shown.kind !== 'making') {
        summary.textContent = '';
        notes.show([]);
      }
    },
    showSummary: (of, trueCount) => {
      summary.textContent = summaryText(of, trueCount);
      running.textContent = runningText(of) ?? '';
      state.hidden = of.wanted === undefined;
      isPaused = of.wanted === 'pause';
      pausing.setLabel(isPaused ? 'Go On' : 'Pause');
      pausing.setTooltip(isPaused ? 'Go on searching' : 'Search nothing further; the program runs on');
      const isOver = of.wanted === 'stop' || of.state === 'stopped' || of.state === 'ended';
      for (const control of [pausing, stopping])
        control.setDisabled(isOver ? 'The search was stopped.' : undefined);
      const words = new SearchWords(of);
      const isTimed = ({ time }: SearchNotice): boolean => of.clock !== 'recorded' && time > 0;
      const all = [
        ...of.notices.filter(isTimed).map(({ time, message }) => `At ${formatSeconds(time)}: ${message}`),
        ...noticeTexts(
          of.notices.filter((notice) => !isTimed(notice)),
          [],
          (hypothesis) => words.label(hypothesis),
        ),
      ];
      const notices = all.slice(0, mostNotices);
      const more = all.length - notices.length;
      notes.show([...of.notes, ...notices, ...(more > 0 ? [`… and ${more} more notices`] : [])]);
    },
  };
}
