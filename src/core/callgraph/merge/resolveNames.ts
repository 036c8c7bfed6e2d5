import { remembered } from '../../remembered';
import { scopeOf, unqualified } from '../../source/syntax/names';
import type { Unit, UnitCall, UnitFunction } from '../../source/unit';
import type { SourceFunction, SourceFunctions } from './sourceFunctions';

/**
 * Finds the callees of a call from names alone: scopes, number of arguments, class hierarchy. For units without a call graph of the
 * compiler. Where names cannot decide between overloads, all of them are callees.
 */
export class NameResolver {
  private readonly bases = new Map<string, Set<string>>();
  private readonly derived = new Map<string, Set<string>>();
  private readonly virtuals = new Map<string, Set<string>>();
  private readonly classesByName = new Map<string, Set<string>>();
  private readonly memo = new Map<string, readonly SourceFunction[]>();

  constructor(
    private readonly sources: SourceFunctions,
    units: readonly Unit[],
  ) {
    for (const name of sources.classNames) add(this.classesByName, unqualified(name), name);
    for (const unit of units) {
      for (const { qualifiedName, virtuals, bases } of unit.classes) {
        for (const method of virtuals) add(this.virtuals, qualifiedName, method);
        for (const base of bases) {
          for (const above of this.classesNamed(base, qualifiedName)) {
            add(this.bases, qualifiedName, above);
            add(this.derived, above, qualifiedName);
          }
        }
      }
    }
  }

  /** The functions that a call in `caller` may reach; empty for functions of other libraries. */
  resolve(call: UnitCall, caller: SourceFunction): readonly SourceFunction[] {
    // In C a look-up is cheaper than storing its result.
    if (caller.language === 'c') return this.find(call, caller);
    const own = caller.units[0];
    const key = [
      call.form,
      call.name,
      call.arguments,
      call.type ?? '',
      scopeOf(caller.record.qualifiedName),
      caller.record.isTemplate ? 'template' : '',
      own,
    ].join('\0');
    return remembered(this.memo, key, () => this.find(call, caller));
  }

  private find(call: UnitCall, caller: SourceFunction): readonly SourceFunction[] {
    switch (call.form) {
      case 'plain':
        return this.plain(call.name, call.arguments, caller);
      case 'construct':
        return this.constructors(call.name, call.arguments, caller.record.qualifiedName);
      case 'member':
        return this.member(call, caller.record);
      case 'pointer':
        return [];
    }
  }

  /** Functions that a name denotes in a scope, with any parameters unless `count` is given. */
  plain(name: string, count: number | undefined, caller: SourceFunction): readonly SourceFunction[] {
    const candidates = this.sources
      .named(unqualified(name).startsWith('<lambda') ? '<lambda>' : unqualified(name))
      .filter(
        (candidate) =>
          isVisible(candidate, caller) && (count === undefined || takes(candidate.record, count)),
      );
    if (candidates.length === 0) return candidates;
    for (let scope = caller.record.qualifiedName; ; scope = scopeOf(scope)) {
      const wanted = scope === '' ? name : `${scope}::${name}`;
      const here = candidates.filter((candidate) => candidate.record.qualifiedName === wanted);
      if (here.length > 0) return this.withVirtual(here, name.includes('::'));
      const inherited = this.inherited(scope, name, candidates);
      if (inherited.length > 0) return this.withVirtual(inherited, false);
      const pure = this.overridersOf(scope, name, candidates);
      if (pure.length > 0) return pure;
      if (scope === '') break;
    }
    // `using namespace`, argument-dependent look-up and aliases: the end of the name has to suffice.
    return candidates.filter(
      (candidate) =>
        candidate.record.memberOf === undefined && endsWithName(candidate.record.qualifiedName, name),
    );
  }

  /** The overriders of a method that the class declares without defining it. */
  private overridersOf(
    className: string,
    name: string,
    candidates: readonly SourceFunction[],
  ): SourceFunction[] {
    if (this.virtuals.get(className)?.has(name) !== true) return [];
    const below = this.reach(this.derived, className);
    return candidates.filter(({ record }) => below.includes(record.memberOf ?? ''));
  }

  private inherited(
    className: string,
    name: string,
    candidates: readonly SourceFunction[],
  ): SourceFunction[] {
    const above = this.reach(this.bases, className);
    if (above.length === 1) return [];
    return candidates.filter(
      ({ record }) =>
        record.memberOf !== undefined && above.includes(record.memberOf) && record.name === name,
    );
  }

  private constructors(name: string, count: number, scope: string): SourceFunction[] {
    const classes = this.classesNamed(name, scope);
    return this.sources
      .named(unqualified(name))
      .filter(
        ({ record }) =>
          record.memberOf !== undefined && classes.includes(record.memberOf) && takes(record, count),
      );
  }

  private member(call: UnitCall, caller: UnitFunction): readonly SourceFunction[] {
    const candidates = this.sources
      .named(unqualified(call.name))
      .filter(({ record }) => record.memberOf !== undefined && takes(record, call.arguments));
    // `b.A::f()` calls this very method, whatever overrides it.
    const qualifier = scopeOf(call.name);
    const type = qualifier === '' ? call.type : qualifier;
    if (type === undefined) return candidates;
    const classes = this.classesNamed(type, caller.qualifiedName);
    // A type that the user did not define is another library's, or the parameter of a template.
    if (classes.length === 0) return caller.isTemplate ? candidates : [];
    const methods = classes.flatMap((each) => this.nearest(each, candidates));
    return this.withVirtual(methods, qualifier !== '', classes);
  }

  /** The method in the class itself, or in the nearest base that has it. */
  private nearest(className: string, candidates: readonly SourceFunction[]): SourceFunction[] {
    for (const each of this.reach(this.bases, className)) {
      const here = candidates.filter((candidate) => candidate.record.memberOf === each);
      if (here.length > 0) return here;
      if (this.virtuals.get(each)?.has(candidates[0]?.record.name ?? '') === true)
        return candidates.filter(({ record }) =>
          this.reach(this.derived, each).includes(record.memberOf ?? ''),
        );
    }
    return [];
  }

  /** With the overriders of virtual methods, in all classes below. */
  private withVirtual(
    methods: readonly SourceFunction[],
    isQualified: boolean,
    below?: readonly string[],
  ): SourceFunction[] {
    const result = new Set(methods);
    if (isQualified) return [...result];
    for (const { record } of methods) {
      if (record.memberOf === undefined || !this.isVirtual(record)) continue;
      const classes = new Set((below ?? [record.memberOf]).flatMap((each) => this.reach(this.derived, each)));
      for (const candidate of this.sources.named(record.name)) {
        const { memberOf, parameters } = candidate.record;
        if (memberOf === undefined || !classes.has(memberOf)) continue;
        if (parameters.minimum === record.parameters.minimum) result.add(candidate);
      }
    }
    return [...result];
  }

  isVirtual(record: UnitFunction): boolean {
    if (record.isVirtual) return true;
    if (record.memberOf === undefined) return false;
    return this.reach(this.bases, record.memberOf).some(
      (each) => this.virtuals.get(each)?.has(record.name) === true,
    );
  }

  /** The methods that a method overrides. */
  overridden(record: UnitFunction): SourceFunction[] {
    if (record.memberOf === undefined || !this.isVirtual(record)) return [];
    const above = new Set(this.reach(this.bases, record.memberOf));
    above.delete(record.memberOf);
    return this.sources
      .named(record.name)
      .filter(
        (other) =>
          above.has(other.record.memberOf ?? '') &&
          other.record.parameters.minimum === record.parameters.minimum,
      );
  }

  /** Qualified names of the user's classes that a type name may denote in a scope. */
  classesNamed(name: string, scope: string): string[] {
    const candidates = [...(this.classesByName.get(unqualified(name)) ?? [])];
    for (let outer = scope; outer !== ''; outer = scopeOf(outer)) {
      const wanted = `${outer}::${name}`;
      if (candidates.includes(wanted)) return [wanted];
    }
    if (candidates.includes(name)) return [name];
    return candidates.filter((candidate) => endsWithName(candidate, name));
  }

  private reach(map: ReadonlyMap<string, ReadonlySet<string>>, start: string): string[] {
    const seen = new Set([start]);
    for (const each of seen) for (const next of map.get(each) ?? []) seen.add(next);
    return [...seen];
  }
}

/** Static functions are visible in their own unit only. */
function isVisible(candidate: SourceFunction, caller: SourceFunction): boolean {
  if (!candidate.record.isStatic || candidate.record.memberOf !== undefined) return true;
  return candidate.units.some((unit) => caller.units.includes(unit));
}

export function takes(record: UnitFunction, count: number): boolean {
  const { minimum, maximum } = record.parameters;
  return count >= minimum && (maximum === undefined || count <= maximum);
}

function endsWithName(qualified: string, name: string): boolean {
  return qualified === name || qualified.endsWith(`::${name}`);
}

function add(map: Map<string, Set<string>>, key: string, value: string): void {
  remembered(map, key, () => new Set<string>()).add(value);
}
