import { type Control, element } from '../base/dom';

export interface Badge extends Control {
  setText(text: string): void;
}

/** A short word or number beside a title. (The toolkit's own needs a style attribute, which the page's policy forbids.) */
export function badge(text: string): Badge {
  const made = element('span', { class: 'badge', text });
  return { element: made, setText: (wanted) => (made.textContent = wanted) };
}
