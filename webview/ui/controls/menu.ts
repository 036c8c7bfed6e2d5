import { copyText } from '../base/clipboard';
import { element } from '../base/dom';

export type MenuItem =
  | {
      readonly label: string;
      /** Keyboard shortcut, as shown to the user. */
      readonly keys?: string | undefined;
      /** State of an item that the user switches on and off. */
      readonly checked?: boolean | undefined;
      /** Reason why the item is disabled. */
      readonly disabled?: string | undefined;
      readonly run: () => void;
    }
  | 'separator';

/** Position of a menu, in pixels of the page. */
export interface MenuPlace {
  readonly x: number;
  readonly y: number;
}

/** A menu item that copies a text. */
export function copyItem(label: string, text: string, keys?: string): MenuItem {
  return { label, keys, run: () => void copyText(text) };
}

let open: OpenMenu | undefined;

interface OpenMenu {
  close(): void;
}

/**
 * Opens a context menu (WAI-ARIA menu pattern: arrows, Home, End, first letter, Enter, Escape) and closes any other. Closing it restores the
 * focus.
 */
export function openMenu(label: string, items: readonly MenuItem[], place: MenuPlace): void {
  open?.close();
  const before = document.activeElement instanceof HTMLElement ? document.activeElement : undefined;
  const menu = element('div', { class: 'menu', role: 'menu', label });
  const entries: HTMLElement[] = [];
  for (const item of items) {
    if (item === 'separator') menu.append(element('div', { class: 'menu-separator', role: 'separator' }));
    else {
      const entry = menuEntry(item, () => close(true));
      entries.push(entry);
      menu.append(entry);
    }
  }
  const close = (giveFocusBack: boolean): void => {
    if (open !== self) return;
    open = undefined;
    document.removeEventListener('pointerdown', outside, true);
    window.removeEventListener('blur', leave);
    menu.remove();
    if (giveFocusBack) before?.focus();
  };
  const self: OpenMenu = { close: () => close(false) };
  const outside = (event: Event): void => {
    if (!(event.target instanceof Node && menu.contains(event.target))) close(false);
  };
  const leave = (): void => close(false);
  menu.addEventListener('keydown', (event) => {
    event.stopPropagation();
    if (event.key === 'Escape' || event.key === 'Tab') {
      event.preventDefault();
      close(true);
      return;
    }
    const target = entryFor(event.key, entries);
    if (target === undefined) return;
    event.preventDefault();
    target.focus();
  });
  open = self;
  document.body.append(menu);
  const { width, height } = menu.getBoundingClientRect();
  menu.style.left = `${Math.max(0, Math.min(place.x, window.innerWidth - width - 2))}px`;
  menu.style.top = `${Math.max(0, Math.min(place.y, window.innerHeight - height - 2))}px`;
  document.addEventListener('pointerdown', outside, true);
  window.addEventListener('blur', leave);
  entries[0]?.focus();
}

/** The position below the element that opens the menu. */
export function menuPlaceBelow(anchor: Element): MenuPlace {
  const { left, bottom } = anchor.getBoundingClientRect();
  return { x: left, y: bottom };
}

function menuEntry(item: Exclude<MenuItem, 'separator'>, close: () => void): HTMLElement {
  const entry = element(
    'div',
    { class: 'menu-item', role: item.checked === undefined ? 'menuitem' : 'menuitemcheckbox' },
    element('span', {
      class: 'menu-check',
      text: item.checked === true ? '✓' : '',
      attributes: { 'aria-hidden': 'true' },
    }),
    element('span', { class: 'menu-label ellipsis', text: item.label }),
    element('span', {
      class: 'menu-keys',
      text: item.disabled ?? item.keys ?? '',
      attributes: { 'aria-hidden': 'true' },
    }),
  );
  entry.tabIndex = -1;
  entry.setAttribute('aria-label', item.label);
  if (item.checked !== undefined) entry.setAttribute('aria-checked', String(item.checked));
  if (item.disabled !== undefined) {
    entry.setAttribute('aria-disabled', 'true');
    entry.setAttribute('aria-description', item.disabled);
    entry.title = item.disabled;
  }
  const run = (): void => {
    if (item.disabled !== undefined) return;
    close();
    item.run();
  };
  entry.addEventListener('click', run);
  entry.addEventListener('pointermove', () => entry.focus());
  entry.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    run();
  });
  return entry;
}

function entryFor(key: string, entries: readonly HTMLElement[]): HTMLElement | undefined {
  const focused = entries.findIndex((entry) => entry === document.activeElement);
  const count = entries.length;
  const to = {
    ArrowDown: (focused + 1) % count,
    ArrowUp: (focused - 1 + count) % count,
    Home: 0,
    End: count - 1,
  }[key];
  if (to !== undefined) return entries[to];
  if (key.length !== 1) return undefined;
  const letter = key.toLowerCase();
  const rotated = [...entries.slice(focused + 1), ...entries.slice(0, focused + 1)];
  return rotated.find((entry) => entry.getAttribute('aria-label')?.toLowerCase().startsWith(letter) === true);
}
