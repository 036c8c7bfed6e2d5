import { type Control, element } from '../base/dom';

const focusable = 'vscode-button, button, vscode-checkbox, vscode-dropdown, input, vscode-text-field';
/** Controls that handle the arrow keys themselves. */
const ownArrows = 'vscode-dropdown, vscode-text-field, input';

/** A row of controls that is one stop in the order of Tab (WAI-ARIA toolbar pattern): Left, Right, Home and End move inside. */
export function toolbar(label: string, ...controls: readonly (Control | 'gap')[]): Control {
  const bar = element('div', { class: 'toolbar row', role: 'toolbar', label });
  for (const control of controls)
    bar.append(control === 'gap' ? element('span', { class: 'toolbar-gap' }) : control.element);
  const stops = (): readonly HTMLElement[] =>
    [...bar.querySelectorAll<HTMLElement>(focusable)].filter((stop) => stop.offsetParent !== null);
  const rove = (to: HTMLElement): void => {
    for (const stop of bar.querySelectorAll<HTMLElement>(focusable))
      if (!stop.matches(ownArrows)) setTabStop(stop, stop === to || to.matches(ownArrows));
  };
  bar.addEventListener('focusin', (event) => {
    const stop = event.target instanceof Element ? event.target.closest<HTMLElement>(focusable) : null;
    if (stop !== null && !stop.matches(ownArrows)) rove(stop);
  });
  bar.addEventListener('keydown', (event) => {
    const from = event.target instanceof Element ? event.target.closest<HTMLElement>(focusable) : null;
    if (from === null || from.matches(ownArrows)) return;
    const all = stops();
    const position = all.indexOf(from);
    const to = { ArrowRight: position + 1, ArrowLeft: position - 1, Home: 0, End: all.length - 1 }[event.key];
    const target = to === undefined ? undefined : all[(to + all.length) % all.length];
    if (target === undefined) return;
    event.preventDefault();
    target.focus();
  });
  const first = bar.querySelector<HTMLElement>(focusable);
  if (first !== null) rove(first);
  return { element: bar };
}

/**
 * Makes a control the tab stop of the toolbar, or not. A toolkit button has its stop on an inner element, which follows `tabindex` of the
 * outer one.
 */
function setTabStop(stop: HTMLElement, isStop: boolean): void {
  stop.setAttribute('tabindex', isStop ? '0' : '-1');
}
