import type { CommandLines } from '../../src/core/scorepOptions/commandLines';
import { iconButton } from '../ui/controls/button';
import { copyText } from '../ui/base/clipboard';
import { type Control, element } from '../ui/base/dom';
import { announce } from '../ui/base/liveRegion';

export interface QuickLine extends Control {
  show(lines: readonly CommandLines[]): void;
}

/** The command line for a view that is too narrow for two columns: always visible, with a button to the others below. */
export function quickLine(goToAll: () => void): QuickLine {
  const text = element('code', { class: 'quick-text' });
  const copy = iconButton('copy', 'Copy Command Line', () => {
    void copyText(text.textContent);
    announce('Copied the command line');
  });
  const all = iconButton('down', 'All Command Lines', goToAll);
  return {
    element: element('div', { class: 'quick' }, text, copy.element, all.element),
    show: (lines) => {
      text.textContent = lines.find(({ id }) => id === 'prefix')?.text ?? '';
    },
  };
}
