import type { ComparisonHeader } from '../../../src/core/trace/comparisonPieces';
import type { ComparisonAction, ComparisonExport, ComparisonShown } from '../../../src/protocol/comparison';
import type { MakingProgress } from '../../../src/protocol/opened';
import { type Control, element } from '../../ui/base/dom';
import { icon } from '../../ui/base/icons';
import { button, iconButton } from '../../ui/controls/button';
import { menuPlaceBelow, openMenu } from '../../ui/controls/menu';
import { toolbar } from '../../ui/controls/toolbar';
import { openedHeader } from '../../ui/opened/openedHeader';

export interface Header extends Control {
  show(shown: ComparisonShown): void;
  setProgress(progress: MakingProgress | undefined): void;
  /** @param undoes what can be undone, and done again; undefined: nothing */
  setHistory(undoes: string | undefined, redoes: string | undefined): void;
}

/** The title, what can be done with the comparison, what is to be known about it, and the progress while it is made. */
export function header(actions: {
  readonly undo: () => void;
  readonly redo: () => void;
  readonly cancel: () => void;
  readonly act: (action: ComparisonAction) => void;
  readonly chooseParts: () => void;
  readonly again: () => void;
  readonly save: (format: ComparisonExport['format']) => void;
}): Header {
  const undo = iconButton('undo', 'Undo', actions.undo, { shortcut: 'Control+Z' });
  const redo = iconButton('redo', 'Redo', actions.redo, { shortcut: 'Control+Y' });
  const parts = button({
    label: 'Ranks and Iterations…',
    icon: 'menu',
    tooltip: 'Compare other ranks or iterations of these traces',
    onClick: actions.chooseParts,
  });
  const swap = button({
    label: 'Swap',
    icon: 'swap',
    tooltip: 'Show the views in the opposite order',
    onClick: () => actions.act('swap'),
  });
  const saving = button({
    label: 'Export…',
    icon: 'export',
    tooltip: 'Save the differences and rows',
    onClick: () =>
      openMenu(
        'Export',
        [
          { label: 'JSON…', run: () => actions.save('json') },
          { label: 'CSV…', run: () => actions.save('csv') },
        ],
        menuPlaceBelow(saving.element),
      ),
  });
  const more = iconButton('more', 'More', () =>
    openMenu(
      'More',
      [
        { label: 'Compare Other Traces…', run: () => actions.act('chooseInputs') },
        { label: 'Read the Traces Again', run: actions.again },
      ],
      menuPlaceBelow(more.element),
    ),
  );
  const notes = element('ul', { class: 'comparison-notes', label: 'Notes' });
  const opened = openedHeader({
    view: 'comparison',
    label: 'Comparison',
    doing: 'Reading traces',
    cancel: actions.cancel,
    tools: toolbar('Comparison', undo, redo, parts, swap, saving, more),
    facts: [notes],
  });
  return {
    ...opened,
    show: (shown) => {
      opened.show(shown.title, shown);
      const done = shown.kind === 'done' ? shown.header : undefined;
      const missing = done === undefined ? 'Nothing is compared yet.' : undefined;
      saving.setDisabled(missing);
      swap.setDisabled(missing);
      parts.setDisabled(missing ?? partsMissing(done));
      showNotes(notes, done);
    },
    setHistory: (undoes, redoes) => {
      undo.setTooltip(`Undo ${undoes ?? ''} (Ctrl+Z)`);
      undo.setDisabled(undoes === undefined ? 'There is nothing to undo.' : undefined);
      redo.setTooltip(`Redo ${redoes ?? ''} (Ctrl+Y)`);
      redo.setDisabled(redoes === undefined ? 'There is nothing to redo.' : undefined);
    },
  };
}

/** Why there is nothing to choose; undefined: there is. */
function partsMissing(of: ComparisonHeader | undefined): string | undefined {
  const has = of?.views.some(({ ranks, iterations }) => ranks > 1 || iterations > 0) === true;
  return has ? undefined : 'These traces have one process each, and no marks of iterations.';
}

function showNotes(list: HTMLElement, of: ComparisonHeader | undefined): void {
  const notes = of?.notes ?? [];
  list.hidden = notes.length === 0;
  list.replaceChildren(...notes.map((text) => element('li', {}, icon('warning'), element('span', { text }))));
}
