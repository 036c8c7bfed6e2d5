import { button } from '../controls/button';
import { type Control, element } from '../base/dom';
import { icon } from '../base/icons';
import { progressRing } from '../controls/progress';

/** A message in place of a view without content. */
export type Message =
  | { readonly kind: 'loading'; readonly text: string }
  | { readonly kind: 'empty'; readonly text: string; readonly action?: MessageAction }
  | {
      readonly kind: 'error';
      readonly text: string;
      readonly detail?: string;
      readonly action?: MessageAction;
    };

interface MessageAction {
  readonly label: string;
  readonly run: () => void;
}

export interface MessageArea extends Control {
  /** Shows a message; undefined hides the area. */
  show(message: Message | undefined): void;
}

/** Loading, empty and error states: the situation, its reason, and the next step. */
export function messageArea(): MessageArea {
  const area = element('div', { class: 'message-area' });
  area.hidden = true;
  return {
    element: area,
    show: (message) => {
      area.hidden = message === undefined;
      area.replaceChildren(...(message === undefined ? [] : parts(message)));
      area.setAttribute('role', message?.kind === 'error' ? 'alert' : 'status');
    },
  };
}

function parts(message: Message): readonly Node[] {
  const text = element('p', { text: message.text });
  if (message.kind === 'loading') return [progressRing('Loading').element, text];
  const all: Node[] = [icon(message.kind === 'error' ? 'error' : 'info'), text];
  if (message.kind === 'error' && message.detail !== undefined)
    all.push(element('p', { class: 'detail', text: message.detail }));
  if (message.action !== undefined) {
    const { label, run } = message.action;
    all.push(button({ label, appearance: 'primary', onClick: run }).element);
  }
  return all;
}
