import { element, type Control } from '../ui/base/dom';
import { adaptiveSplitter } from '../ui/controls/adaptiveSplitter';
import { splitter } from '../ui/controls/splitter';
import type { Pictures } from './pictures';
import type { ViewState } from './viewState';

/** Narrower panels show the profile below the picture. */
const wideEnough = 900;

/** The rows above the call stack, and the profile beside both or below them. */
export function layOut(
  pictures: Pictures,
  profile: Control,
  state: Pick<ViewState, 'rowsShare' | 'pictureShare'>,
  keep: (part: Partial<Pick<ViewState, 'rowsShare' | 'pictureShare'>>) => void,
): Control {
  const stack = element(
    'section',
    { class: 'fill stack-pane', label: 'Call stack' },
    pictures.stackTitle,
    pictures.stack.element,
  );
  const both = splitter({
    label: 'Height of the timeline',
    first: element('section', { class: 'fill', label: 'Rows by time' }, pictures.rows.element),
    second: stack,
    direction: 'rows',
    share: state.rowsShare,
    onShare: (rowsShare) => keep({ rowsShare }),
  });
  return adaptiveSplitter({
    first: { element: element('div', { class: 'fill' }, both.element), name: 'the timeline' },
    second: profile.element,
    wideEnough,
    share: state.pictureShare,
    onShare: (pictureShare) => keep({ pictureShare }),
  });
}
