import { element } from './dom';

/** Part of a text: [from, to) in UTF-16 units. */
export type TextRange = readonly [from: number, to: number];

/** Shows text with marked parts; ranges ascend and do not overlap. */
export function setHighlighted(target: HTMLElement, text: string, ranges: readonly TextRange[]): void {
  if (ranges.length === 0) {
    if (target.childElementCount > 0 || target.textContent !== text) target.textContent = text;
    return;
  }
  const parts: (Node | string)[] = [];
  let position = 0;
  for (const [from, to] of ranges) {
    if (from > position) parts.push(text.slice(position, from));
    parts.push(element('mark', { text: text.slice(from, to) }));
    position = to;
  }
  if (position < text.length) parts.push(text.slice(position));
  target.replaceChildren(...parts);
}
