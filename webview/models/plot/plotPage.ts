import type { ModelPlane } from '../../../src/core/views/models/modelPieces';
import { type Control, element } from '../../ui/base/dom';
import { checkbox, type Checkbox } from '../../ui/controls/checkbox';
import { dropdown, type Dropdown } from '../../ui/controls/dropdown';
import type { ViewState } from '../viewState';
import { coordinateText } from '../words';
import { modelChart, type DrawnPicture } from './modelChart';
import { logarithmicAxes } from './modelDrawing';
import { planeChart } from './planeChart';

export interface PlotActions {
  readonly keep: (part: Partial<ViewState>) => void;
  /** Shows the models over another parameter, or over the plane of two. */
  readonly onParameters: (parameter: number, second: number | undefined) => void;
  /** Fixes a parameter that is not shown. */
  readonly onFixed: (parameter: number, value: number) => void;
  /** The cells of a map lie otherwise. */
  readonly onAxes: () => void;
  readonly savePicture: (kind: 'png' | 'svg' | 'csv', content: Uint8Array) => void;
}

export interface ShownPlot extends Pick<DrawnPicture, 'metric' | 'unit'> {
  readonly parameters: readonly string[];
  /** Position of the parameter of the horizontal axis. */
  readonly parameter: number;
  /** For each parameter its measured values. */
  readonly values: readonly (readonly number[])[];
  /** Where the other parameters are fixed. */
  readonly fixed: readonly number[];
  /** Curves, or a map over this parameter and another one. */
  readonly content:
    | { readonly kind: 'curves'; readonly models: DrawnPicture['models'] }
    | {
        readonly kind: 'plane';
        readonly second: number;
        readonly plane: ModelPlane;
        /** The model that is shown, where another one is selected, too. */
        readonly name?: string;
      };
}

const noSecond = '';

/** The plot of a model along one parameter or two, with the choice of these, of the values of the others, and of the axes. */
export function plotPage(state: ViewState, actions: PlotActions): Control & { show(plot: ShownPlot): void } {
  let shown: ShownPlot | undefined;
  let { linearX, linearY, linearSecond } = state;
  const options = {
    showsTable: state.chartTable,
    onShowsTable: (chartTable: boolean) => actions.keep({ chartTable }),
    onSave: actions.savePicture,
  };
  const chart = modelChart(options);
  const map = planeChart(options);
  const place = element('div', { class: 'fill' });
  const draw = (): void => {
    if (shown === undefined) return;
    const { content, parameters, parameter: first } = shown;
    const name = (position: number): string => parameters[position] ?? '';
    const isPlane = content.kind === 'plane';
    const picture = isPlane ? map.element : chart.element;
    if (place.firstChild !== picture) place.replaceChildren(picture);
    if (isPlane)
      map.show({
        ...shown,
        plane: content.plane,
        parameters: [name(first), name(content.second)],
        logarithmic: [!linearX, !linearSecond, !linearY],
      });
    else
      chart.show({
        ...shown,
        models: content.models,
        parameter: name(first),
        logarithmicX: !linearX,
        logarithmicY: !linearY,
      });
  };
  const parameter = dropdown<string>({
    label: 'Over',
    onChange: (value) => actions.onParameters(Number(value), secondOf(shown)),
  });
  const second = dropdown<string>({
    label: 'and',
    onChange: (value) =>
      actions.onParameters(shown?.parameter ?? 0, value === noSecond ? undefined : Number(value)),
  });
  const axis = (
    label: string,
    isLinear: boolean,
    set: (wanted: boolean) => void,
    changed: () => void = draw,
  ): Checkbox =>
    checkbox({
      label,
      checked: !isLinear,
      onChange: (wanted) => {
        set(!wanted);
        actions.keep({ linearX, linearY, linearSecond });
        changed();
      },
    });
  const axesChanged = (): void => {
    draw();
    if (secondOf(shown) !== undefined) actions.onAxes();
  };
  const horizontal = axis('Logarithmic horizontal axis', linearX, (is) => (linearX = is), axesChanged);
  const vertical = axis('Logarithmic vertical axis', linearY, (is) => (linearY = is));
  const upright = axis('Logarithmic vertical axis', linearSecond, (is) => (linearSecond = is), axesChanged);
  const shades = axis('Logarithmic colours', linearY, (is) => (linearY = is));
  const of = element('span', { class: 'muted' });
  const others = element('span', { class: 'row' });
  let offered = '';
  let fixedChoices: readonly (Dropdown<string> | undefined)[] = [];
  const offer = (plot: ShownPlot): void => {
    const { parameters, values, fixed } = plot;
    const other = secondOf(plot);
    const wanted = JSON.stringify([parameters, plot.parameter, other, values]);
    parameter.element.hidden = parameters.length < 2;
    second.element.hidden = parameters.length < 2;
    if (wanted !== offered) {
      offered = wanted;
      const choices = parameters.map((name, position) => ({ value: String(position), label: name }));
      parameter.setChoices(choices, String(plot.parameter));
      second.setChoices(
        [
          { value: noSecond, label: 'nothing else' },
          ...choices.filter((_, position) => position !== plot.parameter),
        ],
        other === undefined ? noSecond : String(other),
      );
      fixedChoices = parameters.map((name, position) =>
        position === plot.parameter || position === other
          ? undefined
          : dropdown({
              label: `${name} =`,
              choices: (values[position] ?? []).map((value) => ({
                value: String(value),
                label: coordinateText(value),
              })),
              value: String(fixed[position]),
              onChange: (value) => actions.onFixed(position, Number(value)),
            }),
      );
      others.replaceChildren(...fixedChoices.flatMap((choice) => choice?.element ?? []));
    }
    fixedChoices.forEach((choice, position) => choice?.setValue(String(fixed[position])));
  };
  const offerAxes = ({ content }: ShownPlot): void => {
    const isPlane = content.kind === 'plane';
    const possible = isPlane
      ? { x: content.plane.ranges[0][0] > 0, y: content.plane.ranges[1][0] > 0 }
      : logarithmicAxes(content.models);
    horizontal.element.hidden = !possible.x;
    vertical.element.hidden = isPlane || !possible.y;
    upright.element.hidden = !isPlane || !possible.y;
    shades.element.hidden = !isPlane;
    // Both stand for the axis of values.
    vertical.setChecked(!linearY);
    shades.setChecked(!linearY);
    of.textContent = isPlane && content.name !== undefined ? `Map of ${content.name}` : '';
  };
  return {
    element: element(
      'div',
      { class: 'plot-page fill' },
      element(
        'div',
        { class: 'plot-choices row', role: 'group', label: 'Axes' },
        parameter.element,
        second.element,
        others,
        horizontal.element,
        vertical.element,
        upright.element,
        shades.element,
        of,
      ),
      place,
    ),
    show: (plot) => {
      shown = plot;
      offerAxes(plot);
      offer(plot);
      draw();
    },
  };
}

function secondOf(plot: ShownPlot | undefined): number | undefined {
  return plot?.content.kind === 'plane' ? plot.content.second : undefined;
}
