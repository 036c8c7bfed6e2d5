import { element } from './dom';

let region: HTMLElement | undefined;

/** Says something to people who use a screen reader, without moving the focus. The last announcement wins. */
export function announce(text: string): void {
  if (region === undefined) {
    region = element('div', {
      class: 'visually-hidden',
      role: 'status',
      attributes: { 'aria-live': 'polite' },
    });
    document.body.append(region);
  }
  // The same text again is announced again only when it changes.
  region.textContent = region.textContent === text ? `${text}\u00a0` : text;
}
