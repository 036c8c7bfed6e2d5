import type { SyntaxTree } from './syntaxTree';

/** Counts of one function body. */
export interface BodyCounts {
  readonly statements: number;
  readonly loops: number;
  readonly loopDepth: number;
  readonly conditionalBranches: number;
}

const loopKinds = new Set(['for_statement', 'for_range_loop', 'while_statement', 'do_statement']);
const branchKinds = new Set([...loopKinds, 'if_statement', 'switch_statement', 'conditional_expression']);

export function isLoop(kind: string): boolean {
  return loopKinds.has(kind);
}

/**
 * Own statements by the rules of MetaCG's statement collector, so that selections agree with PGIS's:
 * compound = sum of its children; null statement 0; `if` 1 + branches; loops 1 + body (the header is free);
 * `switch` 1 + 1 for the condition + body; `case` = its statement, `default` = 0 (its first statement is lost);
 * `try` 1 + block + (1 + handler) each; everything else 1.
 * OpenMP pragmas are not part of the text, so that an OpenMP loop counts as the loop that it is.
 */
export function countStatements(tree: SyntaxTree, body: number): number {
  let total = 0;
  const pending = [body];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    total += ownCount(tree, node, pending);
  }
  return total;
}

function ownCount(tree: SyntaxTree, node: number, pending: number[]): number {
  const kind = tree.kind(node);
  if (loopKinds.has(kind)) {
    pushField(tree, node, 'body', pending);
    return 1;
  }
  switch (kind) {
    case 'compound_statement':
      pushBlock(tree, node, pending);
      return 0;
    case 'if_statement': {
      pushField(tree, node, 'consequence', pending);
      const otherwise = tree.field(node, 'alternative');
      if (otherwise !== undefined) pushStatements(tree, otherwise, pending);
      return 1;
    }
    case 'switch_statement':
      pushField(tree, node, 'body', pending);
      return 1 + switchHeader(tree, node);
    case 'case_statement':
      // Only a `case` that is the whole body of a switch comes here; those of a block are handled with their neighbours.
      if (tree.field(node, 'value') !== undefined) pushStatements(tree, node, pending);
      return 0;
    case 'try_statement':
      pushField(tree, node, 'body', pending);
      return 1 + pushHandlers(tree, node, pending);
    case 'expression_statement':
      return isNullStatement(tree, node) ? 0 : 1;
    default:
      return isStatement(kind) ? 1 : 0;
  }
}

/** `switch (init; T x = f())`: the front end sees each part as a child. */
function switchHeader(tree: SyntaxTree, node: number): number {
  const condition = tree.field(node, 'condition');
  if (condition === undefined) return 1;
  const initializer = tree.field(condition, 'initializer') === undefined ? 0 : 1;
  const value = tree.field(condition, 'value');
  return 1 + initializer + (value !== undefined && tree.kind(value) === 'declaration' ? 1 : 0);
}

function pushHandlers(tree: SyntaxTree, node: number, pending: number[]): number {
  let handlers = 0;
  for (const child of tree.children(node)) {
    if (tree.kind(child) !== 'catch_clause') continue;
    handlers++;
    pushField(tree, child, 'body', pending);
  }
  return handlers;
}

function pushField(tree: SyntaxTree, node: number, field: string, pending: number[]): void {
  const child = tree.field(node, field);
  if (child !== undefined) pending.push(child);
}

function pushStatements(tree: SyntaxTree, node: number, pending: number[]): void {
  for (const child of tree.children(node)) {
    if (isStatement(tree.kind(child)) && tree.fieldOf(child) !== 'value') pending.push(child);
  }
}

/** The grammar hangs all statements below the label before them; the language only the first, and a `default` swallows it. */
function pushBlock(tree: SyntaxTree, block: number, pending: number[]): void {
  let swallowing = false;
  for (const child of tree.children(block)) {
    const kind = tree.kind(child);
    if (kind !== 'case_statement') {
      if (!isStatement(kind)) continue;
      if (swallowing) swallowing = false;
      else pending.push(child);
      continue;
    }
    if (tree.field(child, 'value') === undefined) swallowing = true;
    for (const statement of tree.children(child)) {
      if (!isStatement(tree.kind(statement)) || tree.fieldOf(statement) === 'value') continue;
      if (swallowing) swallowing = false;
      else pending.push(statement);
    }
  }
}

function isNullStatement(tree: SyntaxTree, node: number): boolean {
  for (const child of tree.children(node)) {
    const kind = tree.kind(child);
    if (kind !== ';' && kind !== 'comment') return false;
  }
  return true;
}

const statementLike = new Set([
  'declaration',
  'type_definition',
  'using_declaration',
  'alias_declaration',
  'static_assert_declaration',
  'namespace_alias_definition',
  'struct_specifier',
  'class_specifier',
  'union_specifier',
  'enum_specifier',
  'for_range_loop',
  'function_definition',
]);

function isStatement(kind: string): boolean {
  return statementLike.has(kind) || (kind.endsWith('_statement') && kind !== 'init_statement');
}

/** All counts of a function's body, or of a function-try-block. */
export function countBody(tree: SyntaxTree, body: number, skip: (node: number) => boolean): BodyCounts {
  let loops = 0;
  let loopDepth = 0;
  let conditionalBranches = 0;
  const openLoops: number[] = [];
  const end = tree.next(body);
  for (let node = body; node < end;) {
    if (node !== body && skip(node)) {
      node = tree.next(node);
      continue;
    }
    while ((openLoops.at(-1) ?? end) <= node) openLoops.pop();
    const kind = tree.kind(node);
    if (loopKinds.has(kind)) {
      loops++;
      openLoops.push(tree.next(node));
      loopDepth = Math.max(loopDepth, openLoops.length);
    }
    if (branchKinds.has(kind)) conditionalBranches++;
    node++;
  }
  return { statements: countStatements(tree, body), loops, loopDepth, conditionalBranches };
}
