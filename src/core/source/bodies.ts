import { AddressCollector } from './addresses';
import { declaredType, type Declarations, type Definition } from './declarations/declarations';
import { readDeclarator, typeHint, type TypeHint } from './declarations/declarators';
import { present } from '../present';
import { castNames, ExpressionTypes, firstValue, isValue } from './declarations/expressionTypes';
import { nameOf, unqualified } from './syntax/names';
import { isLoop } from './syntax/statements';
import type { SyntaxTree } from './syntax/syntaxTree';
import type { UnitAddress, UnitCall } from './unit';

/** The calls of a function's body, and the functions whose address it takes. */
export interface BodyUses {
  readonly calls: readonly UnitCall[];
  readonly addresses: readonly UnitAddress[];
}

export interface BodyContext {
  readonly tree: SyntaxTree;
  readonly declarations: Declarations;
  /** 1-based line in the user's file of an offset in the tree's text. */
  readonly lineOf: (offset: number) => number;
}

/** Reads the body of a definition without the functions and classes inside it, which have bodies of their own. */
export function readBody(context: BodyContext, definition: Definition): BodyUses {
  return new BodyReader(context, definition).readDefinition(definition);
}

/** Functions whose address is taken outside of all functions. */
export function readOutside(context: BodyContext): readonly UnitAddress[] {
  const { tree, declarations, lineOf } = context;
  const types = new ExpressionTypes(tree, declarations, lineOf);
  const addresses = new AddressCollector(tree, declarations, types, lineOf);
  for (let node = 0; node < tree.length;) {
    if (declarations.byNode.has(node)) {
      node = tree.next(node);
    } else {
      addresses.visit(node, tree.kind(node));
      node++;
    }
  }
  return addresses.addresses;
}

type Visit = (node: number, kind: string) => void;

class BodyReader {
  private readonly calls: UnitCall[] = [];
  private readonly ownParameters = new Map<string, number>();
  private readonly openLoops: number[] = [];
  private readonly tree: SyntaxTree;
  private readonly declarations: Declarations;
  private readonly lineOf: (offset: number) => number;
  private readonly types: ExpressionTypes;
  private readonly addresses: AddressCollector;
  private readonly visitors: ReadonlyMap<string, Visit> = new Map<string, Visit>([
    ['declaration', (node) => this.declaration(node)],
    ['for_range_loop', (node) => this.rangeVariable(node)],
    ['call_expression', (node) => this.call(node)],
    ['new_expression', (node) => this.constructedBy(node, 'arguments')],
    ['compound_literal_expression', (node) => this.constructedBy(node, 'value')],
    ['delete_expression', (node) => this.destruction(node)],
    ['field_initializer', (node) => this.fieldInitializer(node)],
    ['binary_expression', (node) => this.operator(node, 'left', 1)],
    ['assignment_expression', (node) => this.operator(node, 'left', 1)],
    ['subscript_expression', (node) => this.operator(node, 'argument', 1)],
    ['unary_expression', (node) => this.operator(node, 'argument', 0)],
    ['update_expression', (node) => this.operator(node, 'argument', 0)],
  ]);

  constructor(context: BodyContext, definition: Definition) {
    this.tree = context.tree;
    this.declarations = context.declarations;
    this.lineOf = context.lineOf;
    this.types = new ExpressionTypes(this.tree, this.declarations, this.lineOf, definition);
    this.addresses = new AddressCollector(this.tree, this.declarations, this.types, this.lineOf);
  }

  readDefinition(definition: Definition): BodyUses {
    if (definition.parameters !== undefined) this.noteParameters(definition.parameters);
    const end = this.tree.next(definition.node);
    for (let node = definition.node + 1; node < end;) {
      while ((this.openLoops.at(-1) ?? end) <= node) this.openLoops.pop();
      const kind = this.tree.kind(node);
      if (this.declarations.byNode.has(node) || kind === 'field_declaration_list') {
        node = this.tree.next(node);
        continue;
      }
      if (isLoop(kind)) this.openLoops.push(this.tree.next(node));
      this.visitors.get(kind)?.(node, kind);
      this.addresses.visit(node, kind);
      node++;
    }
    return { calls: this.calls, addresses: this.addresses.addresses };
  }

  // --- variables ---------------------------------------------------------------------------------------------------

  private noteParameters(list: number): void {
    let position = 0;
    for (const child of this.tree.children(list)) {
      const kind = this.tree.kind(child);
      if (kind === 'identifier') this.ownParameters.set(this.tree.textOf(child), position++);
      if (!kind.endsWith('parameter_declaration')) continue;
      const declared = readDeclarator(this.tree, this.tree.field(child, 'declarator'));
      if (declared !== undefined) {
        // A parameter that is a function is a pointer to it.
        const pointee = declared.pointee ?? declared.parameters;
        const shaped = pointee === undefined ? declared : { ...declared, pointee };
        this.types.declare(declared.name, declaredType(this.tree, this.tree.field(child, 'type'), shaped));
        this.ownParameters.set(declared.name, position);
      }
      position++;
    }
  }

  private declaration(node: number): void {
    const type = this.tree.field(node, 'type');
    for (const child of this.tree.children(node)) {
      if (this.tree.fieldOf(child) === 'declarator') this.variable(node, child, type);
    }
  }

  private variable(node: number, child: number, type: number | undefined): void {
    const declared = readDeclarator(this.tree, child);
    const initialized = this.tree.kind(child) === 'init_declarator';
    if (declared === undefined || (declared.parameters !== undefined && !initialized)) return;
    const value = initialized ? this.tree.field(child, 'value') : undefined;
    const automatic = type !== undefined && this.tree.kind(type) === 'placeholder_type_specifier';
    // A K&R parameter is declared after the list: it stays a parameter.
    if (this.types.isLocal(declared.name)) this.ownParameters.delete(declared.name);
    if (automatic) {
      this.types.declare(declared.name, this.types.typeOf(value));
      return;
    }
    this.types.declare(declared.name, declaredType(this.tree, type, declared));
    const isValueOfClass =
      declared.indirection === 0 && !declared.isReference && declared.pointee === undefined;
    if (isValueOfClass) this.construction(type, value, node, true);
  }

  private rangeVariable(node: number): void {
    const declared = readDeclarator(this.tree, this.tree.field(node, 'declarator'));
    if (declared === undefined) return;
    const type = this.tree.field(node, 'type');
    const automatic = type === undefined || this.tree.kind(type) === 'placeholder_type_specifier';
    this.types.declare(
      declared.name,
      automatic
        ? this.types.elementOf(this.tree.field(node, 'right'))
        : declaredType(this.tree, type, declared),
    );
  }

  // --- calls -------------------------------------------------------------------------------------------------------

  private add(call: Omit<UnitCall, 'line' | 'loopDepth'>, node: number): void {
    this.calls.push({ ...call, line: this.lineOf(this.tree.start(node)), loopDepth: this.openLoops.length });
  }

  private call(node: number): void {
    const list = this.tree.field(node, 'arguments');
    const count = list === undefined ? 0 : countArguments(this.tree, list);
    let callee = this.tree.field(node, 'function');
    let parenthesized = false;
    while (callee !== undefined && this.tree.kind(callee) === 'parenthesized_expression') {
      parenthesized = true;
      callee = firstValue(this.tree, callee);
    }
    if (callee === undefined) return;
    const kind = this.tree.kind(callee);
    if (kind === 'field_expression') {
      this.memberCall(node, callee, count, parenthesized);
    } else if (kind === 'lambda_expression') {
      const type = this.types.lambdaType(callee);
      if (type !== undefined) this.add({ name: type.name, form: 'plain', arguments: count }, node);
    } else {
      const name = nameOf(this.tree, callee);
      if (name !== undefined) this.namedCall(node, name, count);
      else if (kind !== 'primitive_type') this.pointerCall(node, '', count, this.types.typeOf(callee));
    }
  }

  private namedCall(node: number, name: string, count: number): void {
    if (castNames.has(name)) return;
    const variable = name.includes('::') ? undefined : this.types.variableType(name);
    if (variable === undefined) {
      const form = this.types.classOf(name) === undefined ? 'plain' : 'construct';
      this.add({ name, form, arguments: count }, node);
      return;
    }
    const type = this.types.resolve(variable);
    if (type?.name.includes('<lambda') === true) {
      this.add({ name: type.name, form: 'plain', arguments: count }, node);
    } else if (type !== undefined && this.isObject(type)) {
      this.add({ name: 'operator()', form: 'member', arguments: count, type: type.name }, node);
    } else {
      this.pointerCall(node, name, count, type);
    }
  }

  /** An object that is called: of a class known here, or of one of the standard library. */
  private isObject(type: TypeHint): boolean {
    if (type.signature !== undefined || type.indirection > 0) return false;
    return (
      this.types.classOf(type.name) !== undefined || type.inner !== undefined || type.name.startsWith('std::')
    );
  }

  private pointerCall(
    node: number,
    name: string,
    count: number,
    type: TypeHint | undefined,
    toMember = false,
  ): void {
    this.add(
      {
        name,
        form: 'pointer',
        arguments: count,
        ...present({ type: type?.signature, result: type?.result, parameter: this.ownParameters.get(name) }),
        ...(toMember ? { toMember } : {}),
      },
      node,
    );
  }

  private memberCall(node: number, callee: number, count: number, parenthesized: boolean): void {
    const field = this.tree.field(callee, 'field');
    const argument = this.tree.field(callee, 'argument');
    const name = nameOf(this.tree, field);
    if (name === undefined || argument === undefined) return;
    const toMember = parenthesized && this.isMemberPointerAccess(callee);
    const type = this.types.receiverName(callee, this.types.typeOf(argument));
    const local = toMember ? this.types.resolve(this.types.localType(name)) : undefined;
    const data = local ?? this.types.fieldType(callee, 0);
    const isMethod = this.types.classOf(type)?.methods.has(name) ?? this.declarations.functionNames.has(name);
    if (toMember || this.declarations.language === 'c' || (data !== undefined && !isMethod)) {
      this.pointerCall(node, name, count, data, toMember);
    } else {
      this.add({ name, form: 'member', arguments: count, ...present({ type }) }, node);
    }
  }

  /** `.*`, or `->*`, which was replaced by `->` and a blank. */
  private isMemberPointerAccess(access: number): boolean {
    const operator = this.tree.field(access, 'operator');
    if (operator === undefined) return false;
    const text = this.tree.text.slice(this.tree.start(operator), this.tree.end(operator) + 1);
    return text.startsWith('.*') || text === '-> ';
  }

  private constructedBy(node: number, field: string): void {
    this.construction(this.tree.field(node, 'type'), this.tree.field(node, field), node);
  }

  /** A value of class type begins to exist; as a variable it also ends. */
  private construction(type: number | undefined, list: number | undefined, node: number, ends = false): void {
    const hint = this.types.resolve(typeHint(this.tree, type));
    if (hint === undefined || hint.indirection > 0 || hint.signature !== undefined) return;
    const isList = list !== undefined && ['argument_list', 'initializer_list'].includes(this.tree.kind(list));
    const count = list === undefined ? 0 : isList ? countArguments(this.tree, list) : 1;
    this.add({ name: hint.name, form: 'construct', arguments: count }, node);
    if (ends) this.addDestruction(hint.name, node);
  }

  private destruction(node: number): void {
    const type = this.types.typeOf([...this.tree.children(node)].at(-1));
    if (type !== undefined && type.name !== '') this.addDestruction(type.name, node);
  }

  private addDestruction(type: string, node: number): void {
    this.add({ name: `~${unqualified(type)}`, form: 'member', arguments: 0, type }, node);
  }

  private fieldInitializer(node: number): void {
    let name: string | undefined;
    let count = 0;
    for (const child of this.tree.children(node)) {
      const kind = this.tree.kind(child);
      if (kind === 'argument_list' || kind === 'initializer_list') count = countArguments(this.tree, child);
      else name ??= nameOf(this.tree, child);
    }
    if (name === undefined) return;
    const field = this.types.fieldOf(this.types.ownClass, name);
    if (field !== undefined && field.indirection > 0) return;
    this.add({ name: field?.name ?? name, form: 'construct', arguments: count }, node);
  }

  private operator(node: number, operand: string, count: number): void {
    const type = this.types.typeOf(this.tree.field(node, operand));
    if (type === undefined || type.indirection > 0 || this.types.classOf(type.name) === undefined) return;
    const operator = this.tree.field(node, 'operator');
    const isSubscript = this.tree.kind(node) === 'subscript_expression';
    if (operator === undefined && !isSubscript) return;
    const symbol = operator === undefined ? '[]' : this.tree.textOf(operator);
    this.add({ name: `operator${symbol}`, form: 'member', arguments: count, type: type.name }, node);
  }
}

function countArguments(tree: SyntaxTree, list: number): number {
  return [...tree.children(list)].filter((child) => isValue(tree.kind(child))).length;
}
