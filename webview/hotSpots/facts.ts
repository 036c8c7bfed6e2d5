import type { HotSpotsOpened } from '../../src/protocol/hotSpots';
import type { ChosenProcesses } from '../../src/core/views/profilePieces';
import { button } from '../ui/controls/button';
import { element } from '../ui/base/dom';
import { comparisonText, shownBaseText } from './data/comparison';
import { efficiencyTable } from './efficiency';
import type { Model } from './data/model';
import type { ProfileActions } from './profileActions';

/** `Ranks 2–4 (3 of 64) · Show All` */
function chosenMark({ text, of }: ChosenProcesses, count: number, onShowAll: () => void): HTMLElement {
  const shown = element('strong', { text, tooltip: text, class: 'ellipsis' });
  return element(
    'div',
    { class: 'chosen-processes row', role: 'status' },
    element('span', { text: 'Only' }),
    shown,
    element('span', { class: 'muted', text: `(${count} of ${of})` }),
    button({ label: 'Show All', tooltip: 'Show the values of all processes again', onClick: onShowAll })
      .element,
  );
}

/** What stands between the bar and the views: the base of shares, the comparison, the efficiency of processes. */
export class Facts {
  readonly elements: readonly HTMLElement[];
  private readonly base = element('p', { class: 'base muted' });
  private readonly comparison = element('p', { class: 'comparison muted', role: 'status' });

  constructor(
    private readonly model: Model,
    private readonly opened: HotSpotsOpened,
    actions: Pick<ProfileActions, 'choose' | 'compare'>,
  ) {
    const { main, compare } = opened;
    const stop = button({
      label: 'Stop Comparing',
      tooltip: 'Show this run by itself, here and in the source',
      onClick: () => actions.compare(-1),
    });
    this.elements = [
      ...(main.chosen === undefined
        ? []
        : [chosenMark(main.chosen, main.locations.length, () => actions.choose([]))]),
      this.base,
      ...(compare === undefined ? [] : [element('div', { class: 'row' }, this.comparison, stop.element)]),
      ...(main.efficiency === undefined ? [] : [efficiencyTable(main.efficiency, compare?.efficiency)]),
    ];
  }

  update(metric: number): void {
    const { main, compare } = this.opened;
    const text = shownBaseText(main, compare, metric);
    this.base.hidden = text === undefined;
    this.base.textContent = text ?? '';
    if (compare === undefined) return;
    const { count: callPaths, inBoth } = this.model;
    const words = comparisonText({ main, compare, callPaths, inBoth, metric });
    // Screen readers announce only changed texts.
    if (this.comparison.textContent !== words) this.comparison.textContent = words;
  }
}
