import { element } from '../../ui/base/dom';

export interface TipText {
  readonly title: string;
  readonly lines: readonly string[];
}

/** What is under the pointer. Keys announce the same. */
export class Tip {
  readonly element = element('div', { class: 'flame-tip', attributes: { 'aria-hidden': 'true' } });

  constructor() {
    this.element.hidden = true;
  }

  /** @param within the scrolled element that the tip is in */
  show(text: TipText | undefined, x: number, y: number, within: HTMLElement): void {
    if (text === undefined) {
      this.hide();
      return;
    }
    this.element.replaceChildren(
      element('strong', { text: text.title }),
      ...text.lines.map((line) => element('span', { text: line })),
    );
    this.element.hidden = false;
    const { offsetWidth, offsetHeight } = this.element;
    const { clientWidth, clientHeight, scrollTop } = within;
    const left = Math.max(0, Math.min(x + 12, clientWidth - offsetWidth - 4));
    // Above the pointer where there is no room below: it never covers what it describes.
    const top = y + 18 + offsetHeight > clientHeight ? y - offsetHeight - 8 : y + 18;
    this.element.style.left = `${left.toFixed(0)}px`;
    this.element.style.top = `${(scrollTop + Math.max(0, top)).toFixed(0)}px`;
  }

  hide(): void {
    this.element.hidden = true;
  }
}
