import {
  plainType,
  readDeclarator,
  resultType,
  signatureOf,
  typeHint,
  type Declared,
  type TypeHint,
} from './declarators';
import { at } from '../../at';
import { present } from '../../present';
import { remembered } from '../../remembered';
import { nameOf, unqualified } from '../syntax/names';
import type { SyntaxTree } from '../syntax/syntaxTree';

/** A function with a body, and where it stands. */
export interface Definition {
  /** `function_definition` or `lambda_expression`. */
  readonly node: number;
  /** Compound statement, or the try statement of a function-try-block. */
  readonly body: number;
  readonly nameNode: number;
  readonly name: string;
  readonly qualifiedName: string;
  readonly parameters?: number;
  readonly result?: string;
  /** Qualified name of the class whose body it stands in. */
  readonly inClass?: string;
  readonly isLambda: boolean;
  readonly isTemplate: boolean;
  /** Position of the enclosing definition. */
  readonly inside?: number;
}

export interface ClassDeclaration {
  readonly qualifiedName: string;
  readonly bases: string[];
  readonly virtuals: Set<string>;
  readonly methods: Set<string>;
  readonly fields: Map<string, TypeHint>;
}

/** A function that was declared in text that is not in the tree. */
export interface Prototype {
  /** At file scope. */
  readonly name: string;
  readonly result?: TypeHint;
}

/** The declarations of a unit, gathered in one pass over its tree; the bodies are read afterwards. */
export interface Declarations {
  readonly language: 'c' | 'c++';
  readonly definitions: readonly Definition[];
  readonly byNode: ReadonlyMap<number, number>;
  readonly classes: ReadonlyMap<string, ClassDeclaration>;
  readonly namespaces: ReadonlySet<string>;
  /** Names (plain) of all functions declared or defined here. */
  readonly functionNames: ReadonlySet<string>;
  /** Results of functions, by plain name. */
  readonly returns: ReadonlyMap<string, TypeHint>;
  readonly typedefs: ReadonlyMap<string, TypeHint>;
  readonly globals: ReadonlyMap<string, TypeHint>;
  /** Functions that some declaration forbids to touch (`always_inline`, …), by qualified name. */
  readonly untouchable: ReadonlySet<string>;
}

interface Frame {
  readonly end: number;
  /** Prefix of the names inside. */
  readonly scope: string;
  readonly inClass?: ClassDeclaration;
  readonly definition?: number;
  readonly isTemplate: boolean;
}

interface FrameChange {
  readonly scope?: string;
  /** Undefined: the frame is not directly in a class. */
  readonly inClass?: ClassDeclaration | undefined;
  readonly definition?: number;
  readonly isTemplate?: boolean;
}

/** Attributes and specifiers whose functions must not get a probe. */
export const untouchablePattern =
  /\b(?:constexpr|consteval|(?:__)?(?:naked|always_inline|no_instrument_function|gnu_inline|error|device|global)(?:__)?)\b/;

const classKinds = new Set(['struct_specifier', 'class_specifier', 'union_specifier']);

export function collectDeclarations(
  tree: SyntaxTree,
  language: 'c' | 'c++',
  prototypes: readonly Prototype[] = [],
): Declarations {
  return new Collector(tree, language).run(prototypes);
}

class Collector {
  private readonly frames: Frame[] = [{ end: Infinity, scope: '', isTemplate: false }];
  private readonly definitions: Definition[] = [];
  private readonly byNode = new Map<number, number>();
  private readonly classes = new Map<string, ClassDeclaration>();
  private readonly namespaces = new Set<string>();
  private readonly functionNames = new Set<string>();
  private readonly returns = new Map<string, TypeHint>();
  private readonly typedefs = new Map<string, TypeHint>();
  private readonly globals = new Map<string, TypeHint>();
  private readonly untouchable = new Set<string>();

  /** The first name that a typedef gives a struct: that of a struct without a name of its own. */
  private readonly typedefNames = new Map<number, string>();

  constructor(
    private readonly tree: SyntaxTree,
    private readonly language: 'c' | 'c++',
  ) {}

  run(prototypes: readonly Prototype[]): Declarations {
    for (const { name, result } of prototypes) {
      this.functionNames.add(name);
      if (result !== undefined) this.returns.set(name, result);
    }
    for (let node = 0; node < this.tree.length; node++) {
      while (this.frame.end <= node) this.frames.pop();
      this.visit(node);
    }
    return {
      language: this.language,
      definitions: this.definitions,
      byNode: this.byNode,
      classes: this.classes,
      namespaces: this.namespaces,
      functionNames: this.functionNames,
      returns: this.returns,
      typedefs: this.typedefs,
      globals: this.globals,
      untouchable: this.untouchable,
    };
  }

  private visit(node: number): void {
    const kind = this.tree.kind(node);
    switch (kind) {
      case 'namespace_definition':
        this.namespace(node);
        break;
      case 'template_declaration':
        this.push(node, { isTemplate: true });
        break;
      case 'struct_specifier':
      case 'class_specifier':
      case 'union_specifier':
        this.classSpecifier(node);
        break;
      case 'function_definition':
        this.functionDefinition(node);
        break;
      case 'lambda_expression':
        this.lambda(node);
        break;
      case 'declaration':
      case 'field_declaration':
        this.declaration(node);
        break;
      case 'type_definition':
        this.typeDefinition(node);
        break;
      case 'alias_declaration':
        this.aliasDeclaration(node);
        break;
      default:
    }
  }

  private get frame(): Frame {
    return at(this.frames, this.frames.length - 1);
  }

  private push(node: number, change: FrameChange): void {
    const outer = this.frame;
    this.frames.push({
      end: this.tree.next(node),
      scope: change.scope ?? outer.scope,
      isTemplate: change.isTemplate ?? outer.isTemplate,
      ...present({
        inClass: 'inClass' in change ? change.inClass : outer.inClass,
        definition: change.definition ?? outer.definition,
      }),
    });
  }

  private qualify(name: string): string {
    const { scope } = this.frame;
    return scope === '' ? name : `${scope}::${name}`;
  }

  private namespace(node: number): void {
    const named = this.tree.field(node, 'name');
    const text = named === undefined ? '(anonymous)' : this.tree.textOf(named).replace(/\s|\binline\b/g, '');
    const scope = this.qualify(text);
    this.namespaces.add(scope);
    this.push(node, { scope });
  }

  private classSpecifier(node: number): void {
    if (this.tree.field(node, 'body') === undefined) return;
    const named = this.tree.field(node, 'name');
    const name = named === undefined ? this.typedefNames.get(node) : nameOf(this.tree, named);
    const qualifiedName = this.qualify(name ?? `(anonymous ${this.tree.start(node)})`);
    const declared = remembered(this.classes, qualifiedName, (): ClassDeclaration => ({
      qualifiedName,
      bases: [],
      virtuals: new Set(),
      methods: new Set(),
      fields: new Map(),
    }));
    const bases = this.tree.childOfKind(node, 'base_class_clause');
    if (bases !== undefined) {
      for (const child of this.tree.children(bases)) {
        const base = nameOf(this.tree, child);
        if (base !== undefined && !declared.bases.includes(base)) declared.bases.push(base);
      }
    }
    this.push(node, { scope: qualifiedName, inClass: declared });
  }

  private functionDefinition(node: number): void {
    const declared = readDeclarator(this.tree, this.tree.field(node, 'declarator'));
    if (declared?.parameters === undefined) {
      this.push(node, {});
      return;
    }
    const qualifiedName = this.qualify(declared.name);
    this.noteFunction(node, declared, qualifiedName);
    const body =
      this.tree.field(node, 'body') ?? this.tree.childOfKind(node, 'compound_statement', 'try_statement');
    if (body === undefined) {
      this.push(node, {});
      return;
    }
    this.define({
      node,
      body,
      nameNode: declared.nameNode,
      name: unqualified(declared.name),
      qualifiedName,
      parameters: declared.parameters,
      ...present({
        result: resultType(this.tree, this.tree.field(node, 'type'), declared),
        inClass: this.frame.inClass?.qualifiedName,
        inside: this.frame.definition,
      }),
      isLambda: false,
      isTemplate: this.frame.isTemplate,
    });
  }

  private lambda(node: number): void {
    const body = this.tree.field(node, 'body');
    if (body === undefined) return;
    const parameters = this.tree.field(this.tree.field(node, 'declarator'), 'parameters');
    this.define({
      node,
      body,
      nameNode: node,
      name: '<lambda>',
      qualifiedName: this.qualify('<lambda>'),
      ...present({ parameters, inside: this.frame.definition }),
      isLambda: true,
      isTemplate: this.frame.isTemplate,
    });
  }

  private define(definition: Definition): void {
    const position = this.definitions.length;
    this.byNode.set(definition.node, position);
    this.definitions.push(definition);
    this.push(definition.node, {
      scope: definition.qualifiedName,
      inClass: undefined,
      definition: position,
      isTemplate: definition.isTemplate,
    });
  }

  private noteFunction(node: number, declared: Declared, qualifiedName: string): void {
    const name = declared.name.slice(declared.name.lastIndexOf(':') + 1);
    this.functionNames.add(name);
    const type = this.tree.field(node, 'type');
    const result = typeHint(this.tree, type, declared.indirection);
    if (result !== undefined) this.returns.set(name, result);
    const body = this.tree.field(node, 'body');
    const head = this.tree.text.slice(
      this.tree.start(node),
      body === undefined ? this.tree.end(node) : this.tree.start(body),
    );
    if (untouchablePattern.test(head)) this.untouchable.add(qualifiedName);
    const { inClass } = this.frame;
    if (inClass !== undefined) {
      inClass.methods.add(name);
      if (/\b(?:virtual|override|final)\b/.test(head)) inClass.virtuals.add(name);
    }
  }

  private declaration(node: number): void {
    const type = this.tree.field(node, 'type');
    for (const child of this.tree.children(node)) {
      if (this.tree.fieldOf(child) !== 'declarator') continue;
      const declared = readDeclarator(this.tree, child);
      if (declared === undefined) continue;
      if (declared.parameters !== undefined) {
        this.noteFunction(node, declared, this.qualify(declared.name));
        continue;
      }
      const hint = declaredType(this.tree, type, declared);
      if (hint === undefined) continue;
      const { inClass } = this.frame;
      if (inClass !== undefined) inClass.fields.set(declared.name, hint);
      else if (this.frame.definition === undefined) this.globals.set(declared.name, hint);
    }
  }

  private typeDefinition(node: number): void {
    const type = this.tree.field(node, 'type');
    for (const child of this.tree.children(node)) {
      if (this.tree.fieldOf(child) !== 'declarator') continue;
      const declared = readDeclarator(this.tree, child);
      if (declared === undefined) continue;
      const list = declared.parameters ?? declared.pointee;
      if (list !== undefined) {
        this.typedefs.set(declared.name, {
          name: declared.name,
          indirection: 1,
          signature: signatureOf(this.tree, list),
          ...present({ result: resultType(this.tree, type, declared) }),
        });
      } else if (type !== undefined) {
        const { indirection } = declared;
        const first = this.typedefNames.get(type);
        const hint =
          typeHint(this.tree, type, indirection) ??
          (first === undefined ? undefined : { name: first, indirection });
        if (hint !== undefined && hint.name !== declared.name) this.typedefs.set(declared.name, hint);
        if (first === undefined && classKinds.has(this.tree.kind(type)))
          this.typedefNames.set(type, declared.name);
      }
    }
  }

  private aliasDeclaration(node: number): void {
    const named = this.tree.field(node, 'name');
    const descriptor = this.tree.field(node, 'type');
    if (named === undefined || descriptor === undefined) return;
    const name = this.tree.textOf(named);
    const type = this.tree.field(descriptor, 'type');
    const list = this.tree.field(this.tree.field(descriptor, 'declarator'), 'parameters');
    if (list !== undefined) {
      this.typedefs.set(name, { name, indirection: 1, signature: signatureOf(this.tree, list) });
    } else if (type !== undefined) {
      const hint = typeHint(this.tree, type);
      if (hint !== undefined && hint.name !== name) this.typedefs.set(name, hint);
    }
  }
}

/** Type of a declared variable, field or parameter. */
export function declaredType(
  tree: SyntaxTree,
  type: number | undefined,
  declared: Declared,
): TypeHint | undefined {
  if (declared.pointee !== undefined) {
    return {
      name: '(function)',
      indirection: declared.indirection,
      signature: signatureOf(tree, declared.pointee),
      ...present({ result: resultType(tree, type, declared) }),
    };
  }
  if (type === undefined) return undefined;
  const hint = typeHint(tree, type, declared.indirection);
  return hint ?? { name: plainType(tree.textOf(type)).slice(0, 80), indirection: declared.indirection };
}
