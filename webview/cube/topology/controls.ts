import { visibleControls } from '../../../src/core/names/visibleControls';
import type { CubeTopology, TopologyDimension } from '../../../src/core/views/cubePieces';
import { element, type Control } from '../../ui/base/dom';
import type { Button } from '../../ui/controls/button';
import { dropdown } from '../../ui/controls/dropdown';
import { slider } from '../../ui/controls/slider';
import { dimensionsToChoose, withSlices, type TopologyChoice } from './grid';

export interface TopologyControlEvents {
  readonly onTopology: (topology: number) => void;
  readonly onChoice: (choice: TopologyChoice) => void;
}

interface Chosen {
  readonly dimensions: readonly TopologyDimension[];
  readonly choice: TopologyChoice;
}

/** Chooses the topology, the dimensions that are rows and columns, and what is shown of the others. */
export class TopologyControls implements Control {
  readonly element: HTMLElement;
  private readonly choices = element('div', { class: 'topology-choices' });
  private key = '';

  constructor(
    private readonly topologies: readonly CubeTopology[],
    private readonly toggle: Button,
    private readonly events: TopologyControlEvents,
  ) {
    this.element = element('div', { class: 'topology-head' }, this.choices, toggle.element);
  }

  setTable(isTable: boolean): void {
    this.toggle.setPressed(isTable);
  }

  /** @param chosen undefined: the topology cannot be shown */
  show(topology: number, chosen: Chosen | undefined): void {
    // Controls that the user is moving stay what they are: only other dimensions need other ones.
    const key = JSON.stringify([topology, chosen?.choice.rows, chosen?.choice.columns]);
    if (key === this.key) return;
    const focused = [...this.choices.children].findIndex((child) => child.contains(document.activeElement));
    this.key = key;
    this.choices.replaceChildren(
      this.topologyChoice(topology),
      ...(chosen === undefined ? [] : this.dimensionChoices(chosen)),
    );
    const again = this.choices.children[focused]?.querySelector<HTMLElement>('vscode-dropdown, input');
    again?.focus();
  }

  private topologyChoice(topology: number): HTMLElement {
    const title = ({ name, dimensions }: CubeTopology, position: number): string => {
      const sizes = dimensions.map(({ size }) => size).join(' × ');
      return `${name === '' ? `Topology ${position + 1}` : visibleControls(name)} (${sizes})`;
    };
    const [only] = this.topologies;
    if (only !== undefined && this.topologies.length === 1)
      return element('span', { class: 'topology-name', text: title(only, 0) });
    return dropdown({
      label: 'Topology',
      hideLabel: true,
      choices: this.topologies.map((one, position) => ({
        value: String(position),
        label: title(one, position),
      })),
      value: String(topology),
      onChange: (value) => this.events.onTopology(Number(value)),
    }).element;
  }

  private dimensionChoices({ dimensions, choice }: Chosen): readonly HTMLElement[] {
    const sizes = dimensions.map(({ size }) => size);
    const wide = dimensionsToChoose(sizes);
    const { rows, columns } = choice;
    const title = (dimension: number): string => titleOf(dimensions[dimension]);
    if (columns === undefined) return [element('span', { class: 'muted', text: title(rows) })];
    const select = (label: string, value: number, onChange: (dimension: number) => void): HTMLElement =>
      dropdown({
        label,
        choices: wide.map((dimension) => ({ value: String(dimension), label: title(dimension) })),
        value: String(value),
        onChange: (chosen) => onChange(Number(chosen)),
      }).element;
    const { onChoice } = this.events;
    // The dimension that was there before takes the other place.
    const changed = (newRows: number, newColumns: number): void =>
      onChoice(withSlices(sizes, newRows, newColumns));
    return [
      select('Rows', rows, (dimension) => changed(dimension, dimension === columns ? rows : columns)),
      select('Columns', columns, (dimension) => changed(dimension === rows ? columns : rows, dimension)),
      ...this.sliders(wide, dimensions, choice),
    ];
  }

  private sliders(
    wide: readonly number[],
    dimensions: readonly TopologyDimension[],
    { rows, columns, slices }: TopologyChoice,
  ): readonly HTMLElement[] {
    const now = [...slices];
    return wide
      .filter((dimension) => dimension !== rows && dimension !== columns)
      .map(
        (dimension) =>
          slider({
            label: titleOf(dimensions[dimension]),
            count: (dimensions[dimension]?.size ?? 0) + 1,
            position: (slices[dimension] ?? -1) + 1,
            text: (position) => (position === 0 ? 'all' : String(position - 1)),
            tooltip: 'All in planes side by side, or one coordinate',
            onChange: (position) => {
              now[dimension] = position === 0 ? undefined : position - 1;
              this.events.onChoice({ rows, columns, slices: [...now] });
            },
          }).element,
      );
  }
}

function titleOf({ name, size, periodic }: Partial<TopologyDimension> = {}): string {
  return `${visibleControls(name ?? '')} (${size ?? 0}${periodic === true ? ', periodic' : ''})`;
}
