import { at } from '../../../src/core/at';
import type { ProcessGroups } from '../../../src/core/views/groupSummary';
import { writtenNumbers } from '../../../src/core/views/writtenNumbers';
import { rangesOf, type ProcessRanges } from '../../../src/core/views/ranks/processRanges';
import { element } from '../../ui/base/dom';
import { button } from '../../ui/controls/button';
import { textField } from '../../ui/controls/textField';

/** A field for the numbers of the processes to show, its button, and what is wrong with the text. */
export function processList(
  { noun, numbers }: Pick<ProcessGroups, 'noun' | 'numbers'>,
  onChoose: (processes: ProcessRanges) => void,
): readonly HTMLElement[] {
  const title = noun === 'rank' ? 'Ranks' : 'Threads';
  const most = numbers.reduce((largest, number) => Math.max(largest, number), 0);
  const error = element('span', { class: 'group-list-error', role: 'alert' });
  const fail = (text: string): void => {
    field.setInvalid(text !== '');
    error.textContent = text;
  };
  const field = textField({
    label: title,
    placeholder: `${title}, such as 0, 2–4`,
    maximumLength: 1000,
    onInput: () => fail(''),
  });
  const show = (): void => {
    const wanted = writtenNumbers(field.value, 1 + most);
    const chosen = [...numbers.keys()].filter((position) => wanted?.has(at(numbers, position)) === true);
    if (wanted === undefined) fail(`Write ${noun}s such as 0, 2–4.`);
    else if (chosen.length === 0) fail(`The run has no such ${noun}.`);
    else {
      fail('');
      onChoose(rangesOf(chosen));
    }
  };
  field.element.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') show();
  });
  return [field.element, button({ label: 'Show Only These', onClick: show }).element, error];
}
