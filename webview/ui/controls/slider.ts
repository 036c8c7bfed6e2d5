import { type Control, element, freshId } from '../base/dom';

export interface Slider extends Control {
  readonly position: number;
  /** Does not call `onChange`. */
  setPosition(position: number): void;
  setCount(count: number): void;
}

/** Chooses one of several steps; `onChange` is called while the user moves. The text of the step is shown beside it and read out. */
export function slider(options: {
  readonly label: string;
  /** Number of steps. */
  readonly count: number;
  readonly position: number;
  readonly text: (position: number) => string;
  readonly tooltip?: string;
  readonly onChange: (position: number) => void;
}): Slider {
  const input = element('input', {
    class: 'slider-input',
    label: options.label,
    tooltip: options.tooltip ?? options.label,
  });
  input.type = 'range';
  input.id = freshId('slider');
  input.min = '0';
  input.step = '1';
  const value = element('span', { class: 'slider-value', attributes: { 'aria-hidden': 'true' } });
  const show = (): void => {
    const text = options.text(input.valueAsNumber);
    value.textContent = text;
    input.setAttribute('aria-valuetext', text);
  };
  const setPosition = (position: number): void => {
    input.value = String(position);
    show();
  };
  input.addEventListener('input', () => {
    show();
    options.onChange(input.valueAsNumber);
  });
  const setCount = (count: number): void => {
    input.max = String(Math.max(0, count - 1));
    show();
  };
  setCount(options.count);
  setPosition(options.position);
  return {
    element: element(
      'div',
      { class: 'field slider' },
      element('label', { class: 'muted', text: options.label, attributes: { for: input.id } }),
      input,
      value,
    ),
    get position() {
      return input.valueAsNumber;
    },
    setPosition,
    setCount,
  };
}
