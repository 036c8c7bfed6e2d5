import { visibleControls } from '../../src/core/names/visibleControls';
import type { MakingProgress } from '../../src/protocol/opened';
import type { TimelineShown } from '../../src/protocol/timeline';
import { type Control, element } from '../ui/base/dom';
import { button, iconButton } from '../ui/controls/button';
import { menuPlaceBelow, openMenu } from '../ui/controls/menu';
import { progressBar } from '../ui/controls/progress';
import { toolbar } from '../ui/controls/toolbar';
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
  const title = element('h1', { class: 'title ellipsis' });
  const summary = element('p', { class: 'summary' });
  const notes = element('ul', { class: 'notes muted' });
  const bar = progressBar('Trace');
  const doing = element('span', { class: 'muted ellipsis' });
  const cancel = button({ label: 'Cancel', icon: 'stop', onClick: actions.cancel });
  const working = element('div', { class: 'working row' }, doing, cancel.element);
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
  const setProgress = (progress: MakingProgress | undefined): void => {
    working.hidden = progress === undefined;
    bar.element.classList.toggle('idle', progress === undefined);
    if (progress === undefined) return;
    bar.setFraction(progress.fraction);
    doing.textContent = visibleControls(progress.message);
  };
  setProgress(undefined);
  return {
    element: element(
      'header',
      { class: 'timeline-header' },
      element('div', { class: 'title-row row' }, title, toolbar('Trace', saving, more).element),
      summary,
      notes,
      working,
      bar.element,
    ),
    show: (shown) => {
      title.textContent = `Timeline of ${visibleControls(shown.title)}`;
      title.title = title.textContent;
      const isDone = shown.kind === 'done';
      saving.setDisabled(isDone ? undefined : 'There is no picture yet.');
      summary.textContent = isDone ? summaryText(shown.header) : '';
      notes.replaceChildren(...(isDone ? shown.header.notes.map((text) => element('li', { text })) : []));
      setProgress(shown.kind === 'making' ? (shown.progress ?? { message: 'Reading the trace' }) : undefined);
    },
    setProgress,
  };
}
