import { element, type Control } from '../base/dom';
import { isHighContrast, onThemeChange } from '../base/theme';
import { flameColors } from './flameColors';

export interface ColourScale extends Control {
  readonly setLabel: (label: string) => void;
}

const stops = 16;

/**
 * A legend for colours of shares: from none to all. High contrast themes have no colours for values, and no scale.
 * @param least text at the beginning of the scale
 * @param most text at its end
 */
export function colourScale(label: string, least: string, most: string): ColourScale {
  const bar = element('span', { class: 'colour-bar', attributes: { 'aria-hidden': 'true' } });
  const title = element('span', { class: 'colour-label', text: label });
  const scale = element(
    'span',
    { class: 'colour-scale' },
    title,
    element('span', { text: least }),
    bar,
    element('span', { text: most }),
  );
  const paint = (): void => {
    scale.hidden = isHighContrast();
    const colors = flameColors();
    const shades = Array.from({ length: stops + 1 }, (_, stop) => colors.fill(Math.sqrt(stop / stops)).fill);
    bar.style.backgroundImage = `linear-gradient(to right, ${shades.join(', ')})`;
  };
  paint();
  onThemeChange(paint);
  return {
    element: scale,
    setLabel: (text) => {
      title.textContent = text;
    },
  };
}
