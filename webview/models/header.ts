import { visibleControls } from '../../src/core/names/visibleControls';
import type { ModelFileFormat, ModelsProgress, ModelsShown } from '../../src/protocol/models';
import { type Control, element } from '../ui/base/dom';
import { button, iconButton } from '../ui/controls/button';
import { menuPlaceBelow, openMenu } from '../ui/controls/menu';
import { progressBar } from '../ui/controls/progress';
import { toolbar } from '../ui/controls/toolbar';
import { summaryText } from './words';

export interface Header extends Control {
  show(shown: ModelsShown): void;
  setProgress(progress: ModelsProgress | undefined): void;
}

const formats: readonly (readonly [ModelFileFormat, string])[] = [
  ['csv', 'CSV'],
  ['json', 'JSON'],
  ['python', 'Python'],
  ['latex', 'LaTeX'],
  ['javascript', 'JavaScript'],
];

/** The input, a summary of what was modelled, and the progress while models are made. */
export function header(actions: {
  readonly make: () => void;
  readonly cancel: () => void;
  readonly chooseInput: () => void;
  readonly save: (format: ModelFileFormat) => void;
}): Header {
  const title = element('h1', { class: 'title ellipsis' });
  const summary = element('p', { class: 'summary' });
  const bar = progressBar('Models');
  const doing = element('span', { class: 'muted ellipsis' });
  const cancel = button({ label: 'Cancel', icon: 'stop', onClick: actions.cancel });
  const working = element('div', { class: 'working row' }, doing, cancel.element);
  const saving = button({
    label: 'Export…',
    icon: 'export',
    tooltip: 'Save all models',
    onClick: () =>
      openMenu(
        'Export Models',
        formats.map(([format, name]) => ({ label: `${name}…`, run: () => actions.save(format) })),
        menuPlaceBelow(saving.element),
      ),
  });
  const more = iconButton('more', 'Models', () =>
    openMenu(
      'Models',
      [
        { label: 'Read the Measurements Again', run: actions.make },
        { label: 'Show Another Input…', run: actions.chooseInput },
      ],
      menuPlaceBelow(more.element),
    ),
  );
  const setProgress = (progress: ModelsProgress | undefined): void => {
    working.hidden = progress === undefined;
    bar.element.classList.toggle('idle', progress === undefined);
    if (progress === undefined) return;
    bar.setFraction(progress.fraction);
    doing.textContent = visibleControls(progress.message);
  };
  setProgress(undefined);
  const tools = toolbar('Models', saving, more);
  return {
    element: element(
      'header',
      { class: 'models-header' },
      element('div', { class: 'title-row row' }, title, tools.element),
      summary,
      working,
      bar.element,
    ),
    show: (shown) => {
      title.textContent = `Models of ${visibleControls(shown.title)}`;
      title.title = title.textContent;
      saving.setDisabled(shown.kind === 'done' ? undefined : 'There are no models yet.');
      summary.textContent = shown.kind === 'done' ? summaryText(shown.header) : '';
      setProgress(
        shown.kind === 'making' ? (shown.progress ?? { message: 'Reading measurements' }) : undefined,
      );
    },
    setProgress,
  };
}
