import { counted, formatCount } from '../../src/core/format';
import type { DynamicsAction, DynamicsSettings, DynamicsShown } from '../../src/protocol/dynamics';
import type { MakingProgress } from '../../src/protocol/opened';
import { button, iconButton } from '../ui/controls/button';
import { type Control, element } from '../ui/base/dom';
import { type MenuItem, menuPlaceBelow, openMenu } from '../ui/controls/menu';
import { toolbar } from '../ui/controls/toolbar';
import { notesList, openedHeader } from '../ui/opened/openedHeader';

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
  const summary = element('p', { class: 'summary' });
  const notes = notesList();
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
  const opened = openedHeader({
    view: 'dynamics',
    label: 'Analysis',
    doing: 'Analysing',
    cancel: actions.cancel,
    tools,
    facts: [summary, notes.element],
  });
  return {
    ...opened,
    show: (shown) => {
      opened.show(`Dynamics of ${shown.title}`, shown);
      ({ settings } = shown);
      tools.element.hidden = shown.kind === 'empty';
      summary.textContent = summaryText(shown);
      // The summary contains the other note.
      const isNote = (text: string): boolean => !text.startsWith('No dynamics:');
      notes.show(shown.kind === 'done' ? shown.header.notes.filter(isNote) : []);
    },
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
export const noDynamicsText = 'Nothing changes over the iterations beyond the noise.';

function summaryText(shown: DynamicsShown): string {
  if (shown.kind !== 'done') return '';
  const { iterations, phase, properties, series, noDynamics } = shown.header;
  const of = phase === undefined ? '' : ` of ${phase}`;
  const run = `${counted(iterations, 'iteration')}${of}`;
  if (noDynamics) return `${run}. ${noDynamicsText}`;
  return `${run}: ${counted(properties, 'finding')} in ${counted(series, 'series', 'series')}.`;
}
