import { provideVSCodeDesignSystem, vsCodeButton } from '@vscode/webview-ui-toolkit';
import { type Control, setAttribute } from '../base/dom';
import { icon, type IconName } from '../base/icons';
import { announce } from '../base/liveRegion';

provideVSCodeDesignSystem().register(vsCodeButton());

export interface ButtonOptions {
  /** Text of the button; if it shows only its icon, text for screen readers. */
  readonly label: string;
  readonly icon?: IconName;
  /** `icon` shows nothing but the icon. */
  readonly appearance?: 'primary' | 'secondary' | 'icon';
  readonly tooltip?: string;
  /** As in `aria-keyshortcuts`, e.g. `Control+F`; the owner handles the keys. */
  readonly shortcut?: string;
  readonly onClick: () => void;
}

export interface Button extends Control {
  setLabel(label: string): void;
  /** Disables the button with a reason, which is shown and read out; undefined enables it. It remains in the order of Tab. */
  setDisabled(reason: string | undefined): void;
  setTooltip(tooltip: string): void;
  /** Sets the state of a toggle button. */
  setPressed(pressed: boolean): void;
  focus(): void;
}

export function button(options: ButtonOptions): Button {
  const { appearance = 'secondary' } = options;
  const made = document.createElement('vscode-button');
  made.setAttribute('appearance', appearance);
  setAttribute(made, 'aria-keyshortcuts', options.shortcut);
  let tooltip = options.tooltip ?? (appearance === 'icon' ? options.label : '');
  made.title = tooltip;
  // The text is not in a span, because the toolkit makes those as small as an icon.
  const text = document.createTextNode('');
  if (options.icon !== undefined) {
    const picture = icon(options.icon);
    // The toolkit's slot for an icon beside a text.
    if (appearance !== 'icon') picture.setAttribute('slot', 'start');
    made.append(picture);
  }
  if (appearance !== 'icon') made.append(text);
  const setLabel = (label: string): void => {
    text.data = label;
    made.setAttribute('aria-label', label);
  };
  setLabel(options.label);
  let disabledReason: string | undefined;
  made.addEventListener('click', () => {
    if (disabledReason === undefined) options.onClick();
    else announce(disabledReason);
  });
  return {
    element: made,
    setLabel,
    setDisabled: (reason) => {
      disabledReason = reason;
      setAttribute(made, 'aria-disabled', reason === undefined ? undefined : 'true');
      setAttribute(made, 'aria-description', reason);
      made.title = reason ?? tooltip;
    },
    setTooltip: (text) => {
      tooltip = text;
      made.title = disabledReason ?? text;
    },
    setPressed: (pressed) => {
      made.setAttribute('aria-pressed', String(pressed));
      // The toolkit hands the property to its inner button, which has the focus, and not the attribute.
      made.ariaPressed = String(pressed);
      made.classList.toggle('pressed', pressed);
    },
    focus: () => made.focus(),
  };
}

/** A button with only an icon; the label is its tooltip and its text for screen readers. */
export function iconButton(
  name: IconName,
  label: string,
  onClick: () => void,
  options: { readonly shortcut?: string } = {},
): Button {
  return button({ label, icon: name, appearance: 'icon', onClick, ...options });
}
