import { remembered, pushTo } from '../../remembered';
import type { CompilerClass } from '../../source/unit';
import { methodIdentity, typeIdentifier } from '../../names/mangled';

/** The program's classes with virtual tables, merged from the compiler's records of each unit. */
export class ClassHierarchy {
  private readonly classes = new Map<string, CompilerClass>();
  private readonly derived = new Map<string, Set<string>>();
  private readonly byIdentifier = new Map<string, string[]>();
  private readonly identities = new Map<string, string | undefined>();
  private readonly targetsOfCall = new Map<string, readonly string[]>();

  constructor(classes: Iterable<CompilerClass>) {
    for (const record of classes) {
      const { mangledName, tables, bases } = record;
      const earlier = this.classes.get(mangledName);
      if (earlier === undefined || (earlier.tables.length === 0 && tables.length > 0))
        this.classes.set(mangledName, record);
      for (const base of bases) remembered(this.derived, base, () => new Set<string>()).add(mangledName);
    }
    for (const name of this.classes.keys()) pushTo(this.byIdentifier, typeIdentifier(name), name);
  }

  /** Mangled names of the functions that a call through slot `slot` of `type`'s virtual table may reach. */
  targets(type: string, slot: number): readonly string[] {
    return remembered(this.targetsOfCall, `${type}\0${slot}`, () => this.findTargets(type, slot));
  }

  private findTargets(type: string, slot: number): string[] {
    const result = new Set<string>();
    for (const name of this.named(type)) {
      const below = this.withDerived(name);
      const identity = this.slotIdentity(name, below, slot);
      if (identity === undefined) continue;
      for (const each of below) {
        for (const method of this.methodsOf(each)) {
          if (this.identity(method) === identity) result.add(method);
        }
      }
    }
    return [...result];
  }

  /** clang gives the mangled name of the class (`_ZTS5Shape`), gcc its readable name. */
  private named(type: string): readonly string[] {
    if (type.startsWith('_ZTS')) return [type.slice('_ZTS'.length)];
    return this.byIdentifier.get(type.replace(/<.*>/, '').replace(/^.*::/, '').trim()) ?? [];
  }

  /** The class and all that derive from it, at any distance. */
  withDerived(name: string): string[] {
    const seen = new Set([name]);
    for (const each of seen) for (const below of this.derived.get(each) ?? []) seen.add(below);
    return [...seen];
  }

  /** The method in a slot: from the class's own table, else from a derived class that begins with it. */
  private slotIdentity(name: string, below: readonly string[], slot: number): string | undefined {
    for (const each of below) {
      const record = this.classes.get(each);
      if (record?.isComplete !== true || !this.beginsWith(each, name)) continue;
      const method = record.tables[0]?.[slot];
      const identity = method === undefined ? undefined : this.identity(method);
      if (identity !== undefined) return identity;
    }
    return undefined;
  }

  private beginsWith(derived: string, base: string): boolean {
    let current: string | undefined = derived;
    for (let depth = 0; current !== undefined && depth < 1000; depth++) {
      if (current === base) return true;
      current = this.classes.get(current)?.bases[0];
    }
    return false;
  }

  private *methodsOf(name: string): Iterable<string> {
    for (const table of this.classes.get(name)?.tables ?? []) yield* table;
  }

  private identity(method: string): string | undefined {
    if (!this.identities.has(method)) {
      this.identities.set(method, methodIdentity(method.replace(/^_ZT(?:hn?\d+_|v\w*?_|c\w*?_)(?=N)/, '_Z')));
    }
    return this.identities.get(method);
  }

  /** `[overriding, overridden]` pairs of mangled names, direct and indirect. */
  *overrides(): Iterable<readonly [string, string]> {
    for (const name of this.classes.keys()) {
      const inherited = this.ownMethods(name);
      if (inherited.size === 0) continue;
      for (const below of this.withDerived(name)) {
        if (below === name) continue;
        for (const method of this.methodsOf(below)) {
          const overridden = inherited.get(this.identity(method));
          if (overridden !== undefined && overridden !== method) yield [method, overridden];
        }
      }
    }
  }

  /** By identity; destructors count as one another's overriders too. */
  private ownMethods(name: string): Map<string | undefined, string> {
    const result = new Map<string | undefined, string>();
    for (const method of this.methodsOf(name)) {
      const identity = this.identity(method);
      if (identity !== undefined && !method.startsWith('_ZT')) result.set(identity, method);
    }
    return result;
  }
}
