import type { ClassDeclaration, Declarations, Definition } from './declarations';
import { typeHint, type TypeHint } from './declarators';
import { nameOf, scopeOf, unqualified } from '../syntax/names';
import type { SyntaxTree } from '../syntax/syntaxTree';

/** Operators that look like calls. */
export const castNames: ReadonlySet<string> = new Set([
  'static_cast',
  'dynamic_cast',
  'const_cast',
  'reinterpret_cast',
  'sizeof',
  'decltype',
  'noexcept',
  'alignof',
  'typeid',
]);
const maximumTypeDepth = 12;

/** Expressions that have the type of one of their parts. */
const transparentFields: ReadonlyMap<string, string> = new Map([
  ['conditional_expression', 'consequence'],
  ['assignment_expression', 'left'],
  ['binary_expression', 'left'],
]);
/** Expressions that name their type. */
const namingKinds = new Set(['cast_expression', 'compound_literal_expression', 'new_expression']);

/** Types of the expressions of one function, as far as the syntax of its unit shows them. */
export class ExpressionTypes {
  private readonly variables = new Map<string, TypeHint>();

  constructor(
    private readonly tree: SyntaxTree,
    private readonly declarations: Declarations,
    private readonly lineOf: (offset: number) => number,
    private readonly definition?: Definition,
  ) {}

  /** From here on, the name is that of a variable of this type (or of unknown type). */
  declare(name: string, type: TypeHint | undefined): void {
    this.variables.set(name, type ?? { name: '', indirection: 0 });
  }

  isLocal(name: string): boolean {
    return this.variables.has(name);
  }

  localType(name: string): TypeHint | undefined {
    return this.variables.get(name);
  }

  /** Type of the elements of the range of a range-for. */
  elementOf(range: number | undefined): TypeHint | undefined {
    return this.dereference(this.typeOf(range));
  }

  get ownClass(): string | undefined {
    const definition = this.definition;
    if (definition === undefined) return undefined;
    return definition.inClass ?? scopeOf(definition.qualifiedName);
  }

  /** Type of an expression as far as the syntax of this unit shows it. */
  typeOf(node: number | undefined, depth = 0): TypeHint | undefined {
    if (node === undefined || depth > maximumTypeDepth) return undefined;
    const next = (child: number | undefined): TypeHint | undefined => this.typeOf(child, depth + 1);
    const kind = this.tree.kind(node);
    const transparent = transparentFields.get(kind);
    if (transparent !== undefined) return next(this.tree.field(node, transparent));
    switch (kind) {
      case 'identifier':
        return this.resolve(this.variableType(this.tree.textOf(node)));
      case 'this':
        return this.ownClass === undefined ? undefined : { name: this.ownClass, indirection: 1 };
      case 'parenthesized_expression':
        return next(firstValue(this.tree, node));
      case 'field_expression':
        return this.fieldType(node, depth);
      case 'subscript_expression':
        return this.dereference(next(this.tree.field(node, 'argument')));
      case 'pointer_expression':
        return this.pointerExpression(node, next);
      case 'call_expression':
        return this.resultOf(node);
      case 'lambda_expression':
        return this.lambdaType(node);
      default:
        return namingKinds.has(kind) ? this.namedType(node) : undefined;
    }
  }

  variableType(name: string): TypeHint | undefined {
    return (
      this.variables.get(name) ?? this.fieldOf(this.ownClass, name) ?? this.declarations.globals.get(name)
    );
  }

  resolve(type: TypeHint | undefined): TypeHint | undefined {
    let current = type;
    for (let step = 0; current !== undefined && step < maximumTypeDepth; step++) {
      if (current.signature !== undefined) return current;
      const alias = this.declarations.typedefs.get(current.name);
      if (alias === undefined || alias.name === current.name) {
        return alias?.signature === undefined ? current : { ...alias, indirection: current.indirection + 1 };
      }
      current = { ...alias, indirection: alias.indirection + current.indirection };
    }
    return current;
  }

  private dereference(type: TypeHint | undefined): TypeHint | undefined {
    if (type === undefined) return undefined;
    if (type.indirection > 0) return { ...type, indirection: type.indirection - 1 };
    return type.inner === undefined ? undefined : { name: type.inner, indirection: 0 };
  }

  private pointerExpression(
    node: number,
    next: (child: number | undefined) => TypeHint | undefined,
  ): TypeHint | undefined {
    const type = next(this.tree.field(node, 'argument'));
    if (type === undefined) return undefined;
    if (this.tree.text[this.tree.start(node)] === '&') return { ...type, indirection: type.indirection + 1 };
    // Dereferencing a pointer to a function is the function.
    return type.signature === undefined ? this.dereference(type) : type;
  }

  fieldType(node: number, depth: number): TypeHint | undefined {
    const argument = this.tree.field(node, 'argument');
    const name = nameOf(this.tree, this.tree.field(node, 'field'));
    if (name === undefined || argument === undefined) return undefined;
    const receiver = this.typeOf(argument, depth + 1);
    const own = this.fieldOf(this.receiverName(node, receiver), name);
    return this.resolve(own ?? (receiver === undefined ? this.anyField(name) : undefined));
  }

  /** `p->x` on a smart pointer means the pointed-to class. */
  receiverName(fieldExpression: number, receiver: TypeHint | undefined): string | undefined {
    if (receiver === undefined) return undefined;
    const operator = this.tree.field(fieldExpression, 'operator');
    const arrow = operator !== undefined && this.tree.textOf(operator) === '->';
    return arrow && receiver.indirection === 0 && receiver.inner !== undefined
      ? receiver.inner
      : receiver.name;
  }

  classOf(name: string | undefined): ClassDeclaration | undefined {
    if (name === undefined) return undefined;
    const { classes } = this.declarations;
    const exact = classes.get(name);
    if (exact !== undefined) return exact;
    for (let scope = this.definition?.qualifiedName ?? ''; scope !== ''; scope = scopeOf(scope)) {
      const inside = classes.get(`${scope}::${name}`);
      if (inside !== undefined) return inside;
    }
    return undefined;
  }

  fieldOf(className: string | undefined, field: string, depth = 0): TypeHint | undefined {
    const declared = this.classOf(className);
    if (declared === undefined || depth > maximumTypeDepth) return undefined;
    const own = declared.fields.get(field);
    if (own !== undefined) return own;
    for (const base of declared.bases) {
      const inherited = this.fieldOf(base, field, depth + 1);
      if (inherited !== undefined) return inherited;
    }
    return undefined;
  }

  private anyField(name: string): TypeHint | undefined {
    for (const declared of this.declarations.classes.values()) {
      const type = declared.fields.get(name);
      if (type !== undefined) return type;
    }
    return undefined;
  }

  private resultOf(call: number): TypeHint | undefined {
    const callee = this.tree.field(call, 'function');
    if (callee === undefined) return undefined;
    const name = nameOf(this.tree, calledName(this.tree, callee));
    if (name === undefined) return undefined;
    if (castNames.has(name)) return this.templateArgument(callee);
    if (/(?:^|::)make_(?:unique|shared)$/.test(name)) return this.templateArgument(callee, 1);
    if (this.classOf(name) !== undefined) return { name, indirection: 0 };
    return this.resolve(this.declarations.returns.get(unqualified(name)));
  }

  private templateArgument(callee: number, more = 0): TypeHint | undefined {
    for (let node = callee; node < this.tree.next(callee); node++) {
      if (this.tree.kind(node) !== 'type_descriptor') continue;
      const type = this.tree.field(node, 'type');
      const stars = this.tree.textOf(node).split('*').length - 1;
      return typeHint(this.tree, type, stars + more);
    }
    return undefined;
  }

  private namedType(node: number): TypeHint | undefined {
    const type = this.tree.field(node, 'type');
    if (type === undefined) return undefined;
    const stars =
      this.tree.kind(node) === 'new_expression' ? 1 : this.tree.textOf(type).split('*').length - 1;
    const inner = this.tree.kind(type) === 'type_descriptor' ? this.tree.field(type, 'type') : type;
    return this.resolve(typeHint(this.tree, inner, stars));
  }

  lambdaType(node: number): TypeHint | undefined {
    const position = this.declarations.byNode.get(node);
    const lambda = position === undefined ? undefined : this.declarations.definitions[position];
    return lambda === undefined
      ? undefined
      : { name: lambdaName(lambda, this.lineOf(this.tree.start(node))), indirection: 0 };
  }
}

/** The node of a callee that names the function: the field of a member access, else the callee. */
export function calledName(tree: SyntaxTree, callee: number): number | undefined {
  return tree.kind(callee) === 'field_expression' ? tree.field(callee, 'field') : callee;
}

/** Lambdas have no name: their line distinguishes them. */
export function lambdaName(lambda: Definition, line: number): string {
  return `${lambda.qualifiedName.slice(0, -1)}:${line}>`;
}

/** The first child that is not punctuation. */
export function firstValue(tree: SyntaxTree, node: number): number | undefined {
  for (const child of tree.children(node)) if (isValue(tree.kind(child))) return child;
  return undefined;
}

/** Punctuation and operators are their own kind names. */
export function isValue(kind: string): boolean {
  return /^[a-z]/.test(kind) && kind !== 'comment';
}
