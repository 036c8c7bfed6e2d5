import { element } from '../../ui/base/dom';

/** Distance of the tip from the pointer, in pixels. */
const distance = 14;

/** A text beside the pointer, in lines of which the first is the title. */
export class SpreadTip {
  private readonly box = element('div', { class: 'spread-tip', role: 'tooltip' });

  /** @param beside the table; the tip goes when the table goes */
  show(lines: readonly string[], beside: Element | undefined, x: number, y: number): void {
    this.box.replaceChildren(...lines.map((text) => element('div', { text })));
    if (!this.box.isConnected) beside?.after(this.box);
    const { width, height } = this.box.getBoundingClientRect();
    const below = y + distance + height <= window.innerHeight;
    this.box.style.left = `${Math.max(0, Math.min(x + distance, window.innerWidth - width - 2))}px`;
    this.box.style.top = `${Math.max(0, below ? y + distance : y - distance - height)}px`;
  }

  hide(): void {
    this.box.remove();
  }
}
