import { element } from './dom';

let region: HTMLElement | undefined;

/** Announces a text to users of a screen reader, without moving the focus. The last announcement wins. */
export function announce(text: string): void {
  if (region === undefined) {
    region = element('div', {
      class: 'visually-hidden',
      role: 'status',
      attributes: { 'aria-live': 'polite' },
    });
    document.body.append(region);
  }
  // Screen readers repeat an announcement only if the text changes.
  region.textContent = region.textContent === text ? `${text}\u00a0` : text;
}
