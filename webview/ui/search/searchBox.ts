import { iconButton } from '../controls/button';
import { type Control, element, setAttribute } from '../base/dom';
import { announce } from '../base/liveRegion';
import { labelledField } from '../controls/textField';

export interface SearchQuery {
  readonly text: string;
  readonly regex: boolean;
}

/** Number of matches, and the position of the shown one (0-based; −1: none). */
export interface SearchOutcome {
  readonly matches: number;
  readonly current: number;
  /** Error of the regular expression. */
  readonly error?: string | undefined;
}

export interface SearchBox extends Control {
  readonly query: SearchQuery;
  /** Does not call `onQuery`. */
  setQuery(query: SearchQuery): void;
  setOutcome(outcome: SearchOutcome): void;
  focus(): void;
}

/** A search starts after this time without typing. */
const restMilliseconds = 80;

/** Text or regular expression, number of matches, next and previous. Enter: next, Shift+Enter: previous, Escape: clear, Alt+R: regex. */
export function searchBox(options: {
  readonly label: string;
  readonly onQuery: (query: SearchQuery) => void;
  /** Moves to the next (+1) or previous (−1) match; absent for a box that only filters. */
  readonly onStep?: (direction: 1 | -1) => void;
  /** Called on Escape in an empty box. */
  readonly onLeave?: () => void;
}): SearchBox {
  const field = labelledField(options.label);
  field.setAttribute('placeholder', options.label);
  const count = element('span', { class: 'search-count muted' });
  let regex = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const query = (): SearchQuery => ({ text: field.value, regex });
  const ask = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (field.value === '') setOutcome({ matches: 0, current: -1 });
    options.onQuery(query());
  };
  const setRegex = (wanted: boolean): void => {
    regex = wanted;
    regexButton.setPressed(wanted);
  };
  const toggleRegex = (): void => {
    setRegex(!regex);
    ask();
  };
  const regexButton = iconButton('regex', 'Use Regular Expression (Alt+R)', toggleRegex, {
    shortcut: 'Alt+R',
  });
  const setOutcome = ({ matches, current, error }: SearchOutcome): void => {
    const place =
      current >= 0 ? `${current + 1} of ${matches}` : matches === 1 ? '1 match' : `${matches} matches`;
    const text = field.value === '' ? '' : (error ?? (matches === 0 ? 'No matches' : place));
    if (count.textContent === text) return;
    count.textContent = text;
    count.classList.toggle('error', error !== undefined || (matches === 0 && text !== ''));
    setAttribute(field, 'aria-invalid', error === undefined ? undefined : 'true');
    if (text !== '') announce(text);
  };
  const step = (direction: 1 | -1): void => {
    if (timer !== undefined) ask();
    options.onStep?.(direction);
  };
  field.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(ask, restMilliseconds);
  });
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') step(event.shiftKey ? -1 : 1);
    else if (event.key === 'Escape' && field.value !== '') {
      field.value = '';
      ask();
    } else if (event.key === 'Escape') options.onLeave?.();
    else if (event.altKey && event.code === 'KeyR') toggleRegex();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  const box = element('div', { class: 'search-box', role: 'search' }, field, regexButton.element, count);
  regexButton.setPressed(false);
  if (options.onStep !== undefined)
    box.append(
      iconButton('up', 'Previous Match (Shift+Enter)', () => step(-1)).element,
      iconButton('down', 'Next Match (Enter)', () => step(1)).element,
    );
  return {
    element: box,
    get query() {
      return query();
    },
    setQuery: (wanted) => {
      field.value = wanted.text;
      setRegex(wanted.regex);
    },
    setOutcome,
    focus: () => {
      field.focus();
      field.shadowRoot?.querySelector('input')?.select();
    },
  };
}
