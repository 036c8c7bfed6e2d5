import { type Control, element } from '../../ui/base/dom';
import { announce } from '../../ui/base/liveRegion';
import { iconButton } from '../../ui/controls/button';
import { labelledField } from '../../ui/controls/textField';

export interface Finder extends Control {
  focus(): void;
  /** What a search came to; empty: nothing to say. */
  setOutcome(text: string, isError?: boolean): void;
}

/** A search starts after this time without typing. */
const restMilliseconds = 150;

/** Finds names, and steps through differences. Enter: next, Shift+Enter: previous, Escape: clear. */
export function finder(options: {
  readonly text: string;
  /** Finds the next match, or with `isHere` the current one as well. */
  readonly onFind: (text: string, direction: 1 | -1, isHere: boolean) => void;
  readonly onText: (text: string) => void;
  readonly onDifference: (direction: 1 | -1) => void;
  readonly hidesOptions: boolean;
  readonly onHideOptions: (hides: boolean) => void;
  readonly onLeave: () => void;
}): Finder {
  const field = labelledField('Find a name');
  field.setAttribute('placeholder', 'Find a name');
  field.setAttribute('maxlength', '1000');
  field.value = options.text;
  const outcome = element('span', { class: 'search-count muted' });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const setOutcome = (text: string, isError = false): void => {
    outcome.textContent = text;
    outcome.classList.toggle('error', isError);
    if (text !== '') announce(text);
  };
  const find = (direction: 1 | -1, isHere: boolean): void => {
    clearTimeout(timer);
    setOutcome('');
    if (field.value !== '') options.onFind(field.value, direction, isHere);
  };
  field.addEventListener('input', () => {
    clearTimeout(timer);
    options.onText(field.value);
    timer = setTimeout(() => find(1, true), restMilliseconds);
  });
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') find(event.shiftKey ? -1 : 1, false);
    else if (event.key === 'Escape' && field.value !== '') {
      field.value = '';
      options.onText('');
      setOutcome('');
    } else if (event.key === 'Escape') options.onLeave();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  let hides = options.hidesOptions;
  const showOptions = iconButton('menu', 'Options', () => {
    hides = !hides;
    showOptions.setPressed(!hides);
    options.onHideOptions(hides);
  });
  showOptions.setPressed(!hides);
  return {
    element: element(
      'div',
      { class: 'finder row' },
      showOptions.element,
      element(
        'div',
        { class: 'search-box', role: 'search' },
        field,
        iconButton('up', 'Previous Match (Shift+Enter)', () => find(-1, false)).element,
        iconButton('down', 'Next Match (Enter)', () => find(1, false)).element,
        outcome,
      ),
      element(
        'div',
        { class: 'difference-steps row', role: 'group', label: 'Differences' },
        element('span', { class: 'muted', text: 'Difference' }),
        iconButton('up', 'Previous Difference (Shift+F7 or P)', () => options.onDifference(-1), {
          shortcut: 'Shift+F7',
        }).element,
        iconButton('down', 'Next Difference (F7 or N)', () => options.onDifference(1), { shortcut: 'F7' })
          .element,
      ),
    ),
    focus: () => {
      field.focus();
      field.shadowRoot?.querySelector('input')?.select();
    },
    setOutcome,
  };
}
