import { element, type Control } from '../ui/base/dom';
import { iconButton } from '../ui/controls/button';
import { checkbox } from '../ui/controls/checkbox';
import { toolbar } from '../ui/controls/toolbar';
import type { TimeAction } from './time/keys';
import { zoomStep } from './time/keys';

const hint = 'Wheel: zoom · Shift+wheel: move · drag: select a range · drag on the axis: zoom';

export interface Tools extends Control {
  /** What undo and redo do, in words; undefined: nothing. */
  setHistory(undoes: string | undefined, redoes: string | undefined): void;
  setMessages(shown: boolean, words: string): void;
}

/** The buttons above the picture, each for a key of it. */
export function tools(actions: {
  readonly act: (action: TimeAction) => void;
  readonly onMessages: (shown: boolean) => void;
  readonly search: Control;
  readonly legend: Control;
}): Tools {
  const { act } = actions;
  const zoomIn = iconButton('zoomIn', 'Zoom In (+)', () => act({ kind: 'zoom', factor: 1 / zoomStep }), {
    shortcut: '+',
  });
  const zoomOut = iconButton('zoomOut', 'Zoom Out (−)', () => act({ kind: 'zoom', factor: zoomStep }), {
    shortcut: '-',
  });
  const all = iconButton('zoomReset', 'Show Everything (Home)', () => act({ kind: 'whole' }), {
    shortcut: 'Home',
  });
  const undo = iconButton('undo', 'Undo Zoom', () => act({ kind: 'undo' }), { shortcut: 'Control+Z' });
  const redo = iconButton('redo', 'Redo Zoom', () => act({ kind: 'redo' }), { shortcut: 'Control+Y' });
  const lower = iconButton('lower', 'Lower Rows ([)', () => act({ kind: 'height', by: -1 }), {
    shortcut: '[',
  });
  const higher = iconButton('higher', 'Higher Rows (])', () => act({ kind: 'height', by: 1 }), {
    shortcut: ']',
  });
  const messages = checkbox({ label: 'Messages', onChange: actions.onMessages });
  const words = element('span', { class: 'muted count' });
  return {
    element: element(
      'div',
      { class: 'timeline-tools' },
      toolbar(
        'Timeline',
        zoomIn,
        zoomOut,
        all,
        undo,
        redo,
        lower,
        higher,
        messages,
        { element: words },
        'gap',
        actions.search,
      ).element,
      element(
        'div',
        { class: 'legend-line' },
        actions.legend.element,
        element('span', { class: 'timeline-hint muted ellipsis', text: hint }),
      ),
    ),
    setHistory: (undoes, redoes) => {
      undo.setDisabled(undoes === undefined ? 'There is no zoom to undo.' : undefined);
      undo.setTooltip(`Undo: ${undoes ?? ''} (Ctrl+Z)`);
      redo.setDisabled(redoes === undefined ? 'There is no zoom to redo.' : undefined);
      redo.setTooltip(`Redo: ${redoes ?? ''} (Ctrl+Y)`);
    },
    setMessages: (shown, text) => {
      messages.setChecked(shown);
      words.textContent = shown ? text : '';
    },
  };
}
