import { provideVSCodeDesignSystem, vsCodeTextField } from '@vscode/webview-ui-toolkit';
import { type Control, setAttribute } from '../base/dom';

provideVSCodeDesignSystem().register(vsCodeTextField());

export interface TextField extends Control {
  readonly value: string;
  /** Does not call `onInput`. */
  setValue(value: string): void;
  /** Marks the text as invalid; the owner shows the reason. */
  setInvalid(invalid: boolean): void;
}

/** A line of text; `onInput` is called with each change. */
export function textField(options: {
  /** Label for screen readers. */
  readonly label: string;
  readonly placeholder?: string;
  readonly maximumLength: number;
  readonly onInput: (value: string) => void;
}): TextField {
  const field = labelledField(options.label);
  setAttribute(field, 'placeholder', options.placeholder);
  field.setAttribute('maxlength', String(options.maximumLength));
  field.addEventListener('input', () => options.onInput(field.value));
  return {
    element: field,
    get value() {
      return field.value;
    },
    setValue: (value) => {
      // Writing the same text would move the cursor.
      if (field.value !== value) field.value = value;
    },
    setInvalid: (invalid) => {
      setAttribute(field, 'aria-invalid', invalid ? 'true' : undefined);
      field.classList.toggle('invalid', invalid);
    },
  };
}

/**
 * Creates a text field with a label. The toolkit sets a label of its own on a field without text each time it is inserted; an observer
 * restores this one.
 */
export function labelledField(label: string): HTMLElement & { value: string } {
  const field = document.createElement('vscode-text-field') as HTMLElement & { value: string };
  const set = (): void => setAttribute(field, 'aria-label', label);
  new MutationObserver(set).observe(field, { attributes: true, attributeFilter: ['aria-label'] });
  set();
  return field;
}
