import type { MakingProgress } from '../../src/protocol/opened';
import type { TimelineShown } from '../../src/protocol/timeline';
import { type Control, element } from '../ui/base/dom';
import { button, iconButton } from '../ui/controls/button';
import { menuPlaceBelow, openMenu } from '../ui/controls/menu';
import { toolbar } from '../ui/controls/toolbar';
import { notesList, openedHeader } from '../ui/opened/openedHeader';
import { summaryText } from './words';

export interface Header extends Control {
  show(shown: TimelineShown): void;
  setProgress(progress: MakingProgress | undefined): void;
}

/** The trace, a summary, what is missing of it, and the progress while it is read. */
export function header(actions: {
  readonly make: () => void;
  readonly cancel: () => void;
  readonly save: (kind: 'png' | 'csv') => void;
}): Header {
  const summary = element('p', { class: 'summary' });
  const notes = notesList();
  const saving = button({
    label: 'Export…',
    icon: 'export',
    onClick: () =>
      openMenu(
        'Export',
        [
          { label: 'Picture as PNG…', run: () => actions.save('png') },
          { label: 'Profile as CSV…', run: () => actions.save('csv') },
        ],
        menuPlaceBelow(saving.element),
      ),
  });
  const more = iconButton('more', 'Trace', () =>
    openMenu('Trace', [{ label: 'Read the Trace Again', run: actions.make }], menuPlaceBelow(more.element)),
  );
  const opened = openedHeader({
    view: 'timeline',
    label: 'Trace',
    doing: 'Reading the trace',
    cancel: actions.cancel,
    tools: toolbar('Trace', saving, more),
    facts: [summary, notes.element],
  });
  return {
    ...opened,
    show: (shown) => {
      opened.show(`Timeline of ${shown.title}`, shown);
      const isDone = shown.kind === 'done';
      saving.setDisabled(isDone ? undefined : 'There is no picture yet.');
      summary.textContent = isDone ? summaryText(shown.header) : '';
      notes.show(isDone ? shown.header.notes : []);
    },
  };
}
