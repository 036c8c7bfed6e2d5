import { visibleControls } from '../../src/core/names/visibleControls';
import { formatCount } from '../../src/core/format';
import type { DynamicsAction, DynamicsSettings, DynamicsShown } from '../../src/protocol/dynamics';
import type { MakingProgress } from '../../src/protocol/opened';
import { button, iconButton } from '../ui/controls/button';
import { type Control, element } from '../ui/base/dom';
import { type MenuItem, menuPlaceBelow, openMenu } from '../ui/controls/menu';
import { progressBar } from '../ui/controls/progress';
import { toolbar } from '../ui/controls/toolbar';
import { plural } from './base/words';

export interface Header extends Control {
  show(shown: DynamicsShown): void;
  setProgress(progress: MakingProgress | undefined): void;
}

const bursts = [0, 64, 256, 1024] as const;

/** The input, a summary of the result, and the settings of the analysis. */
export function header(actions: {
  readonly analyse: (settings: DynamicsSettings) => void;
  readonly cancel: () => void;
  readonly act: (action: DynamicsAction) => void;
}): Header {
  const title = element('h1', { class: 'title ellipsis' });
  const summary = element('p', { class: 'summary' });
  const notes = element('ul', { class: 'notes muted' });
  const bar = progressBar('Analysis');
  const doing = element('span', { class: 'muted' });
  const cancel = button({ label: 'Cancel', icon: 'stop', onClick: actions.cancel });
  const working = element('div', { class: 'working row' }, doing, cancel.element);
  let settings: DynamicsSettings = { burst: 0, improvements: false };
  const again = (part: Partial<DynamicsSettings>): void => actions.analyse({ ...settings, ...part });
  const more = iconButton('more', 'Analysis', () =>
    openMenu('Analysis', menuItems(settings, again, actions.act), menuPlaceBelow(more.element)),
  );
  const tools = toolbar(
    'Analysis',
    button({
      label: 'Compare…',
      icon: 'compare',
      tooltip: 'Compare two runs on a common axis',
      onClick: () => actions.act('compare'),
    }),
    more,
  );
  const setProgress = (progress: MakingProgress | undefined): void => {
    working.hidden = progress === undefined;
    bar.element.classList.toggle('idle', progress === undefined);
    if (progress === undefined) return;
    bar.setFraction(progress.fraction);
    doing.textContent = progress.message;
  };
  setProgress(undefined);
  return {
    element: element(
      'header',
      { class: 'dynamics-header' },
      element('div', { class: 'title-row row' }, title, tools.element),
      summary,
      notes,
      working,
      bar.element,
    ),
    show: (shown) => {
      title.textContent = `Dynamics of ${visibleControls(shown.title)}`;
      title.title = title.textContent;
      ({ settings } = shown);
      tools.element.hidden = shown.kind === 'empty';
      summary.textContent = summaryText(shown);
      notes.replaceChildren(
        ...(shown.kind === 'done' ? shown.header.notes : [])
          // The summary contains this note.
          .filter((text) => !text.startsWith('No dynamics:'))
          .map((text) => element('li', { text })),
      );
      setProgress(shown.kind === 'making' ? (shown.progress ?? { message: 'Analysing' }) : undefined);
    },
    setProgress,
  };
}

function menuItems(
  settings: DynamicsSettings,
  again: (part: Partial<DynamicsSettings>) => void,
  act: (action: DynamicsAction) => void,
): readonly MenuItem[] {
  const lengths: readonly number[] = bursts;
  const offered = lengths.includes(settings.burst) ? lengths : [...lengths, settings.burst];
  return [
    { label: 'Analyse Again', run: () => again({}) },
    {
      label: 'Improvements, Too',
      checked: settings.improvements,
      run: () => again({ improvements: !settings.improvements }),
    },
    'separator',
    ...offered.map((burst) => ({
      label: burst === 0 ? 'Bursts: Automatic' : `Bursts of ${formatCount(burst)} Iterations`,
      checked: settings.burst === burst,
      run: () => again({ burst }),
    })),
    'separator',
    { label: 'Thresholds…', run: () => act('settings') },
    { label: 'Analyse Another File…', run: () => act('openFile') },
  ];
}

/** Text of the empty list and the header without findings. */
export const noDynamicsText =
  'Nothing that matters changes over the iterations: the time dimension is irrelevant here.';

function summaryText(shown: DynamicsShown): string {
  if (shown.kind !== 'done') return '';
  const { iterations, phase, properties, series, noDynamics } = shown.header;
  const of = phase === undefined ? '' : ` of ${phase}`;
  const run = `${plural(iterations, 'iteration')}${of}`;
  if (noDynamics) return `${run}. ${noDynamicsText}`;
  return `${run}: ${plural(properties, 'finding')} in ${plural(series, 'series', 'series')}.`;
}
