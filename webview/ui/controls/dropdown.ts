import { provideVSCodeDesignSystem, vsCodeDropdown, vsCodeOption } from '@vscode/webview-ui-toolkit';
import { type Control, element, freshId } from '../base/dom';

provideVSCodeDesignSystem().register(vsCodeDropdown(), vsCodeOption());

export interface Choice<Value extends string> {
  readonly value: Value;
  readonly label: string;
  /** The user cannot choose it; its label gives the reason. */
  readonly disabled?: boolean;
}

export interface Dropdown<Value extends string> extends Control {
  readonly value: Value | undefined;
  /** Does not call `onChange`. */
  setValue(value: Value): void;
  setChoices(choices: readonly Choice<Value>[], value: Value): void;
}

/** A list to choose one of a few values. */
export function dropdown<Value extends string>(options: {
  readonly label: string;
  /** Only screen readers get the label. */
  readonly hideLabel?: boolean;
  /** Absent if `setChoices` provides them later. */
  readonly choices?: readonly Choice<Value>[];
  readonly value?: Value;
  readonly onChange: (value: Value) => void;
}): Dropdown<Value> {
  const made = document.createElement('vscode-dropdown') as HTMLElement & {
    selectedIndex: number;
    keydownHandler: (event: KeyboardEvent) => boolean | undefined;
  };
  // The toolkit takes the letter of Ctrl+F for the first one of a choice, and selects that.
  const onKey = made.keydownHandler.bind(made);
  made.keydownHandler = (event) => (event.ctrlKey || event.metaKey || event.altKey ? true : onKey(event));
  made.id = freshId('dropdown');
  made.setAttribute('aria-label', options.label);
  let choices: readonly Choice<Value>[] = [];
  let value: Value | undefined;
  const setValue = (wanted: Value | undefined): void => {
    value = wanted;
    const position = choices.findIndex((choice) => choice.value === wanted);
    for (const [index, option] of [...made.children].entries())
      option.toggleAttribute('selected', index === position);
    made.selectedIndex = position;
  };
  const setChoices = (given: readonly Choice<Value>[], wanted: Value | undefined): void => {
    choices = given;
    made.replaceChildren(
      ...given.map((choice) => {
        const option = document.createElement('vscode-option');
        option.setAttribute('value', choice.value);
        option.textContent = choice.label;
        option.toggleAttribute('disabled', choice.disabled === true);
        return option;
      }),
    );
    setValue(wanted);
    // The toolkit processes new options asynchronously and then selects the first one.
    queueMicrotask(() => {
      if (value === wanted) setValue(wanted);
    });
  };
  setChoices(options.choices ?? [], options.value ?? options.choices?.[0]?.value);
  made.addEventListener('change', () => {
    const chosen = choices[made.selectedIndex]?.value;
    if (chosen === undefined || chosen === value) return;
    value = chosen;
    options.onChange(chosen);
  });
  const field = element('div', { class: 'field' });
  if (options.hideLabel !== true)
    field.append(element('label', { class: 'muted', text: options.label, attributes: { for: made.id } }));
  field.append(made);
  return {
    element: field,
    get value() {
      return value;
    },
    setValue,
    setChoices,
  };
}
