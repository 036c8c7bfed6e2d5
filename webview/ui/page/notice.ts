import { element, type Control } from '../base/dom';

/** A message about an event, above a view until the user dismisses it. The view remains visible. */
export interface Notice extends Control {
  readonly say: (text: string, action?: { readonly label: string; readonly run: () => void }) => void;
  readonly hide: () => void;
}

export function notice(): Notice {
  const line = element('div', { class: 'notice', role: 'alert' });
  const hide = (): void => {
    line.hidden = true;
  };
  hide();
  return {
    element: line,
    hide,
    say: (text, action) => {
      line.replaceChildren(
        element('span', { text }),
        ...(action === undefined ? [] : [noticeButton(action.label, action.run)]),
        noticeButton('Dismiss', hide),
      );
      line.hidden = false;
    },
  };
}

function noticeButton(label: string, run: () => void): HTMLElement {
  const made = element('button', { class: 'notice-close', text: label, attributes: { type: 'button' } });
  made.addEventListener('click', run);
  return made;
}
