import type { TimelineFunction } from '../../../src/core/timeline/pieces';
import { element, type Control } from '../../ui/base/dom';
import { colorGroup, css, functionRgb, themeKind, type ColorGroup } from '../picture/colors';

export interface Legend extends Control {
  /** Also after a change of the theme. */
  show(functions: readonly TimelineFunction[]): void;
  /** The group that is highlighted. */
  press(group: ColorGroup | undefined): void;
}

const labels: Readonly<Record<ColorGroup, string>> = {
  user: 'Functions of the program',
  MPI: 'MPI',
  OpenMP: 'OpenMP',
  accelerator: 'Accelerator',
  threads: 'Threads',
  'I/O': 'I/O',
  measurement: 'Measurement',
  other: 'Other',
};
const order = Object.keys(labels) as readonly ColorGroup[];

/** Which colours there are; each is a switch that highlights its functions. */
export function legend(onToggle: (group: ColorGroup) => void): Legend {
  const list = element('div', { class: 'legend', role: 'group', label: 'Colours' });
  let buttons: readonly (readonly [ColorGroup, HTMLButtonElement])[] = [];
  let pressed: ColorGroup | undefined;
  const press = (group: ColorGroup | undefined): void => {
    pressed = group;
    for (const [own, one] of buttons) one.setAttribute('aria-pressed', String(own === group));
  };
  return {
    element: list,
    show: (functions) => {
      const theme = themeKind();
      buttons = order.flatMap((group) => {
        const those = functions.filter(({ paradigm }) => colorGroup(paradigm) === group);
        if (those.length === 0) return [];
        const colors = those.slice(0, group === 'user' ? 3 : 1).map((one) => css(functionRgb(one, theme)));
        const swatches = colors.map((color) => {
          const swatch = element('span', { class: 'swatch', attributes: { 'aria-hidden': 'true' } });
          swatch.style.background = color;
          return swatch;
        });
        const made = element(
          'button',
          { class: 'legend-item', attributes: { type: 'button' }, tooltip: `Highlight: ${labels[group]}` },
          ...swatches,
          labels[group],
        );
        made.addEventListener('click', () => onToggle(group));
        return [[group, made] as const];
      });
      list.replaceChildren(...buttons.map(([, one]) => one));
      press(pressed);
    },
    press,
  };
}
