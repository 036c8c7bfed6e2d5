import type { SyntaxTree } from './syntaxTree';

/**
 * The name that a node spells, without template arguments: `n::A<int>::f<T>` is `n::A::f`. Undefined for anything that is
 * not a name, and for no node.
 */
export function nameOf(tree: SyntaxTree, node: number | undefined): string | undefined {
  const parts: string[] = [];
  let rest: number | undefined = node;
  while (rest !== undefined && tree.kind(rest) === 'qualified_identifier') {
    const scope = tree.field(rest, 'scope');
    if (scope !== undefined) parts.push(simpleName(tree, scope) ?? '');
    rest = tree.field(rest, 'name');
  }
  if (rest === undefined) return undefined;
  const last = simpleName(tree, rest);
  if (last === undefined) return undefined;
  return [...parts.filter((part) => part !== ''), last].join('::');
}

function simpleName(tree: SyntaxTree, node: number): string | undefined {
  let current: number | undefined = node;
  for (let depth = 0; current !== undefined && depth < 8; depth++) {
    if (tree.kind(current).endsWith('identifier')) return tree.textOf(current);
    switch (tree.kind(current)) {
      case 'destructor_name':
        return `~${tree.textOf(current).replace(/[~\s]/g, '')}`;
      case 'operator_name':
        return operatorName(tree.textOf(current));
      case 'operator_cast':
        return castName(tree, current);
      case 'template_type':
      case 'template_function':
      case 'template_method':
        current = tree.field(current, 'name');
        break;
      case 'dependent_name':
        current = tree.childOfKind(current, 'template_type', 'template_function', 'template_method');
        break;
      case 'pointer_type_declarator':
        current = tree.field(current, 'declarator');
        break;
      default:
        return undefined;
    }
  }
  return undefined;
}

/** `operator T *() const` is `operator T*`. */
function castName(tree: SyntaxTree, cast: number): string {
  const type = tree.field(cast, 'type');
  if (type === undefined) return 'operator ';
  const parameters = castParameters(tree, cast);
  const end = parameters === undefined ? tree.end(type) : tree.start(parameters);
  return `operator ${tree.textOf(type)}${tree.text.slice(tree.end(type), end).replace(/[^*&]/g, '')}`;
}

/** The parameter list of a conversion; it hangs below the pointers and references that the conversion is to. Undefined for other names. */
export function castParameters(tree: SyntaxTree, cast: number | undefined): number | undefined {
  let current = tree.field(cast, 'declarator');
  while (current !== undefined && tree.kind(current) !== 'abstract_function_declarator')
    current = tree.field(current, 'declarator') ?? tree.childOfKind(current, 'abstract_function_declarator');
  return tree.field(current, 'parameters');
}

function operatorName(text: string): string {
  const symbol = text.replace(/^operator\s*/, '');
  return /^\w/.test(symbol)
    ? `operator ${symbol.replace(/\s+/g, ' ')}`
    : `operator${symbol.replace(/\s+/g, '')}`;
}

/** The last part of a qualified name. */
export function unqualified(name: string): string {
  const end = name.lastIndexOf('::');
  return end < 0 ? name : name.slice(end + 2);
}

/** The name without its last part; empty if it has only one. */
export function scopeOf(name: string): string {
  return name.slice(0, Math.max(0, name.lastIndexOf('::')));
}
