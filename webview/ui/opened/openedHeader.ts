import { visibleControls } from '../../../src/core/names/visibleControls';
import type { MakingProgress, Opened } from '../../../src/protocol/opened';
import { type Control, element } from '../base/dom';
import { button } from '../controls/button';
import { progressBar } from '../controls/progress';

export interface OpenedHeader extends Control {
  /** @param title in place of the document's, as the extension says it */
  show(title: string, shown: Opened<unknown>): void;
  setProgress(progress: MakingProgress | undefined): void;
}

/** The header of a view of an opened document: its title, what can be done, what is to be known about it, and the progress while it is made. */
export function openedHeader(options: {
  /** Name of the view's class. */
  readonly view: string;
  /** Name of the progress bar. */
  readonly label: string;
  /** What is done until the extension says it. */
  readonly doing: string;
  readonly cancel: () => void;
  readonly tools: Control;
  readonly facts: readonly HTMLElement[];
}): OpenedHeader {
  const title = element('h1', { class: 'title ellipsis' });
  const bar = progressBar(options.label);
  const doing = element('span', { class: 'muted ellipsis' });
  const cancel = button({ label: 'Cancel', icon: 'stop', onClick: options.cancel });
  const working = element('div', { class: 'working row' }, doing, cancel.element);
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
      { class: `${options.view}-header` },
      element('div', { class: 'title-row row' }, title, options.tools.element),
      ...options.facts,
      working,
      bar.element,
    ),
    show: (text, shown) => {
      title.textContent = visibleControls(text);
      title.title = title.textContent;
      setProgress(shown.kind === 'making' ? (shown.progress ?? { message: options.doing }) : undefined);
    },
    setProgress,
  };
}

/** What is to be known about a document, a line each. */
export function notesList(): Control & { show(texts: readonly string[]): void } {
  const notes = element('ul', { class: 'notes muted' });
  return {
    element: notes,
    show: (texts) => notes.replaceChildren(...texts.map((text) => element('li', { text }))),
  };
}
