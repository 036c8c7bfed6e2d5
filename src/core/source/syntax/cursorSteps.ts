import type { Tree } from 'web-tree-sitter';

/** A walk over a syntax tree, one node at a time. */
export interface CursorSteps {
  kind(): number;
  /** UTF-16 indices. */
  start(): number;
  end(): number;
  field(): number;
  isMissing(): boolean;
  toFirstChild(): boolean;
  toNextSibling(): boolean;
  toParent(): void;
  delete(): void;
}

/** Functions of web-tree-sitter's WebAssembly module (pinned version), each on the tree at an address. */
const functionNames = [
  '_ts_tree_cursor_current_node_type_id_wasm',
  '_ts_tree_cursor_start_index_wasm',
  '_ts_tree_cursor_end_index_wasm',
  '_ts_tree_cursor_current_field_id_wasm',
  '_ts_tree_cursor_current_node_is_missing_wasm',
  '_ts_tree_cursor_goto_first_child_wasm',
  '_ts_tree_cursor_goto_next_sibling_wasm',
  '_ts_tree_cursor_goto_parent_wasm',
] as const;

type CursorModule = Readonly<Record<(typeof functionNames)[number], (tree: number) => number>>;

let walkedModule: CursorModule | undefined;

/**
 * Lets trees be walked by the WebAssembly functions themselves. The public cursor copies its state in and out of the module around
 * every call, which is most of the time of a walk; here the state stays in the module. `module` is the object that was given to
 * `Parser.init`; one of another make is ignored, and the public cursor serves.
 */
export function walkInside(module: object): void {
  walkedModule = isCursorModule(module) ? module : undefined;
}

/** A walk that begins at the root. Only one walk can go on at a time. */
export function cursorSteps(tree: Tree): CursorSteps {
  const cursor = tree.walk();
  // `walk` has left the new cursor's state where the functions look for it.
  const address: unknown = Reflect.get(tree, 0);
  const inside = walkedModule;
  if (inside !== undefined && typeof address === 'number') {
    return {
      kind: () => inside._ts_tree_cursor_current_node_type_id_wasm(address),
      start: () => inside._ts_tree_cursor_start_index_wasm(address),
      end: () => inside._ts_tree_cursor_end_index_wasm(address),
      field: () => inside._ts_tree_cursor_current_field_id_wasm(address),
      isMissing: () => inside._ts_tree_cursor_current_node_is_missing_wasm(address) === 1,
      toFirstChild: () => inside._ts_tree_cursor_goto_first_child_wasm(address) === 1,
      toNextSibling: () => inside._ts_tree_cursor_goto_next_sibling_wasm(address) === 1,
      toParent: () => void inside._ts_tree_cursor_goto_parent_wasm(address),
      delete: () => cursor.delete(),
    };
  }
  return {
    kind: () => cursor.nodeTypeId,
    start: () => cursor.startIndex,
    end: () => cursor.endIndex,
    field: () => cursor.currentFieldId,
    isMissing: () => cursor.nodeIsMissing,
    toFirstChild: () => cursor.gotoFirstChild(),
    toNextSibling: () => cursor.gotoNextSibling(),
    toParent: () => void cursor.gotoParent(),
    delete: () => cursor.delete(),
  };
}

function isCursorModule(module: object): module is CursorModule {
  return functionNames.every((name) => typeof Reflect.get(module, name) === 'function');
}
