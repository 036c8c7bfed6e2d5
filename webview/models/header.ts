import type { NextPoint } from '../../src/core/study/nextPoint';
import {
  usualModelSettings,
  type ModelFileFormat,
  type ModelsAction,
  type ModelSettings,
  type ModelsShown,
} from '../../src/protocol/models';
import type { MakingProgress } from '../../src/protocol/opened';
import { type Control, element } from '../ui/base/dom';
import { button, iconButton } from '../ui/controls/button';
import { menuPlaceBelow, openMenu, type MenuItem } from '../ui/controls/menu';
import { toolbar } from '../ui/controls/toolbar';
import { notesList, openedHeader } from '../ui/opened/openedHeader';
import { comparedTexts, nextText, summaryText } from './words';

export interface Header extends Control {
  show(shown: ModelsShown): void;
  setProgress(progress: MakingProgress | undefined): void;
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
  readonly make: (settings: ModelSettings) => void;
  readonly cancel: () => void;
  readonly act: (action: ModelsAction) => void;
  readonly measureNext: () => void;
  readonly save: (format: ModelFileFormat) => void;
}): Header {
  const summary = element('p', { class: 'summary' });
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
  let settings = usualModelSettings;
  let isComparing = false;
  const again = (part: Partial<ModelSettings>): void => actions.make({ ...settings, ...part });
  const method = button({
    label: 'Method…',
    icon: 'menu',
    tooltip: 'How the models are made',
    onClick: () => openMenu('Method', methodItems(settings, again), menuPlaceBelow(method.element)),
  });
  const compare = button({
    label: 'Compare…',
    icon: 'compare',
    tooltip: 'Compare with the models of other measurements',
    onClick: () => actions.act('compare'),
  });
  const more = iconButton('more', 'Models', () =>
    openMenu(
      'Models',
      [
        { label: 'Read the Measurements Again', run: () => again({}) },
        {
          label: 'Stop Comparing',
          disabled: isComparing ? undefined : 'The models are not compared with others.',
          run: () => actions.act('compareNothing'),
        },
        { label: 'Show Another Input…', run: () => actions.act('chooseInput') },
      ],
      menuPlaceBelow(more.element),
    ),
  );
  const notes = notesList();
  const next = element('p', { class: 'next-words' });
  const measure = button({ label: 'Measure This Point', icon: 'next', onClick: actions.measureNext });
  const nextLine = element('div', { class: 'next-point row' }, next, measure.element);
  const showNext = (point: NextPoint | undefined): void => {
    nextLine.hidden = point === undefined;
    next.textContent = point === undefined ? '' : nextText(point);
  };
  showNext(undefined);
  const opened = openedHeader({
    view: 'models',
    label: 'Models',
    doing: 'Reading measurements',
    cancel: actions.cancel,
    tools: toolbar('Models', compare, method, saving, more),
    facts: [summary, notes.element, nextLine],
  });
  return {
    ...opened,
    show: (shown) => {
      opened.show(`Models of ${shown.title}`, shown);
      ({ settings, isComparing } = shown);
      saving.setDisabled(shown.kind === 'done' ? undefined : 'There are no models yet.');
      const shownHeader = shown.kind === 'done' ? shown.header : undefined;
      summary.textContent = shownHeader === undefined ? '' : summaryText(shownHeader, settings);
      notes.show(
        shownHeader === undefined ? [] : [...comparedTexts(shownHeader.compared), ...shownHeader.notes],
      );
      showNext(shownHeader?.next);
    },
  };
}

/** Everything that decides how models are made, as the command line has it. */
function methodItems(
  settings: ModelSettings,
  again: (part: Partial<ModelSettings>) => void,
): readonly MenuItem[] {
  const items = <Name extends keyof ModelSettings>(
    name: Name,
    choices: readonly (readonly [ModelSettings[Name], string])[],
  ): readonly MenuItem[] =>
    choices.map(([value, label]) => ({
      label,
      checked: settings[name] === value,
      run: () => {
        if (settings[name] !== value) again({ [name]: value });
      },
    }));
  return [
    ...items('mode', [
      ['probable', 'The Most Probable Formulas'],
      ['extra-p', 'As Extra-P'],
    ]),
    'separator',
    ...items('measure', [
      ['mean', 'Mean of the Repetitions'],
      ['median', 'Median of the Repetitions'],
      ['minimum', 'Minimum of the Repetitions'],
      ['maximum', 'Maximum of the Repetitions'],
    ]),
    'separator',
    ...items('scaling', [
      ['default', 'Locations: As the Mode Does It'],
      ['weak-threaded', 'Locations: Mean of Those That Take Part'],
      ['weak', 'Locations: Mean of All'],
      ['strong', 'Locations: Sum'],
    ]),
  ];
}
