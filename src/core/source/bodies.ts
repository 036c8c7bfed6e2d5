import { declaredType, type ClassDeclaration, type Declarations, type Definition } from './declarations';
import { readDeclarator, typeHint, type TypeHint } from './declarators';
import { nameOf, scopeOf, unqualified } from './names';
import { isLoop } from './statements';
import type { SyntaxTree } from './syntaxTree';
import type { UnitAddress, UnitCall } from './unit';

/** What a function's body calls and names. */
export interface BodyUses {
  readonly calls: UnitCall[];
  readonly addresses: UnitAddress[];
}

const castNames = new Set([
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

/** Reads one body (or, without a definition, what stands outside of functions). */
export class BodyReader implements BodyUses {
  readonly calls: UnitCall[] = [];
  readonly addresses: UnitAddress[] = [];
  private readonly variables = new Map<string, TypeHint>();
  private readonly ownParameters = new Map<string, number>();
  private readonly openLoops: number[] = [];
  private readonly seen = new Set<string>();

  constructor(
    private readonly tree: SyntaxTree,
    private readonly declarations: Declarations,
    private readonly lineOf: (offset: number) => number,
    private readonly definition?: Definition,
  ) {}

  /** Walks the nodes of the definition, leaving out nested functions and classes. */
  readDefinition(definition: Definition): BodyUses {
    if (definition.parameters !== undefined) this.noteParameters(definition.parameters);
    this.walk(definition.node, true);
    return this;
  }

  /** Walks what stands outside of all functions. */
  readOutside(): BodyUses {
    this.walk(0, false);
    return this;
  }

  private walk(root: number, inFunction: boolean): void {
    const end = this.tree.next(root);
    for (let node = root; node < end;) {
      while ((this.openLoops.at(-1) ?? end) <= node && this.openLoops.length > 0) this.openLoops.pop();
      if (node !== root && this.isNested(node, inFunction)) {
        node = this.tree.next(node);
        continue;
      }
      this.visit(node, inFunction);
      node++;
    }
  }

  private isNested(node: number, inFunction: boolean): boolean {
    if (this.declarations.byNode.has(node)) return true;
    return inFunction && this.tree.kind(node) === 'field_declaration_list';
  }

  private visit(node: number, inFunction: boolean): void {
    const kind = this.tree.kind(node);
    if (isLoop(kind)) this.openLoops.push(this.tree.next(node));
    switch (kind) {
      case 'declaration':
        if (inFunction) this.declaration(node);
        break;
      case 'for_range_loop':
        this.rangeVariable(node);
        break;
      case 'call_expression':
        if (inFunction) this.call(node);
        break;
      case 'new_expression':
        if (inFunction)
          this.construction(this.tree.field(node, 'type'), this.tree.field(node, 'arguments'), node);
        break;
      case 'compound_literal_expression':
        if (inFunction)
          this.construction(this.tree.field(node, 'type'), this.tree.field(node, 'value'), node);
        break;
      case 'delete_expression':
        if (inFunction) this.destruction(node);
        break;
      case 'field_initializer':
        this.fieldInitializer(node);
        break;
      case 'binary_expression':
      case 'assignment_expression':
      case 'subscript_expression':
      case 'unary_expression':
      case 'update_expression':
        if (inFunction) this.operator(node, kind);
        break;
      default:
    }
    this.valuePositions(node, kind);
  }

  // --- variables and types -----------------------------------------------------------------------------------------

  private noteParameters(list: number): void {
    let position = 0;
    for (const child of this.tree.children(list)) {
      const kind = this.tree.kind(child);
      if (kind === 'identifier') this.ownParameters.set(this.tree.textOf(child), position++);
      if (!kind.endsWith('parameter_declaration')) continue;
      const declarator = this.tree.field(child, 'declarator');
      const declared = declarator === undefined ? undefined : readDeclarator(this.tree, declarator);
      if (declared !== undefined) {
        const type = declaredType(this.tree, this.tree.field(child, 'type'), {
          ...declared,
          ...(declared.parameters === undefined ? {} : { pointee: declared.parameters }),
        });
        if (type !== undefined) this.variables.set(declared.name, type);
        this.ownParameters.set(declared.name, position);
      }
      position++;
    }
  }

  private declaration(node: number): void {
    const type = this.tree.field(node, 'type');
    for (const child of this.tree.children(node)) {
      if (this.tree.fieldOf(child) !== 'declarator') continue;
      const declared = readDeclarator(this.tree, child);
      if (
        declared === undefined ||
        (declared.parameters !== undefined && this.tree.kind(child) !== 'init_declarator')
      )
        continue;
      const value = this.tree.kind(child) === 'init_declarator' ? this.tree.field(child, 'value') : undefined;
      const automatic = type !== undefined && this.tree.kind(type) === 'placeholder_type_specifier';
      const hint = automatic
        ? value === undefined
          ? undefined
          : this.typeOf(value)
        : declaredType(this.tree, type, declared);
      this.ownParameters.delete(declared.name);
      this.variables.set(declared.name, hint ?? { name: '', indirection: 0 });
      if (
        !automatic &&
        declared.indirection === 0 &&
        !declared.isReference &&
        declared.pointee === undefined
      ) {
        this.construction(type, value, node, true);
      }
    }
  }

  private rangeVariable(node: number): void {
    const declarator = this.tree.field(node, 'declarator');
    const declared = declarator === undefined ? undefined : readDeclarator(this.tree, declarator);
    if (declared === undefined) return;
    const type = this.tree.field(node, 'type');
    const hint =
      type === undefined || this.tree.kind(type) === 'placeholder_type_specifier'
        ? this.elementOf(this.tree.field(node, 'right'))
        : declaredType(this.tree, type, declared);
    this.variables.set(declared.name, hint ?? { name: '', indirection: 0 });
  }

  private elementOf(range: number | undefined): TypeHint | undefined {
    const type = range === undefined ? undefined : this.typeOf(range);
    if (type === undefined) return undefined;
    if (type.indirection > 0) return { ...type, indirection: type.indirection - 1 };
    return type.inner === undefined ? undefined : { name: type.inner, indirection: 0 };
  }

  private get ownClass(): string | undefined {
    const definition = this.definition;
    if (definition === undefined) return undefined;
    return definition.inClass ?? scopeOf(definition.qualifiedName);
  }

  /** Type of an expression as far as the syntax of this unit tells. */
  private typeOf(node: number, depth = 0): TypeHint | undefined {
    if (depth > maximumTypeDepth) return undefined;
    const next = (child: number | undefined): TypeHint | undefined =>
      child === undefined ? undefined : this.typeOf(child, depth + 1);
    switch (this.tree.kind(node)) {
      case 'identifier':
        return this.resolve(this.variableType(this.tree.textOf(node)));
      case 'this':
        return this.ownClass === undefined ? undefined : { name: this.ownClass, indirection: 1 };
      case 'parenthesized_expression':
        return next(firstNamed(this.tree, node));
      case 'field_expression':
        return this.fieldType(node, depth);
      case 'subscript_expression':
        return this.dereference(next(this.tree.field(node, 'argument')));
      case 'pointer_expression':
        return this.pointerExpression(node, next);
      case 'call_expression':
        return this.resultOf(node);
      case 'cast_expression':
      case 'compound_literal_expression':
      case 'new_expression':
        return this.namedType(node);
      case 'conditional_expression':
        return next(this.tree.field(node, 'consequence'));
      case 'assignment_expression':
      case 'binary_expression':
        return next(this.tree.field(node, 'left'));
      case 'lambda_expression':
        return this.lambdaType(node);
      default:
        return undefined;
    }
  }

  private variableType(name: string): TypeHint | undefined {
    return (
      this.variables.get(name) ?? this.fieldOf(this.ownClass, name) ?? this.declarations.globals.get(name)
    );
  }

  private resolve(type: TypeHint | undefined): TypeHint | undefined {
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

  private fieldType(node: number, depth: number): TypeHint | undefined {
    const field = this.tree.field(node, 'field');
    const argument = this.tree.field(node, 'argument');
    const name = field === undefined ? undefined : nameOf(this.tree, field);
    if (name === undefined || argument === undefined) return undefined;
    const receiver = this.typeOf(argument, depth + 1);
    const known = this.fieldOf(this.receiverName(node, receiver), name);
    return this.resolve(known ?? (receiver === undefined ? this.anyField(name) : undefined));
  }

  /** `p->x` on a smart pointer means the pointed-to class. */
  private receiverName(fieldExpression: number, receiver: TypeHint | undefined): string | undefined {
    if (receiver === undefined) return undefined;
    const operator = this.tree.field(fieldExpression, 'operator');
    const arrow = operator !== undefined && this.tree.textOf(operator) === '->';
    return arrow && receiver.indirection === 0 && receiver.inner !== undefined
      ? receiver.inner
      : receiver.name;
  }

  private classOf(name: string | undefined): ClassDeclaration | undefined {
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

  private fieldOf(className: string | undefined, field: string, depth = 0): TypeHint | undefined {
    const found = this.classOf(className);
    if (found === undefined || depth > maximumTypeDepth) return undefined;
    const own = found.fields.get(field);
    if (own !== undefined) return own;
    for (const base of found.bases) {
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
    const kind = this.tree.kind(callee);
    const nameNode = kind === 'field_expression' ? this.tree.field(callee, 'field') : callee;
    const name = nameNode === undefined ? undefined : nameOf(this.tree, nameNode);
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
      return type === undefined ? undefined : typeHint(this.tree, type, stars + more);
    }
    return undefined;
  }

  private namedType(node: number): TypeHint | undefined {
    const type = this.tree.field(node, 'type');
    if (type === undefined) return undefined;
    const stars =
      this.tree.kind(node) === 'new_expression' ? 1 : this.tree.textOf(type).split('*').length - 1;
    const inner = this.tree.kind(type) === 'type_descriptor' ? this.tree.field(type, 'type') : type;
    return inner === undefined ? undefined : this.resolve(typeHint(this.tree, inner, stars));
  }

  private lambdaType(node: number): TypeHint | undefined {
    const position = this.declarations.byNode.get(node);
    const lambda = position === undefined ? undefined : this.declarations.definitions[position];
    return lambda === undefined
      ? undefined
      : { name: lambdaName(lambda, this.lineOf(this.tree.start(node))), indirection: 0 };
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
      callee = firstNamed(this.tree, callee);
    }
    if (callee === undefined) return;
    const kind = this.tree.kind(callee);
    if (kind === 'field_expression') this.memberCall(node, callee, count, parenthesized);
    else if (kind === 'lambda_expression') {
      const type = this.lambdaType(callee);
      if (type !== undefined) this.add({ name: type.name, form: 'plain', arguments: count }, node);
    } else {
      const name = nameOf(this.tree, callee);
      if (name !== undefined) this.namedCall(node, name, count);
      else if (kind !== 'primitive_type') this.pointerCall(node, '', count, this.typeOf(callee));
    }
  }

  private namedCall(node: number, name: string, count: number): void {
    if (castNames.has(name)) return;
    const variable = name.includes('::') ? undefined : this.variableType(name);
    if (variable === undefined) {
      if (this.classOf(name) === undefined) this.add({ name, form: 'plain', arguments: count }, node);
      else this.add({ name, form: 'construct', arguments: count }, node);
      return;
    }
    const type = this.resolve(variable);
    if (type?.name.includes('<lambda') === true)
      this.add({ name: type.name, form: 'plain', arguments: count }, node);
    else if (type !== undefined && type.signature === undefined && this.classOf(type.name) !== undefined)
      this.add({ name: 'operator()', form: 'member', arguments: count, type: type.name }, node);
    else this.pointerCall(node, name, count, type);
  }

  private pointerCall(node: number, name: string, count: number, type: TypeHint | undefined): void {
    const parameter = this.ownParameters.get(name);
    this.add(
      {
        name,
        form: 'pointer',
        arguments: count,
        ...(type?.signature === undefined ? {} : { type: type.signature }),
        ...(parameter === undefined ? {} : { parameter }),
      },
      node,
    );
  }

  private memberCall(node: number, callee: number, count: number, parenthesized: boolean): void {
    const field = this.tree.field(callee, 'field');
    const argument = this.tree.field(callee, 'argument');
    const name = field === undefined ? undefined : nameOf(this.tree, field);
    if (name === undefined || argument === undefined) return;
    const receiver = this.typeOf(argument);
    const type = this.receiverName(callee, receiver);
    const memberPointer = parenthesized ? this.resolve(this.variables.get(name)) : undefined;
    const data = memberPointer ?? this.fieldType(callee, 0);
    const isMethod = this.classOf(type)?.methods.has(name) ?? this.declarations.functionNames.has(name);
    if (parenthesized || (data !== undefined && !isMethod)) {
      this.pointerCall(node, name, count, data);
      return;
    }
    this.add({ name, form: 'member', arguments: count, ...(type === undefined ? {} : { type }) }, node);
  }

  /** A value of class type begins to exist; as a variable it also ends. */
  private construction(type: number | undefined, list: number | undefined, node: number, ends = false): void {
    const hint = type === undefined ? undefined : this.resolve(typeHint(this.tree, type));
    if (hint === undefined || hint.indirection > 0 || hint.signature !== undefined) return;
    const isList = list !== undefined && ['argument_list', 'initializer_list'].includes(this.tree.kind(list));
    const count = list === undefined ? 0 : isList ? countArguments(this.tree, list) : 1;
    this.add({ name: hint.name, form: 'construct', arguments: count }, node);
    if (ends)
      this.add({ name: `~${unqualified(hint.name)}`, form: 'member', arguments: 0, type: hint.name }, node);
  }

  private destruction(node: number): void {
    const operand = [...this.tree.children(node)].at(-1);
    const type = operand === undefined ? undefined : this.typeOf(operand);
    if (type === undefined || type.name === '') return;
    this.add({ name: `~${unqualified(type.name)}`, form: 'member', arguments: 0, type: type.name }, node);
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
    const field = this.fieldOf(this.ownClass, name);
    if (field !== undefined && field.indirection > 0) return;
    this.add({ name: field?.name ?? name, form: 'construct', arguments: count }, node);
  }

  private operator(node: number, kind: string): void {
    const left = this.tree.field(
      node,
      kind === 'subscript_expression' || kind.startsWith('u') ? 'argument' : 'left',
    );
    const type = left === undefined ? undefined : this.typeOf(left);
    if (type === undefined || type.indirection > 0 || this.classOf(type.name) === undefined) return;
    const symbol = kind === 'subscript_expression' ? '[]' : operatorSymbol(this.tree, node);
    if (symbol === undefined) return;
    const count = kind.startsWith('u') ? 0 : 1;
    this.add({ name: `operator${symbol}`, form: 'member', arguments: count, type: type.name }, node);
  }

  // --- addresses ---------------------------------------------------------------------------------------------------

  /** Children of these nodes are values: a function's name there means its address. */
  private valuePositions(node: number, kind: string): void {
    switch (kind) {
      case 'argument_list':
        break;
      case 'call_expression':
        this.argumentsOf(node);
        break;
      case 'declaration':
      case 'field_declaration':
        for (const child of this.tree.children(node)) this.declaratorValue(node, child);
        break;
      case 'assignment_expression':
        this.address(this.tree.field(node, 'right'));
        break;
      case 'initializer_pair':
      case 'cast_expression':
        this.address(this.tree.field(node, 'value'));
        break;
      case 'conditional_expression':
        this.address(this.tree.field(node, 'consequence'));
        this.address(this.tree.field(node, 'alternative'));
        break;
      case 'pointer_expression':
        this.address(node);
        break;
      case 'initializer_list':
      case 'return_statement':
      case 'comma_expression':
        for (const child of this.tree.children(node)) this.address(child);
        break;
      default:
    }
  }

  private argumentsOf(node: number): void {
    const callee = this.tree.field(node, 'function');
    const list = this.tree.field(node, 'arguments');
    if (callee === undefined || list === undefined) return;
    const field = this.tree.kind(callee) === 'field_expression' ? this.tree.field(callee, 'field') : callee;
    const name = field === undefined ? undefined : nameOf(this.tree, field);
    this.passedList(list, name);
  }

  private passedList(list: number, passedTo: string | undefined): void {
    let position = 0;
    for (const child of this.tree.children(list)) {
      const kind = this.tree.kind(child);
      if (!isValue(kind)) continue;
      this.address(child, passedTo, position);
      position++;
    }
  }

  private declaratorValue(node: number, child: number): void {
    if (this.tree.kind(child) !== 'init_declarator') return;
    const value = this.tree.field(child, 'value');
    if (value === undefined) return;
    const type = this.tree.field(node, 'type');
    const typeName = type === undefined ? undefined : nameOf(this.tree, type);
    if (['argument_list', 'initializer_list'].includes(this.tree.kind(value)))
      this.passedList(value, typeName);
    else this.address(value, typeName, 0);
  }

  private address(node: number | undefined, passedTo?: string, position?: number): void {
    let value = node;
    while (
      value !== undefined &&
      ['pointer_expression', 'parenthesized_expression'].includes(this.tree.kind(value))
    ) {
      value = firstNamed(this.tree, value);
    }
    if (value === undefined) return;
    const name = this.addressName(value);
    if (name === undefined) return;
    const key = `${name} ${passedTo ?? ''} ${position ?? ''}`;
    if (this.seen.has(key) || (passedTo === undefined && this.addresses.some((known) => known.name === name)))
      return;
    this.seen.add(key);
    this.addresses.push({
      name,
      line: this.lineOf(this.tree.start(value)),
      ...(passedTo === undefined || position === undefined ? {} : { passedTo, position }),
    });
  }

  private addressName(value: number): string | undefined {
    if (this.tree.kind(value) === 'lambda_expression') return this.lambdaType(value)?.name;
    const name = nameOf(this.tree, value);
    if (name === undefined || !this.declarations.functionNames.has(unqualified(name))) return undefined;
    return !name.includes('::') && this.variables.has(name) ? undefined : name;
  }
}

/** Lambdas have no name: their line tells them apart. */
export function lambdaName(lambda: Definition, line: number): string {
  return `${lambda.qualifiedName.slice(0, -1)}:${line}>`;
}

function firstNamed(tree: SyntaxTree, node: number): number | undefined {
  for (const child of tree.children(node)) if (isValue(tree.kind(child))) return child;
  return undefined;
}

/** Punctuation and operators are their own kind names. */
function isValue(kind: string): boolean {
  return /^[a-z]/.test(kind) && kind !== 'comment';
}

function countArguments(tree: SyntaxTree, list: number): number {
  let count = 0;
  for (const child of tree.children(list)) if (isValue(tree.kind(child))) count++;
  return count;
}

function operatorSymbol(tree: SyntaxTree, node: number): string | undefined {
  const operator = tree.field(node, 'operator');
  return operator === undefined ? undefined : tree.textOf(operator);
}
