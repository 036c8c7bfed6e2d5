import { provideVSCodeDesignSystem, vsCodeCheckbox } from '@vscode/webview-ui-toolkit';
import type { Control } from '../base/dom';

provideVSCodeDesignSystem().register(vsCodeCheckbox());

export interface Checkbox extends Control {
  readonly checked: boolean;
  /** Does not call `onChange`. */
  setChecked(checked: boolean): void;
}

export function checkbox(options: {
  readonly label: string;
  readonly checked?: boolean;
  readonly onChange: (checked: boolean) => void;
}): Checkbox {
  const made = document.createElement('vscode-checkbox') as HTMLElement & { checked: boolean };
  made.textContent = options.label;
  let checked = options.checked ?? false;
  made.checked = checked;
  made.addEventListener('change', () => {
    if (made.checked === checked) return;
    checked = made.checked;
    options.onChange(checked);
  });
  return {
    element: made,
    get checked() {
      return checked;
    },
    setChecked: (value) => {
      checked = value;
      made.checked = value;
    },
  };
}
