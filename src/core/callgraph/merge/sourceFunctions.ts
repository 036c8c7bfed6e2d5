import { pushTo } from '../../remembered';
import type { Unit, UnitFunction } from '../../source/unit';

/** A function as the sources define it, once for all units that contain it. */
export interface SourceFunction {
  readonly number: number;
  readonly record: UnitFunction;
  readonly language: 'c' | 'c++';
  /** `[unit hash, number in the unit]`. */
  readonly definitions: (readonly [string, number])[];
  /** Positions of the units. */
  readonly units: number[];
}

/** All functions with bodies in the user's sources, with look-ups by name and place. */
export class SourceFunctions {
  readonly all: SourceFunction[] = [];
  private readonly byPlace = new Map<string, SourceFunction>();
  private readonly byName = new Map<string, SourceFunction[]>();
  /** Built on first use. */
  private byLine: Map<string, SourceFunction[]> | undefined;
  /** Qualified names of all classes that the user's sources define. */
  readonly classNames = new Set<string>();

  constructor(units: readonly Unit[]) {
    for (const [position, unit] of units.entries()) {
      for (const [number, record] of unit.functions.entries()) this.add(unit, position, record, number);
      for (const { qualifiedName } of unit.classes) this.classNames.add(qualifiedName);
    }
  }

  private add(unit: Unit, position: number, record: UnitFunction, number: number): void {
    const place = `${record.file}\0${record.line}\0${record.column}\0${record.qualifiedName}`;
    const earlier = this.byPlace.get(place);
    if (earlier !== undefined) {
      earlier.definitions.push([unit.hash, number]);
      earlier.units.push(position);
      return;
    }
    const added: SourceFunction = {
      number: this.all.length,
      record,
      language: unit.language,
      definitions: [[unit.hash, number]],
      units: [position],
    };
    this.all.push(added);
    this.byPlace.set(place, added);
    pushTo(this.byName, record.name, added);
    if (record.memberOf !== undefined) this.classNames.add(record.memberOf);
  }

  /** Functions of that unqualified name. */
  named(name: string): readonly SourceFunction[] {
    return this.byName.get(name) ?? [];
  }

  at(file: string, line: number): readonly SourceFunction[] {
    if (this.byLine === undefined) {
      this.byLine = new Map();
      for (const each of this.all) pushTo(this.byLine, `${each.record.file}:${each.record.line}`, each);
    }
    return this.byLine.get(`${file}:${line}`) ?? [];
  }
}
