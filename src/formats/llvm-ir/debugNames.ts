import path from 'node:path';
import { numberOf, textOf, type Fields, type Metadata } from './metadata';

/** The debug information of a function. */
export interface FunctionPlace {
  /** With scope and parameter types, as gcc writes them: `n1::Shape::scale(double)`, `main()::<lambda(double)>`. */
  readonly prettyName: string;
  /** Absent for functions that the compiler generates: their debug information has the place of other code. */
  readonly file?: string;
  readonly line?: number;
}

/** Scopes and types have a few levels; only damaged texts are deeper. */
const maximumDepth = 30;
const maximumCharacters = 2000;
/** Limits artificial parameters, which add no characters. */
const maximumItems = 200;

const suffixes: Readonly<Record<string, string>> = {
  DW_TAG_pointer_type: '*',
  DW_TAG_reference_type: '&',
  DW_TAG_rvalue_reference_type: '&&',
  DW_TAG_const_type: ' const',
  DW_TAG_volatile_type: ' volatile',
  DW_TAG_restrict_type: '',
  DW_TAG_atomic_type: '',
  DW_TAG_array_type: '*',
};

/** Places and readable names of functions, from the debug information. */
export class DebugNames {
  private readonly parametersOf = new Map<number, string>();

  constructor(private readonly metadata: Metadata) {}

  /** @param number the function's `!dbg` */
  place(number: number): FunctionPlace | undefined {
    const fields = this.metadata.fields(number);
    const name = textOf(fields, 'name');
    if (name === undefined) return undefined;
    const prettyName = this.prettyName(name, fields).slice(0, maximumCharacters);
    if (isArtificial(fields)) return { prettyName };
    const file = this.file(fields);
    const line = Number(fields.get('line') ?? 0);
    return file === undefined || line < 1 ? { prettyName } : { prettyName, file, line };
  }

  private file(fields: Fields): string | undefined {
    const file = this.metadata.fields(numberOf(fields, 'file'));
    const name = textOf(file, 'filename');
    return name === undefined ? undefined : path.posix.resolve(textOf(file, 'directory') ?? '/', name);
  }

  private prettyName(name: string, fields: Fields): string {
    const parameters = this.parameters(fields);
    const scope = numberOf(fields, 'scope');
    if (name === 'operator()' && this.isLambda(scope)) {
      const around = this.scopes(numberOf(this.metadata.fields(scope), 'scope')).join('::');
      return `${around === '' ? '' : `${around}()::`}<lambda(${parameters})>`;
    }
    return `${[...this.scopes(scope), name].join('::')}(${parameters})${this.instance(fields)}`;
  }

  /** The class of a lambda has no name. */
  private isLambda(scope: number | undefined): boolean {
    return this.metadata.is(scope, 'DICompositeType') && !this.metadata.fields(scope).has('name');
  }

  /** Names of the enclosing namespaces, classes and functions, outermost first; bounded by the longest name. */
  private scopes(innermost: number | undefined): readonly string[] {
    const names: string[] = [];
    let number = innermost;
    let remaining = maximumCharacters;
    for (let depth = 0; number !== undefined && depth < maximumDepth && remaining > 0; depth++) {
      const fields = this.metadata.fields(number);
      const name = textOf(fields, 'name');
      if (this.metadata.is(number, 'DINamespace')) names.push(name ?? '(anonymous namespace)');
      else if (this.metadata.is(number, 'DICompositeType')) names.push(name ?? '<lambda>');
      else if (this.metadata.is(number, 'DISubprogram')) names.push(name ?? '');
      remaining -= name?.length ?? 0;
      number = numberOf(fields, 'scope');
    }
    return names.reverse();
  }

  /** Cached, since many functions have the same type. */
  private parameters(fields: Fields): string {
    const type = numberOf(fields, 'type') ?? -1;
    let text = this.parametersOf.get(type);
    if (text === undefined) {
      const types = this.metadata.list(numberOf(this.metadata.fields(type), 'types'));
      text = bounded(types.slice(1, maximumItems), ', ', (type) => {
        if (type === undefined) return '...';
        return isArtificial(this.metadata.fields(type)) ? undefined : this.type(type);
      });
      this.parametersOf.set(type, text);
    }
    return text;
  }

  /** ` [with T = double]` for instances of templates. */
  private instance(fields: Fields): string {
    const instances = bounded(this.metadata.list(numberOf(fields, 'templateParams')), '; ', (number) => {
      const parameter = this.metadata.fields(number);
      const name = textOf(parameter, 'name') ?? '';
      const type = numberOf(parameter, 'type');
      return name === '' || type === undefined ? undefined : `${name} = ${this.type(type)}`;
    });
    return instances === '' ? '' : ` [with ${instances}]`;
  }

  /**
   * @param isWithin whether the type is part of a function's type: there a function is written `void`, and a pointer to it `void*`, which
   * also bounds the work for damaged texts whose types contain themselves
   */
  private type(outermost: number | undefined, isWithin = false): string {
    let number = outermost;
    let suffix = '';
    for (let depth = 0; number !== undefined && depth < maximumDepth; depth++) {
      if (this.metadata.is(number, 'DISubroutineType'))
        return isWithin ? `void${suffix === '' ? '*' : suffix}` : this.functionType(number, suffix);
      const fields = this.metadata.fields(number);
      const tagSuffix = suffixes[fields.get('tag') ?? ''];
      if (tagSuffix === undefined) return `${textOf(fields, 'name') ?? '<lambda>'}${suffix}`;
      suffix = `${tagSuffix}${suffix}`;
      number = numberOf(fields, 'baseType');
    }
    return `void${suffix}`;
  }

  private functionType(number: number, suffix: string): string {
    const types = this.metadata.list(numberOf(this.metadata.fields(number), 'types'));
    const parameters = bounded(types.slice(1, maximumItems), ', ', (type) => this.type(type, true));
    return `${this.type(types[0], true)} (${suffix.trim()})(${parameters})`;
  }
}

/** As `join`, bounded by the longest name: damaged texts may have lists of any length in each function. */
function bounded<Item>(
  items: readonly Item[],
  separator: string,
  textOfItem: (item: Item) => string | undefined,
): string {
  let all = '';
  for (const item of items.slice(0, maximumItems)) {
    const text = textOfItem(item);
    if (text !== undefined) all += `${all === '' ? '' : separator}${text}`;
    if (all.length > maximumCharacters) break;
  }
  return all;
}

function isArtificial(fields: Fields): boolean {
  return fields.get('flags')?.includes('DIFlagArtificial') === true;
}
