import { type Control, element } from '../../ui/base/dom';
import { checkbox } from '../../ui/controls/checkbox';
import { dropdown, type Dropdown } from '../../ui/controls/dropdown';
import type { ViewState } from '../viewState';
import { coordinateText } from '../words';
import { modelChart, type DrawnPicture } from './modelChart';
import { logarithmicAxes } from './modelDrawing';

export interface PlotActions {
  readonly keep: (part: Partial<ViewState>) => void;
  /** Shows the models over another parameter. */
  readonly onParameter: (parameter: number) => void;
  /** Fixes a parameter that is not shown. */
  readonly onFixed: (parameter: number, value: number) => void;
  readonly savePicture: (kind: 'png' | 'svg' | 'csv', content: Uint8Array) => void;
}

export interface ShownPlot extends Pick<DrawnPicture, 'models' | 'metric' | 'unit'> {
  readonly parameters: readonly string[];
  /** Position of the parameter of the horizontal axis. */
  readonly parameter: number;
  /** For each parameter its measured values. */
  readonly values: readonly (readonly number[])[];
  /** Where the other parameters are fixed. */
  readonly fixed: readonly number[];
}

/** The plot of a model along one parameter, with the choice of that parameter, of the values of the others, and of the axes. */
export function plotPage(state: ViewState, actions: PlotActions): Control & { show(plot: ShownPlot): void } {
  let shown: ShownPlot | undefined;
  let { linearX, linearY } = state;
  const chart = modelChart({
    showsTable: state.chartTable,
    onShowsTable: (chartTable) => actions.keep({ chartTable }),
    onSave: actions.savePicture,
  });
  const draw = (): void =>
    chart.show(
      shown && {
        ...shown,
        parameter: shown.parameters[shown.parameter] ?? '',
        logarithmicX: !linearX,
        logarithmicY: !linearY,
      },
    );
  const parameter = dropdown<string>({
    label: 'Over',
    onChange: (value) => actions.onParameter(Number(value)),
  });
  const horizontal = checkbox({
    label: 'Logarithmic horizontal axis',
    checked: !linearX,
    onChange: (wanted) => {
      linearX = !wanted;
      actions.keep({ linearX });
      draw();
    },
  });
  const vertical = checkbox({
    label: 'Logarithmic vertical axis',
    checked: !linearY,
    onChange: (wanted) => {
      linearY = !wanted;
      actions.keep({ linearY });
      draw();
    },
  });
  const others = element('span', { class: 'row' });
  let offered = '';
  let fixedChoices: readonly (Dropdown<string> | undefined)[] = [];
  const offer = (plot: ShownPlot): void => {
    const { parameters, values, fixed } = plot;
    const wanted = JSON.stringify([parameters, plot.parameter, values]);
    parameter.element.hidden = parameters.length < 2;
    if (wanted !== offered) {
      offered = wanted;
      parameter.setChoices(
        parameters.map((name, position) => ({ value: String(position), label: name })),
        String(plot.parameter),
      );
      fixedChoices = parameters.map((name, position) =>
        position === plot.parameter
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
  return {
    element: element(
      'div',
      { class: 'plot-page fill' },
      element(
        'div',
        { class: 'plot-choices row', role: 'group', label: 'Axes' },
        parameter.element,
        others,
        horizontal.element,
        vertical.element,
      ),
      chart.element,
    ),
    show: (plot) => {
      shown = plot;
      const possible = logarithmicAxes(plot.models);
      horizontal.element.hidden = !possible.x;
      vertical.element.hidden = !possible.y;
      offer(plot);
      draw();
    },
  };
}
