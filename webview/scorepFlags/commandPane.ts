import type { CommandLines } from '../../src/core/scorepOptions/commandLines';
import { type Button, button } from '../ui/controls/button';
import { copyText } from '../ui/base/clipboard';
import { type Control, element, freshId } from '../ui/base/dom';
import { announce } from '../ui/base/liveRegion';

export interface CommandPane extends Control {
  show(lines: readonly CommandLines[]): void;
  /** Scrolls the first command into view. */
  focus(): void;
}

interface Section {
  readonly text: HTMLElement;
  readonly copy: Button;
  current: string;
}

const nothing = "Nothing beyond Score-P's defaults.";

/** The resulting command line and environment, ready to be copied. */
export function commandPane(): CommandPane {
  const pane = element('section', { class: 'command-pane', label: 'What this comes to' });
  const sections = new Map<string, Section>();
  return {
    element: pane,
    show: (lines) => {
      for (const line of lines) {
        const section = sections.get(line.id) ?? addSection(pane, line);
        sections.set(line.id, section);
        section.current = line.text;
        section.text.textContent = line.text === '' ? nothing : line.text;
        section.text.classList.toggle('muted', line.text === '');
        section.copy.setDisabled(line.text === '' ? nothing : undefined);
      }
    },
    focus: () => {
      const [first] = sections.values();
      pane.scrollIntoView();
      first?.text.focus();
    },
  };
}

function addSection(pane: HTMLElement, { title, hint }: CommandLines): Section {
  const heading = element('h2', { text: title });
  heading.id = freshId('command');
  const text = element('pre', {
    class: 'command-text',
    role: 'region',
    attributes: { 'aria-labelledby': heading.id, tabindex: '0' },
  });
  const copy = button({
    label: `Copy: ${title}`,
    icon: 'copy',
    appearance: 'icon',
    tooltip: 'Copy',
    onClick: () => {
      void copyText(section.current);
      announce(`Copied: ${title}`);
    },
  });
  const section: Section = { text, copy, current: '' };
  pane.append(
    element(
      'section',
      { class: 'command' },
      element('div', { class: 'command-head row' }, heading, copy.element),
      element('p', { class: 'muted', text: hint }),
      text,
    ),
  );
  return section;
}
