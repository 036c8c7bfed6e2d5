/** Shows another part of the trace. */
export type MoveAction =
  | { readonly kind: 'zoom'; readonly factor: number }
  /** By this share of what is in sight. */
  | { readonly kind: 'pan'; readonly share: number }
  | { readonly kind: 'whole' }
  | { readonly kind: 'zoomToRange' };

/** What a key does in the picture. */
export type TimeAction =
  | MoveAction
  | { readonly kind: 'row'; readonly to: RowStep }
  /** To the next or previous call in the row. */
  | { readonly kind: 'step'; readonly by: 1 | -1 }
  /** Other rows are higher or lower. */
  | { readonly kind: 'height'; readonly by: 1 | -1 }
  | { readonly kind: 'markCall' | 'activate' | 'menu' | 'clear' | 'undo' | 'redo' };

export function isMove(action: TimeAction): action is MoveAction {
  const { kind } = action;
  return kind === 'zoom' || kind === 'pan' || kind === 'whole' || kind === 'zoomToRange';
}

export type RowStep = 'previous' | 'next' | 'pageUp' | 'pageDown' | 'first' | 'last';

type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>;

export const zoomStep = 1.5;
const panStep = 0.2;
const zoomIn: TimeAction = { kind: 'zoom', factor: 1 / zoomStep };
const zoomOut: TimeAction = { kind: 'zoom', factor: zoomStep };
const earlier: TimeAction = { kind: 'pan', share: -panStep };
const later: TimeAction = { kind: 'pan', share: panStep };

const plain: Readonly<Record<string, TimeAction>> = {
  '+': zoomIn,
  '=': zoomIn,
  '-': zoomOut,
  w: zoomIn,
  s: zoomOut,
  a: earlier,
  d: later,
  ArrowLeft: earlier,
  ArrowRight: later,
  ArrowUp: { kind: 'row', to: 'previous' },
  ArrowDown: { kind: 'row', to: 'next' },
  PageUp: { kind: 'row', to: 'pageUp' },
  PageDown: { kind: 'row', to: 'pageDown' },
  Home: { kind: 'whole' },
  '[': { kind: 'height', by: -1 },
  ']': { kind: 'height', by: 1 },
  z: { kind: 'zoomToRange' },
  m: { kind: 'markCall' },
  Enter: { kind: 'activate' },
  ContextMenu: { kind: 'menu' },
  Escape: { kind: 'clear' },
};
const shifted: Readonly<Record<string, TimeAction>> = {
  ArrowLeft: { kind: 'step', by: -1 },
  ArrowRight: { kind: 'step', by: 1 },
  F10: { kind: 'menu' },
};
const controlled: Readonly<Record<string, TimeAction>> = {
  Home: { kind: 'row', to: 'first' },
  End: { kind: 'row', to: 'last' },
};

/** What a key does; undefined: it belongs to somebody else. */
export function timeAction(event: Key): TimeAction | undefined {
  const { key, shiftKey, altKey } = event;
  if (altKey) return undefined;
  const undo = undoAction(event);
  if (undo !== undefined) return undo;
  if (event.ctrlKey || event.metaKey) return at(controlled, key);
  return (shiftKey ? at(shifted, key) : undefined) ?? at(plain, key.length === 1 ? key.toLowerCase() : key);
}

/** Ctrl+Z, Ctrl+Y and Ctrl+Shift+Z, which work outside of the picture, too. */
export function undoAction({ key, ctrlKey, metaKey, shiftKey, altKey }: Key): TimeAction | undefined {
  if (altKey || !(ctrlKey || metaKey)) return undefined;
  const letter = key.toLowerCase();
  if (letter === 'z') return { kind: shiftKey ? 'redo' : 'undo' };
  return letter === 'y' ? { kind: 'redo' } : undefined;
}

function at(actions: Readonly<Record<string, TimeAction>>, key: string): TimeAction | undefined {
  return Object.hasOwn(actions, key) ? actions[key] : undefined;
}
