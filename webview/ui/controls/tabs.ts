import { type Control, element, freshId } from '../base/dom';

export interface Tab<Id extends string> {
  readonly id: Id;
  readonly label: string;
  readonly content: HTMLElement;
}

export interface Tabs<Id extends string> extends Control {
  readonly selected: Id;
  /** Does not call `onSelect`. */
  select(id: Id): void;
}

/** Shows one of several pages (WAI-ARIA tabs pattern: arrows move and select, Home and End). */
export function tabs<Id extends string>(options: {
  readonly label: string;
  readonly tabs: readonly [Tab<Id>, ...Tab<Id>[]];
  readonly selected?: Id;
  readonly onSelect?: (id: Id) => void;
  /** Shown at the end of the row of tabs. */
  readonly extra?: HTMLElement;
}): Tabs<Id> {
  let selected: Id = options.selected ?? options.tabs[0].id;
  const heads = options.tabs.map(({ id, label, content }) => {
    const head = element('button', {
      class: 'tab',
      role: 'tab',
      text: label,
      attributes: { type: 'button' },
    });
    head.id = freshId('tab');
    const attributes = { id: freshId('tabpanel'), 'aria-labelledby': head.id };
    const page = element('div', { class: 'tab-content', role: 'tabpanel', attributes }, content);
    head.setAttribute('aria-controls', page.id);
    head.addEventListener('click', () => choose(id));
    return { id, head, page };
  });
  const show = (): void => {
    for (const { id, head, page } of heads) {
      const isSelected = id === selected;
      head.setAttribute('aria-selected', String(isSelected));
      head.tabIndex = isSelected ? 0 : -1;
      page.hidden = !isSelected;
    }
  };
  const choose = (id: Id): void => {
    if (id === selected) return;
    selected = id;
    show();
    options.onSelect?.(id);
  };
  const list = element(
    'div',
    { class: 'tab-list', role: 'tablist', label: options.label },
    ...heads.map(({ head }) => head),
  );
  list.addEventListener('keydown', (event) => {
    const position = heads.findIndex(({ id }) => id === selected);
    const to = { ArrowRight: position + 1, ArrowLeft: position - 1, Home: 0, End: heads.length - 1 }[
      event.key
    ];
    const target = to === undefined ? undefined : heads[(to + heads.length) % heads.length];
    if (target === undefined) return;
    event.preventDefault();
    choose(target.id);
    target.head.focus();
  });
  show();
  const bar = element(
    'div',
    { class: 'tab-bar' },
    list,
    ...(options.extra === undefined ? [] : [options.extra]),
  );
  const all = element('div', { class: 'tabs' }, bar, ...heads.map(({ page }) => page));
  return {
    element: all,
    get selected() {
      return selected;
    },
    select: (id) => {
      selected = id;
      show();
    },
  };
}
