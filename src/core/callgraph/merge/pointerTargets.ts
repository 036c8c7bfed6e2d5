import { remembered } from '../../remembered';
import { unqualified } from '../../source/syntax/names';
import type { Unit, UnitAddress, UnitCall, UnitFunction } from '../../source/unit';
import type { Node, Nodes } from './nodes';
import { takes, type NameResolver } from './resolveNames';
import type { SourceFunction, SourceFunctions } from './sourceFunctions';
import { signaturesAgree, signatureScore } from './typeMatch';

/** Which functions a call through a pointer may reach: those whose address is taken somewhere and whose type fits. */
export class PointerTargets {
  /** All functions whose address is taken. */
  private readonly taken = new Set<SourceFunction>();
  /** Functions that are passed to a parameter, by receiver and position. */
  private readonly passed = new Map<string, Set<SourceFunction>>();
  private readonly memo = new Map<string, readonly Node[]>();

  constructor(
    units: readonly Unit[],
    private readonly sources: SourceFunctions,
    private readonly names: NameResolver,
    private readonly nodes: Nodes,
  ) {
    for (const [position, unit] of units.entries()) {
      for (const address of unit.addressTaken) this.note(address, this.inUnit(address.name, position));
      const compiled = new Set([
        ...(unit.compiler?.inData ?? []),
        ...(unit.compiler?.functions ?? []).flatMap((record) => record.references),
      ]);
      for (const name of compiled) {
        const source = nodes.named(position, name)?.source;
        if (source !== undefined) this.taken.add(source);
      }
    }
    for (const source of sources.all) {
      for (const address of source.record.addressTaken) this.note(address, this.resolve(address, source));
    }
  }

  private note(address: UnitAddress, functions: readonly SourceFunction[]): void {
    for (const source of functions) {
      this.taken.add(source);
      if (address.passedTo === undefined) continue;
      const key = `${unqualified(address.passedTo)} ${address.position ?? 0}`;
      remembered(this.passed, key, () => new Set<SourceFunction>()).add(source);
    }
  }

  private inUnit(name: string, unit: number): SourceFunction[] {
    return this.sources
      .named(unqualified(name))
      .filter((source) => !source.record.isStatic || source.units.includes(unit));
  }

  private resolve(address: UnitAddress, from: SourceFunction): readonly SourceFunction[] {
    if (address.name.includes('<lambda')) {
      return this.sources.named('<lambda>').filter(({ record }) => record.qualifiedName === address.name);
    }
    return this.names.plain(address.name, undefined, from);
  }

  /** The nodes of the functions with this address. */
  named(address: UnitAddress, from: SourceFunction): readonly Node[] {
    return this.resolve(address, from).flatMap((source) => this.nodes.of(source));
  }

  isUserFunction(name: string, from: SourceFunction): boolean {
    return this.names.plain(name, undefined, from).length > 0 || this.names.classesNamed(name, '').length > 0;
  }

  /** What a call through a pointer may reach. `isInstance`: the caller's direct calls are known, lambdas among them. */
  targets(call: UnitCall, caller: SourceFunction, isInstance: boolean): readonly Node[] {
    const isOwnTemplateParameter =
      call.parameter !== undefined && call.type === undefined && caller.record.isTemplate;
    const key = isOwnTemplateParameter
      ? `${caller.number} ${call.parameter} ${isInstance}`
      : `${call.arguments} ${call.type ?? '?'} ${call.result ?? '?'} ${call.toMember === true}`;
    let found = this.memo.get(key);
    if (found === undefined) {
      const functions = isOwnTemplateParameter
        ? (this.passed.get(`${caller.record.name} ${call.parameter}`) ?? [])
        : this.fitting(call);
      found = [...functions]
        .filter(({ record }) => !(isOwnTemplateParameter && isInstance && record.name === '<lambda>'))
        .flatMap((source) => this.nodes.of(source));
      this.memo.set(key, found);
    }
    return found;
  }

  /** By type where the pointer's type is known, by the number of arguments else. */
  private fitting(call: UnitCall): SourceFunction[] {
    const byCount = [...this.taken].filter(
      ({ record }) => takes(record, call.arguments) && isMethod(record) === (call.toMember === true),
    );
    const { type, result } = call;
    if (type === undefined) return byCount;
    const byType = byCount.filter(({ record }) => signatureScore(record.signature, type) >= 0);
    const byResult = byType.filter(
      ({ record }) =>
        result === undefined || record.result === undefined || signaturesAgree(record.result, result),
    );
    // Types are compared as written: rather a looser match than none.
    return byResult.length > 0 ? byResult : byType.length > 0 ? byType : byCount;
  }
}

/** Needs an object to be called. */
function isMethod(record: UnitFunction): boolean {
  return record.memberOf !== undefined && !record.isStatic;
}
