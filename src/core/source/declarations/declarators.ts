import { present } from '../../present';
import { castParameters, nameOf } from '../syntax/names';
import type { SyntaxTree } from '../syntax/syntaxTree';

/** A type as far as the syntax shows it. */
export interface TypeHint {
  /** Without template arguments and qualifiers. */
  readonly name: string;
  /** Number of pointers, references to pointers and arrays around it. */
  readonly indirection: number;
  /** First template argument, for smart pointers and containers. */
  readonly inner?: string;
  /** Parameter types and result, when it is a (pointer to a) function. */
  readonly signature?: string;
  readonly result?: string;
}

/** One declared name with its declarator. */
export interface Declared {
  readonly nameNode: number;
  readonly name: string;
  /** The parameter list, when the name is a function. */
  readonly parameters?: number;
  /** The parameter list of the pointed-to function, when it is a pointer to a function or to a member function. */
  readonly pointee?: number;
  readonly indirection: number;
  readonly isReference: boolean;
  /** Decoration of the result of functions and pointers to them, as `*&`. */
  readonly resultDecoration: string;
}

type Wrapper =
  | { readonly kind: 'function'; readonly parameters: number }
  | { readonly kind: 'pointer' | 'reference' };

const nested = new Set([
  'pointer_declarator',
  'reference_declarator',
  'array_declarator',
  'function_declarator',
  'parenthesized_declarator',
  'attributed_declarator',
  'init_declarator',
  'variadic_declarator',
  'pointer_type_declarator',
]);
const leaves = new Set([
  'identifier',
  'field_identifier',
  'type_identifier',
  'qualified_identifier',
  'destructor_name',
  'operator_name',
  'operator_cast',
  'template_function',
  'template_method',
]);

/** Reads a declarator from the outside to its name. */
export function readDeclarator(tree: SyntaxTree, node: number | undefined): Declared | undefined {
  const wrappers: Wrapper[] = [];
  let current: number | undefined = node;
  while (current !== undefined && nested.has(tree.kind(current))) {
    noteWrapper(tree, current, wrappers);
    current = tree.field(current, 'declarator') ?? firstDeclarator(tree, current);
  }
  if (current === undefined || !leaves.has(tree.kind(current))) return undefined;
  const member = memberPointer(tree, current);
  if (member !== undefined) {
    wrappers.push({ kind: 'pointer' });
    current = member;
  }
  const name = nameOf(tree, current);
  if (name === undefined) return undefined;
  return { nameNode: current, name, ...shape(wrappers, castParameters(tree, lastPart(tree, current))) };
}

function noteWrapper(tree: SyntaxTree, node: number, wrappers: Wrapper[]): void {
  const kind = tree.kind(node);
  if (kind === 'function_declarator') {
    const parameters = tree.field(node, 'parameters');
    if (parameters !== undefined) wrappers.push({ kind: 'function', parameters });
  } else if (
    kind === 'pointer_declarator' ||
    kind === 'array_declarator' ||
    kind === 'pointer_type_declarator'
  ) {
    wrappers.push({ kind: 'pointer' });
  } else if (kind === 'reference_declarator') {
    wrappers.push({ kind: 'reference' });
  }
}

function firstDeclarator(tree: SyntaxTree, node: number): number | undefined {
  for (const child of tree.children(node)) {
    const kind = tree.kind(child);
    if (nested.has(kind) || leaves.has(kind)) return child;
  }
  return undefined;
}

/** `a::b::c` → `c`; a name without scope is its own last part. */
function lastPart(tree: SyntaxTree, node: number): number | undefined {
  let current: number | undefined = node;
  while (current !== undefined && tree.kind(current) === 'qualified_identifier')
    current = tree.field(current, 'name');
  return current;
}

/** `double (Solver::*step)(double)`: the grammar spells it as a qualified name whose last part is a pointer. */
function memberPointer(tree: SyntaxTree, node: number): number | undefined {
  const current = lastPart(tree, node);
  if (current === undefined || tree.kind(current) !== 'pointer_type_declarator') return undefined;
  return tree.field(current, 'declarator') ?? firstDeclarator(tree, current);
}

function shape(
  wrappers: readonly Wrapper[],
  castList: number | undefined,
): Omit<Declared, 'nameNode' | 'name'> {
  const resultDecoration = decorationBefore(wrappers);
  const innermost = wrappers.at(-1);
  const indirection = wrappers.filter((wrapper) => wrapper.kind === 'pointer').length;
  const isReference = wrappers.some((wrapper) => wrapper.kind === 'reference');
  if (castList !== undefined) return { parameters: castList, indirection: 0, isReference, resultDecoration };
  if (innermost?.kind === 'function') {
    return { parameters: innermost.parameters, indirection, isReference, resultDecoration };
  }
  const inner = wrappers.findLast((wrapper) => wrapper.kind === 'function');
  return { ...present({ pointee: inner?.parameters }), indirection, isReference, resultDecoration };
}

/** What stands outside of the function that the declarator makes or points to. */
function decorationBefore(wrappers: readonly Wrapper[]): string {
  const last = wrappers.findLastIndex((wrapper) => wrapper.kind === 'function');
  return wrappers
    .slice(0, Math.max(last, 0))
    .map((wrapper) => (wrapper.kind === 'pointer' ? '*' : wrapper.kind === 'reference' ? '&' : '()'))
    .join('');
}

/** The result of a declared function, or of the functions that a declared pointer points to. */
export function resultType(
  tree: SyntaxTree,
  type: number | undefined,
  declared: Declared,
): string | undefined {
  if (type === undefined || tree.kind(type) === 'placeholder_type_specifier') return undefined;
  return plainType(tree.textOf(type)).slice(0, 200) + declared.resultDecoration;
}

const variadicKinds = /^(?:variadic_parameter(?:_declaration)?|\.\.\.)$/;
const parameterKinds =
  /^(?:(?:optional_)?parameter_declaration|identifier|variadic_parameter(?:_declaration)?|\.\.\.)$/;

/** Least and most arguments of a parameter list. */
export function countParameters(
  tree: SyntaxTree,
  list: number,
  language: 'c' | 'c++',
): { minimum: number; maximum?: number } {
  const parameters = [...tree.children(list)].filter((child) => parameterKinds.test(tree.kind(child)));
  const kinds = parameters.filter((child) => !isVoid(tree, child)).map((child) => tree.kind(child));
  const minimum = kinds.filter((kind) => kind === 'parameter_declaration' || kind === 'identifier').length;
  const isUnlimited = kinds.some((kind) => variadicKinds.test(kind));
  // `f()` in C takes any arguments.
  if (isUnlimited || (parameters.length === 0 && language === 'c')) return { minimum };
  return { minimum, maximum: kinds.length };
}

function isVoid(tree: SyntaxTree, parameter: number): boolean {
  if (tree.kind(parameter) !== 'parameter_declaration') return false;
  const type = tree.field(parameter, 'type');
  return (
    type !== undefined && tree.field(parameter, 'declarator') === undefined && tree.textOf(type) === 'void'
  );
}

/** Parameter types without names and `const`: comparable between a pointer's type and a function. */
export function signatureOf(tree: SyntaxTree, list: number): string {
  const types: string[] = [];
  for (const child of tree.children(list)) {
    const kind = tree.kind(child);
    if (kind === 'parameter_declaration' || kind === 'optional_parameter_declaration') {
      if (!isVoid(tree, child)) types.push(parameterType(tree, child));
    } else if (kind.startsWith('variadic_parameter') || kind === '...') {
      types.push('...');
    } else if (kind === 'identifier') {
      types.push(oldStyleType(tree, list, tree.textOf(child)));
    }
  }
  return types.join(',');
}

function parameterType(tree: SyntaxTree, parameter: number): string {
  const type = tree.field(parameter, 'type');
  const base = type === undefined ? '' : plainType(tree.textOf(type));
  const declarator = tree.field(parameter, 'declarator');
  return declarator === undefined ? base : base + decoration(tree, declarator);
}

function decoration(tree: SyntaxTree, declarator: number): string {
  let result = '';
  for (let node = declarator; node < tree.next(declarator); node++) {
    const kind = tree.kind(node);
    if (kind === 'parameter_list') return `${result}()`;
    if (kind.endsWith('pointer_declarator') || kind.endsWith('array_declarator')) result += '*';
    else if (kind.endsWith('reference_declarator')) result += '&';
  }
  return result;
}

/** K&R definitions: the types follow the list as declarations. */
function oldStyleType(tree: SyntaxTree, list: number, name: string): string {
  for (
    let node = tree.next(list);
    node < tree.length && tree.kind(node) === 'declaration';
    node = tree.next(node)
  ) {
    const type = tree.field(node, 'type');
    for (const child of tree.children(node)) {
      if (tree.fieldOf(child) !== 'declarator') continue;
      if (readDeclarator(tree, child)?.name !== name) continue;
      return (type === undefined ? '' : plainType(tree.textOf(type))) + decoration(tree, child);
    }
  }
  return 'int';
}

export function plainType(text: string): string {
  return text
    .replace(
      /\b(?:const|volatile|struct|class|union|enum|typename|register|restrict|__restrict(?:__)?)\b/g,
      ' ',
    )
    .replace(/\s+/g, ' ')
    .replace(/ ?([<>,*&:()[\]]) ?/g, '$1')
    .trim();
}

/** The type that a type specifier names; undefined for built-in types and `auto`. */
export function typeHint(tree: SyntaxTree, type: number | undefined, indirection = 0): TypeHint | undefined {
  if (type === undefined) return undefined;
  const kind = tree.kind(type);
  if (kind === 'struct_specifier' || kind === 'class_specifier' || kind === 'union_specifier') {
    return typeHint(tree, tree.field(type, 'name'), indirection);
  }
  const name = nameOf(tree, type);
  if (name === undefined) return undefined;
  return { name, indirection, ...present({ inner: firstTemplateArgument(tree, type) }) };
}

function firstTemplateArgument(tree: SyntaxTree, type: number): string | undefined {
  for (let node = type; node < tree.next(type); node++) {
    if (tree.kind(node) !== 'template_argument_list') continue;
    return nameOf(tree, tree.field(tree.childOfKind(node, 'type_descriptor'), 'type'));
  }
  return undefined;
}
