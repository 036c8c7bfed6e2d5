import { blockOrders, type BlockOrder } from '../../../src/core/groups/differences/blocks';
import type { GroupDetails } from '../../../src/core/views/groupSummary';
import { type Control, element } from '../../ui/base/dom';
import { iconButton } from '../../ui/controls/button';
import { dropdown } from '../../ui/controls/dropdown';

/** How two groups differ, in words, beside the picture. */
export interface DetailsList extends Control {
  /** Undefined: nothing is shown. */
  readonly show: (details: GroupDetails | undefined) => void;
}

export function detailsList(options: {
  readonly order: BlockOrder;
  readonly onOrder: (order: BlockOrder) => void;
  readonly onClose: () => void;
}): DetailsList {
  const labels = { time: 'Time', share: 'Share of calls' } as const;
  const order = dropdown<BlockOrder>({
    label: 'Rank by',
    choices: blockOrders.map((value) => ({ value, label: labels[value] })),
    value: options.order,
    onChange: options.onOrder,
  });
  const words = element('div', { attributes: { 'aria-live': 'polite' } });
  const close = iconButton('close', 'Close', options.onClose);
  const own = element(
    'section',
    { class: 'group-details', label: 'How the groups differ' },
    element('div', { class: 'row' }, order.element, close.element),
    words,
  );
  own.hidden = true;
  return {
    element: own,
    show: (details) => {
      own.hidden = details === undefined;
      words.replaceChildren(
        ...(details === undefined
          ? []
          : [
              element('p', { text: details.title }),
              ...details.lists.flatMap(({ title, lines }) => [
                element('h3', { text: title }),
                element('ul', {}, ...lines.map((text) => element('li', { text }))),
              ]),
            ]),
      );
      order.element.hidden = (details?.lists.length ?? 0) === 0;
    },
  };
}
