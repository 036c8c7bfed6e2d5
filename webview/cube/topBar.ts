import { counted } from '../../src/core/format';
import type { CubeHeader } from '../../src/core/views/cubePieces';
import type { CubeAction } from '../../src/protocol/cube';
import { button, iconButton } from '../ui/controls/button';
import { element, type Control } from '../ui/base/dom';
import { menuPlaceBelow, openMenu } from '../ui/controls/menu';
import { toolbar } from '../ui/controls/toolbar';

const formats = {
  csv: 'CSV Table',
  json: 'JSON',
  speedscope: 'speedscope',
  png: 'Flame Graph as PNG',
} as const;

/** The description of the file, and the actions on the whole file. */
export class TopBar implements Control {
  readonly element: HTMLElement;

  constructor(
    { callPaths, regions, locations, metrics }: CubeHeader,
    fullNames: boolean,
    events: {
      readonly onFullNames: (fullNames: boolean) => void;
      readonly onAct: (action: CubeAction) => void;
      readonly onSave: (kind: keyof typeof formats) => void;
    },
  ) {
    let isFull = fullNames;
    const names = iconButton('source', 'Full C++ Names', () => {
      isFull = !isFull;
      names.setPressed(isFull);
      events.onFullNames(isFull);
    });
    names.setPressed(isFull);
    const hotSpots = button({
      label: 'Hot Spots',
      icon: 'flame',
      tooltip: 'Open as hot spots: shares, overhead and comparison with other runs',
      onClick: () => events.onAct('hotSpots'),
    });
    const compare = button({
      label: 'Compare…',
      icon: 'compare',
      tooltip: 'Compare with another profile, call path by call path',
      onClick: () => events.onAct('compare'),
    });
    const save = iconButton('save', 'Save As…', () =>
      openMenu(
        'Save As',
        (['csv', 'json', 'speedscope', 'png'] as const).map((kind) => ({
          label: formats[kind],
          run: () => events.onSave(kind),
        })),
        menuPlaceBelow(save.element),
      ),
    );
    const counts = [
      counted(metrics.filter(({ hidden }) => hidden !== true).length, 'metric'),
      counted(callPaths, 'call path'),
      counted(regions, 'region'),
      counted(locations, 'location'),
    ];
    this.element = element(
      'div',
      { class: 'top row' },
      element('span', { class: 'top-facts muted ellipsis', text: counts.join(' · ') }),
      toolbar('Profile', hotSpots, compare, names, save).element,
    );
  }
}
