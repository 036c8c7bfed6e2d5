import { element } from '../ui/base/dom';
import { flameColors, type FlameColors } from '../ui/flame/flameColors';
import { setHighlighted, type TextRange } from '../ui/base/highlight';
import { onThemeChange } from '../ui/base/theme';

let colors: FlameColors | undefined;
onThemeChange(() => (colors = undefined));

/**
 * Fills a cell with a name behind a box whose colour and filling show the size of its value. The box is decoration: the number stands beside
 * it.
 * @param share 0…1; undefined: there is no whole
 */
export function fillNamed(
  cell: HTMLElement,
  name: { readonly text: string; readonly ranges: readonly TextRange[]; readonly tag: string },
  share: number | undefined,
  isNegative: boolean,
): void {
  const [known, text, tag] = cell.children;
  const parts =
    known instanceof HTMLElement && text instanceof HTMLElement && tag instanceof HTMLElement
      ? { box: known, text, tag }
      : made(cell);
  const size = Math.min(1, Math.abs(share ?? 0));
  colors ??= flameColors();
  parts.box.style.backgroundColor =
    share === undefined || size === 0 ? 'transparent' : colors.fill(Math.sqrt(size)).fill;
  parts.box.style.setProperty('--share', `${(size * 100).toFixed(1)}%`);
  parts.box.classList.toggle('negative', isNegative);
  setHighlighted(parts.text, name.text, name.ranges);
  parts.tag.textContent = name.tag;
  parts.tag.hidden = name.tag === '';
}

function made(cell: HTMLElement): { box: HTMLElement; text: HTMLElement; tag: HTMLElement } {
  const box = element('span', { class: 'box', attributes: { 'aria-hidden': 'true' } });
  const text = element('span', { class: 'box-name' });
  const tag = element('span', { class: 'tag' });
  cell.replaceChildren(box, text, tag);
  return { box, text, tag };
}
