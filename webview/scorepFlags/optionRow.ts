import { longestValue } from '../../src/core/scorepOptions/checkValue';
import { lacking, lackingAll } from '../../src/core/scorepOptions/offered';
import type { AdviceRule, OfferedScorep, ScorepOption } from '../../src/core/scorepOptions/option';
import { button } from '../ui/controls/button';
import { type Control, element, freshId } from '../ui/base/dom';
import { dropdown } from '../ui/controls/dropdown';
import { icon } from '../ui/base/icons';
import { textField } from '../ui/controls/textField';
import type { Moment } from './model';

export interface OptionRow extends Control {
  readonly option: ScorepOption;
  show(moment: Moment): void;
}

const weights = { none: 'Free', low: 'Low', medium: 'Medium', high: 'High' } as const;

/** An option: its description, value and cost; below that missing features, errors and advice. */
export function optionRow(option: ScorepOption, onValue: (value: string) => void): OptionRow {
  const { id, label, help, cost, kymo } = option;
  const written = element('code', { class: 'written muted' });
  const notes = element('div', { class: 'notes', attributes: { 'aria-live': 'polite' } });
  const setting = element('td', { role: 'cell', class: 'setting' });
  const control = valueControl(option, onValue);
  const absent = element('span', { class: 'muted', text: 'Not available' });
  setting.append(control.element, absent);
  const head = element(
    'th',
    { role: 'rowheader', attributes: { scope: 'row' } },
    element('div', { class: 'option-name' }, element('span', { class: 'label', text: label }), written),
    element('p', { class: 'help muted', text: kymo === undefined ? help : `${help} ${kymo.text}` }),
    notes,
  );
  head.id = freshId('option');
  const row = element(
    'tr',
    { role: 'row', class: 'option', attributes: { 'data-option': id } },
    head,
    setting,
    element(
      'td',
      { role: 'cell', class: 'cost' },
      element('span', { class: `weight ${cost.weight}`, text: weights[cost.weight] }),
      element('span', { class: 'cost-text muted', text: cost.text }),
    ),
  );
  let notesOf = '';
  return {
    element: row,
    option,
    show: ({ values, base, offered, advice, problems, changed }) => {
      const value = values[id] ?? '';
      const unavailable = offered === undefined ? undefined : lackingAll(option, offered);
      const hidden = unavailable !== undefined && value === '';
      control.element.hidden = hidden;
      absent.hidden = !hidden;
      control.show(value, base.values[id], offered, problems[id] !== undefined);
      written.textContent = writtenAs(option, value);
      row.classList.toggle('lacking', hidden);
      row.classList.toggle('changed', changed.includes(id));
      const wanted = notesFor(option, value, offered, problems[id], advice);
      // Screen readers must not repeat unchanged texts.
      const text = JSON.stringify(wanted);
      if (text === notesOf) return;
      notesOf = text;
      notes.replaceChildren(...wanted.map((note) => noteElement(note, option, onValue)));
    },
  };
}

interface Note {
  readonly kind: 'error' | 'warning' | 'info';
  readonly text: string;
  readonly fix?: string;
}

function notesFor(
  option: ScorepOption,
  value: string,
  offered: OfferedScorep | undefined,
  problem: string | undefined,
  advice: readonly AdviceRule[],
): readonly Note[] {
  const notes: Note[] = [];
  if (problem !== undefined) notes.push({ kind: 'error', text: problem });
  const missing =
    offered === undefined ? undefined : (lackingAll(option, offered) ?? lacking(option, value, offered));
  if (missing !== undefined) notes.push({ kind: value === '' ? 'info' : 'warning', text: missing });
  for (const { severity, text, fix } of advice.filter((rule) => rule.option === option.id))
    notes.push({ kind: severity, text, ...(fix === undefined ? {} : { fix }) });
  return notes;
}

function noteElement(
  { kind, text, fix }: Note,
  option: ScorepOption,
  onValue: (value: string) => void,
): HTMLElement {
  const parts: Node[] = [
    icon(kind),
    element('span', { text }),
    ...(fix === undefined
      ? []
      : [button({ label: `Set to ${choiceLabel(option, fix)}`, onClick: () => onValue(fix) }).element]),
  ];
  return element('div', { class: `note row ${kind}`, role: kind === 'error' ? 'alert' : 'note' }, ...parts);
}

function choiceLabel({ input }: ScorepOption, value: string): string {
  const choices = input.kind === 'choice' ? input.choices : [];
  const label = choices.find((choice) => choice.value === value)?.label ?? value;
  return label.replace(' (default)', '');
}

/** The flag or variable as Score-P reads it; empty for a flag with its default. */
function writtenAs({ place }: ScorepOption, value: string): string {
  switch (place.kind) {
    case 'flag':
      return place.prefix ?? value;
    case 'variable':
      return place.name;
    case 'filtering':
      return '"filtering"';
  }
}

interface ValueControl extends Control {
  show(value: string, inFile: string | undefined, offered: OfferedScorep | undefined, invalid: boolean): void;
}

function valueControl(option: ScorepOption, onValue: (value: string) => void): ValueControl {
  const { input, label } = option;
  if (input.kind === 'text') {
    const field = textField({
      label,
      placeholder: input.placeholder,
      maximumLength: longestValue,
      onInput: (value) => onValue(value.trim()),
    });
    return {
      element: field.element,
      show: (value, _inFile, _offered, invalid) => {
        // A trailing blank remains, because the user is about to continue.
        if (field.value.trim() !== value) field.setValue(value);
        field.setInvalid(invalid);
      },
    };
  }
  const list = dropdown<string>({ label, hideLabel: true, onChange: onValue });
  let listed = '';
  return {
    element: list.element,
    show: (value, inFile, offered) => {
      const offeredValues = new Set(input.choices.map((choice) => choice.value));
      const others = [...new Set([inFile ?? '', value])].filter((other) => !offeredValues.has(other));
      const choices = [
        ...input.choices.map((choice) => {
          const disabled =
            offered !== undefined &&
            choice.value !== '' &&
            lacking(option, choice.value, offered) !== undefined;
          return {
            value: choice.value,
            label: disabled ? `${choice.label} (not in this Score-P)` : choice.label,
            disabled,
          };
        }),
        ...others.map((other) => ({ value: other, label: `${other} (kymo.json)` })),
      ];
      // Setting equal choices would close an open list.
      const text = JSON.stringify(choices);
      if (text === listed) {
        if (list.value !== value) list.setValue(value);
      } else {
        listed = text;
        list.setChoices(choices, value);
      }
    },
  };
}
