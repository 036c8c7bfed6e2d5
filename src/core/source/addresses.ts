import type { Declarations } from './declarations/declarations';
import { present } from '../present';
import { calledName, firstValue, isValue, type ExpressionTypes } from './declarations/expressionTypes';
import { nameOf, unqualified } from './syntax/names';
import type { SyntaxTree } from './syntax/syntaxTree';
import type { UnitAddress } from './unit';

/** Finds the functions that are named without being called: their address is taken. */
export class AddressCollector {
  readonly addresses: UnitAddress[] = [];
  /** Names, and names with what receives them. */
  private readonly seen = new Set<string>();

  constructor(
    private readonly tree: SyntaxTree,
    private readonly declarations: Declarations,
    private readonly types: ExpressionTypes,
    private readonly lineOf: (offset: number) => number,
  ) {}

  /** Children of these nodes are values: a function's name there means its address. */
  visit(node: number, kind: string): void {
    switch (kind) {
      case 'call_expression':
        this.argumentsOf(node);
        break;
      case 'field_declaration':
        this.address(this.tree.field(node, 'default_value'));
        break;
      case 'declaration':
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
    this.passedList(list, nameOf(this.tree, calledName(this.tree, callee)));
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
    const typeName = nameOf(this.tree, this.tree.field(node, 'type'));
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
      value = firstValue(this.tree, value);
    }
    if (value === undefined) return;
    const name = this.addressName(value);
    if (name === undefined) return;
    const use = passedTo === undefined ? name : [name, passedTo, position].join(' ');
    if (this.seen.has(use)) return;
    this.seen.add(name).add(use);
    this.addresses.push({
      name,
      line: this.lineOf(this.tree.start(value)),
      ...(passedTo === undefined ? {} : present({ passedTo, position })),
    });
  }

  private addressName(value: number): string | undefined {
    if (this.tree.kind(value) === 'lambda_expression') return this.types.lambdaType(value)?.name;
    const name = nameOf(this.tree, value);
    if (name === undefined || !this.declarations.functionNames.has(unqualified(name))) return undefined;
    return !name.includes('::') && this.types.isLocal(name) ? undefined : name;
  }
}
