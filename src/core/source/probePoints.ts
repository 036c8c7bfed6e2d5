import { untouchablePattern, type Declarations, type Definition } from './declarations/declarations';
import type { SyntaxTree } from './syntax/syntaxTree';

const coroutineKinds = new Set(['co_return_statement', 'co_yield_statement', 'co_await_expression']);

/**
 * Whether a probe may go into a function. When in doubt it may not: the function then has its patchable entry only.
 */
export function isSafeForProbe(
  tree: SyntaxTree,
  declarations: Declarations,
  definition: Definition,
  language: 'c' | 'c++',
): boolean {
  if (tree.kind(definition.body) !== 'compound_statement') return false;
  if (tree.hasError(definition.node) || hasErrorAround(tree, definition.node)) return false;
  if (isUntouchable(tree, declarations, definition)) return false;
  if (language === 'c' && !isAtFileScope(tree, definition.node)) return false;
  return !hasUnsafeContent(tree, declarations, definition);
}

function headOf(tree: SyntaxTree, definition: Definition): string {
  return tree.text.slice(tree.start(definition.node), tree.start(definition.body));
}

function isUntouchable(tree: SyntaxTree, declarations: Declarations, definition: Definition): boolean {
  if (declarations.untouchable.has(definition.qualifiedName)) return true;
  if (untouchablePattern.test(headOf(tree, definition))) return true;
  // What stands inside a constexpr function is evaluated with it.
  const outer = definition.inside === undefined ? undefined : declarations.definitions[definition.inside];
  if (outer !== undefined && isUntouchable(tree, declarations, outer)) return true;
  return definition.isLambda && isInConstantDeclaration(tree, definition.node);
}

/** A lambda in a constexpr variable's initialiser, or outside of any function, may be evaluated by the compiler. */
function isInConstantDeclaration(tree: SyntaxTree, node: number): boolean {
  for (const ancestor of ancestorsOf(tree, node)) {
    const kind = tree.kind(ancestor);
    if (kind === 'compound_statement') return false;
    if (
      kind === 'declaration' &&
      /\b(?:constexpr|constinit|static_assert)\b/.test(tree.textOf(ancestor).slice(0, 200))
    )
      return true;
    if (kind === 'template_argument_list' || kind === 'static_assert_declaration' || kind === 'decltype')
      return true;
  }
  return true;
}

/** The nodes around a node, innermost first; found from the root without parent links. */
function ancestorsOf(tree: SyntaxTree, node: number): number[] {
  const path: number[] = [];
  let current = 0;
  while (current !== node && current < tree.length) {
    path.push(current);
    let inside: number | undefined;
    for (const child of tree.children(current)) {
      if (child <= node && node < tree.next(child)) {
        inside = child;
        break;
      }
    }
    if (inside === undefined) break;
    current = inside;
  }
  return path.reverse();
}

/** An error around the definition, or right beside it, makes its place in the program doubtful. */
function hasErrorAround(tree: SyntaxTree, node: number): boolean {
  const path = ancestorsOf(tree, node);
  if (path.some((ancestor) => tree.kind(ancestor) === 'ERROR')) return true;
  let inner = node;
  for (const ancestor of path) {
    if (tree.kind(ancestor) === 'template_declaration') {
      inner = ancestor;
      continue;
    }
    return siblingError(tree, ancestor, inner);
  }
  return false;
}

function siblingError(tree: SyntaxTree, parent: number, node: number): boolean {
  let previous: number | undefined;
  for (const child of tree.children(parent)) {
    const kind = tree.kind(child);
    if (kind === 'comment') continue;
    if (previous === node) return kind === 'ERROR';
    if (child === node && previous !== undefined && tree.hasError(previous)) return true;
    previous = child;
  }
  return false;
}

function isAtFileScope(tree: SyntaxTree, node: number): boolean {
  return ancestorsOf(tree, node).every((ancestor) => {
    const kind = tree.kind(ancestor);
    return kind === 'translation_unit' || kind === 'linkage_specification' || kind === 'declaration_list';
  });
}

/** Coroutines outlive the call; `__label__` declarations must come first in their block. */
function hasUnsafeContent(tree: SyntaxTree, declarations: Declarations, definition: Definition): boolean {
  const { body } = definition;
  if (/^\{\s*__label__\b/.test(tree.text.slice(tree.start(body), tree.start(body) + 200))) return true;
  for (let node = body; node < tree.next(body);) {
    if (declarations.byNode.has(node)) {
      node = tree.next(node);
      continue;
    }
    if (coroutineKinds.has(tree.kind(node))) return true;
    node++;
  }
  return false;
}
