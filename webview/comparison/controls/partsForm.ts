import type { ComparedView } from '../../../src/core/trace/comparisonPieces';
import type { ComparedPart } from '../../../src/protocol/comparison';
import { type Control, element } from '../../ui/base/dom';
import { button } from '../../ui/controls/button';
import { textField, type TextField } from '../../ui/controls/textField';
import { partText, readPart, type WrittenPart } from './parts';

export interface PartsForm extends Control {
  show(views: readonly ComparedView[], parts: readonly ComparedPart[]): void;
  focus(): void;
}

/** Which rank and which iterations of its trace each view shows. */
export function partsForm(actions: {
  readonly onChoose: (parts: readonly ComparedPart[]) => void;
  readonly onClose: () => void;
}): PartsForm {
  const list = element('div', { class: 'parts-list' });
  const problem = element('p', { class: 'parts-problem', role: 'alert' });
  let fields: readonly { readonly rank?: TextField; readonly iterations?: TextField }[] = [];
  let shown: readonly ComparedView[] = [];
  const choose = (): void => {
    const parts: ComparedPart[] = [];
    for (const [view, { rank, iterations }] of fields.entries()) {
      const written: WrittenPart = { rank: rank?.value ?? '', iterations: iterations?.value ?? '' };
      const of = shown[view];
      const read = of === undefined ? undefined : readPart(written, of);
      if (read === undefined) return;
      rank?.setInvalid(read.problem === 'rank');
      iterations?.setInvalid(read.problem === 'iterations');
      if (read.problem !== undefined) {
        problem.textContent = `View ${view + 1}: ${read.message}`;
        return;
      }
      parts.push(read.part);
    }
    problem.textContent = '';
    actions.onChoose(parts);
  };
  const form = element(
    'section',
    { class: 'parts-form', label: 'Ranks and iterations' },
    list,
    problem,
    element(
      'div',
      { class: 'row' },
      button({ label: 'Compare These', appearance: 'primary', onClick: choose }).element,
      button({ label: 'Close', onClick: actions.onClose }).element,
    ),
  );
  form.addEventListener('input', () => {
    problem.textContent = '';
    for (const field of fields) for (const one of [field.rank, field.iterations]) one?.setInvalid(false);
  });
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') actions.onClose();
    else if (
      event.key === 'Enter' &&
      event.target instanceof HTMLElement &&
      event.target.localName === 'vscode-text-field'
    )
      choose();
  });
  return {
    element: form,
    show: (views, parts) => {
      shown = views;
      problem.textContent = '';
      const rows = views.map((of, view) => {
        const written = partText(parts[view] ?? {});
        const rank =
          of.ranks > 1
            ? partField(`Rank of view ${view + 1}`, `all, or 0–${of.ranks - 1}`, written.rank)
            : undefined;
        const iterations =
          of.iterations > 0
            ? partField(`Iterations of view ${view + 1}`, `all, or 1–${of.iterations}`, written.iterations)
            : undefined;
        const line = element(
          'div',
          { class: 'parts-line row' },
          element('span', {
            class: 'parts-name ellipsis',
            text: `${view + 1}: ${of.name}`,
            tooltip: of.name,
          }),
          ...(rank === undefined ? [] : [element('span', { class: 'muted', text: 'Rank' }), rank.element]),
          ...(iterations === undefined
            ? []
            : [element('span', { class: 'muted', text: 'Iterations' }), iterations.element]),
          ...(rank === undefined && iterations === undefined
            ? [element('span', { class: 'muted', text: 'one process without marks of iterations' })]
            : []),
        );
        return { line, ...(rank && { rank }), ...(iterations && { iterations }) };
      });
      list.replaceChildren(...rows.map(({ line }) => line));
      fields = rows;
    },
    focus: () => list.querySelector<HTMLElement>('vscode-text-field')?.focus(),
  };
}

function partField(label: string, placeholder: string, value: string): TextField {
  const field = textField({ label, placeholder, maximumLength: 30, onInput: () => undefined });
  field.setValue(value);
  return field;
}
