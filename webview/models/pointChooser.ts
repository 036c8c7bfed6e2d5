import { formatRoundPercent } from '../../src/core/format';
import { type Control, element } from '../ui/base/dom';
import { iconButton } from '../ui/controls/button';
import { textField, type TextField } from '../ui/controls/textField';
import { coordinateText, readCoordinate } from './words';

export interface PointChooser extends Control {
  /** Does not call `onPoint`. */
  show(parameters: readonly string[], point: readonly number[]): void;
  /** The share (0…1) of the predictions that have arrived; the table shows those of the point before until all have. */
  setProgress(share: number): void;
}

/** Predictions begin after this time without typing. */
const restMilliseconds = 250;

/** A number for each parameter: the point that the table predicts. */
export function pointChooser(options: {
  readonly onPoint: (point: readonly number[]) => void;
  readonly onReset: () => void;
}): PointChooser {
  const place = element('span', { class: 'row point-fields' });
  const problem = element('span', { class: 'point-problem', role: 'alert' });
  const progress = element('span', { class: 'muted point-progress' });
  const reset = iconButton('zoomReset', 'Predict Ten Times the Largest Values', options.onReset);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let shown = '';
  let fields: readonly TextField[] = [];
  const read = (): void => {
    const values = fields.map((field) => readCoordinate(field.value));
    values.forEach((value, position) => fields[position]?.setInvalid(value === undefined));
    const point = values.filter((value) => value !== undefined);
    problem.textContent = point.length === values.length ? '' : 'Enter a positive number.';
    if (point.length < values.length) return;
    options.onPoint(point);
  };
  const soon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(read, restMilliseconds);
  };
  return {
    element: element(
      'div',
      { class: 'point-chooser row', role: 'group', label: 'Point to predict' },
      element('span', { class: 'muted', text: 'Predict' }),
      place,
      reset.element,
      problem,
      progress,
    ),
    setProgress: (share) => {
      progress.textContent = share < 1 ? `Predicting… ${formatRoundPercent(share)}` : '';
    },
    show: (parameters, point) => {
      clearTimeout(timer);
      problem.textContent = '';
      if (shown !== JSON.stringify(parameters)) {
        shown = JSON.stringify(parameters);
        fields = parameters.map((name) =>
          textField({ label: `Predict for ${name}`, maximumLength: 24, onInput: soon }),
        );
        place.replaceChildren(
          ...parameters.map((name, position) =>
            element(
              'span',
              { class: 'row point-field' },
              element('span', {
                class: 'point-name',
                text: `${name} =`,
                attributes: { 'aria-hidden': 'true' },
              }),
              ...(fields[position] === undefined ? [] : [fields[position].element]),
            ),
          ),
        );
      }
      fields.forEach((field, position) => {
        const wanted = point[position] ?? NaN;
        field.setInvalid(false);
        // What the user has written stays as it was written.
        if (readCoordinate(field.value) !== wanted) field.setValue(coordinateText(wanted));
      });
    },
  };
}
