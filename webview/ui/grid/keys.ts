/** The action of a key in a grid (WAI-ARIA treegrid pattern, focus on rows). Pure, tested without a browser. */
export type GridAction =
  | { readonly kind: 'move'; readonly by: number }
  | { readonly kind: 'page'; readonly direction: 1 | -1 }
  | { readonly kind: 'start' }
  | { readonly kind: 'end' }
  | { readonly kind: 'open' }
  | { readonly kind: 'close' }
  | { readonly kind: 'siblings' }
  | { readonly kind: 'activate' }
  | { readonly kind: 'menu' }
  | { readonly kind: 'type'; readonly text: string };

export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
}

const plain: Readonly<Record<string, GridAction>> = {
  ArrowDown: { kind: 'move', by: 1 },
  ArrowUp: { kind: 'move', by: -1 },
  PageDown: { kind: 'page', direction: 1 },
  PageUp: { kind: 'page', direction: -1 },
  Home: { kind: 'start' },
  End: { kind: 'end' },
  ArrowRight: { kind: 'open' },
  ArrowLeft: { kind: 'close' },
  '*': { kind: 'siblings' },
  Enter: { kind: 'activate' },
  ContextMenu: { kind: 'menu' },
};

/** The action of a key; undefined if the grid does not handle it. */
export function gridAction(press: KeyPress): GridAction | undefined {
  const { key } = press;
  if (press.ctrlKey || press.metaKey || press.altKey) return undefined;
  if (key === 'F10' && press.shiftKey) return { kind: 'menu' };
  if (Object.hasOwn(plain, key)) return plain[key];
  return key.length === 1 && key !== ' ' ? { kind: 'type', text: key } : undefined;
}

/** Letters typed within this time belong to the same word. */
const restMilliseconds = 700;

/** Collects typed letters to find a row by its beginning; repeating one letter steps through the rows that begin with it. */
export class TypeAhead {
  private typed = '';
  private last = -Infinity;

  /**
   * @param now milliseconds of any clock
   * @returns the beginning of the row (lower case), and whether the search starts behind the current row
   */
  add(text: string, now: number): { readonly prefix: string; readonly fromNext: boolean } {
    const goesOn = now - this.last < restMilliseconds;
    this.last = now;
    const letter = text.toLowerCase();
    if (goesOn && this.typed !== letter) this.typed += letter;
    else this.typed = letter;
    return { prefix: this.typed, fromNext: this.typed.length === 1 };
  }
}
