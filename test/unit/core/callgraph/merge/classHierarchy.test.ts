import { describe, expect, it } from 'vitest';
import { ClassHierarchy } from '../../../../../src/core/callgraph/merge/classHierarchy';
import type { CompilerClass } from '../../../../../src/core/source/unit';

const type = (
  mangledName: string,
  bases: readonly string[],
  tables: readonly (readonly string[])[],
  isComplete = true,
): CompilerClass => ({ mangledName, bases, tables, isComplete });

/** Shape (pure area, name) ← Round (abstract) ← Circle; Shape ← Square; Other stands alone. */
const classes = [
  type('5Shape', [], [['__cxa_pure_virtual', '_ZN5Shape4nameEv', '_ZNK5Shape4areaEi']]),
  type('5Round', ['5Shape'], [['__cxa_pure_virtual', '_ZN5Shape4nameEv', '_ZNK5Shape4areaEi']]),
  type('6Circle', ['5Round'], [['_ZNK6Circle4areaEv', '_ZN6Circle4nameEv', '_ZNK5Shape4areaEi']]),
  type('6Square', ['5Shape'], [['_ZNK6Square4areaEv', '_ZN5Shape4nameEv', '_ZNK6Square4areaEi']]),
  type('5Other', [], [['_ZN5Other4nameEv']]),
];

describe('a call through a virtual table', () => {
  const hierarchy = new ClassHierarchy(classes);
  const targets = (name: string, slot: number) => [...hierarchy.targets(name, slot)].sort();

  it('reaches the method of the slot in the class and in all that derive from it, at any distance', () => {
    expect(targets('_ZTS5Shape', 1)).toEqual(['_ZN5Shape4nameEv', '_ZN6Circle4nameEv']);
    expect(targets('_ZTS6Circle', 1)).toEqual(['_ZN6Circle4nameEv']);
    expect(targets('_ZTS5Shape', 2)).toEqual(['_ZNK5Shape4areaEi', '_ZNK6Square4areaEi']);
    // Asked again, the answer is the same.
    expect(targets('_ZTS5Shape', 1)).toEqual(['_ZN5Shape4nameEv', '_ZN6Circle4nameEv']);
  });

  it('knows the method of a pure slot from a class that fills it', () => {
    expect(targets('_ZTS5Shape', 0)).toEqual(['_ZNK6Circle4areaEv', '_ZNK6Square4areaEv']);
    expect(targets('_ZTS5Round', 0)).toEqual(['_ZNK6Circle4areaEv']);
  });

  it('names the class as gcc shows it, too', () => {
    expect(targets('Shape', 0)).toEqual(targets('_ZTS5Shape', 0));
    expect(targets('geometry::Shape<int> ', 0)).toEqual(targets('_ZTS5Shape', 0));
    expect(targets('Unknown', 0)).toEqual([]);
    expect(targets('_ZTS5Shape', 7)).toEqual([]);
  });

  it('means nothing by positions in tables that lack slots, or in those of second bases', () => {
    const partial = classes.map((each) => ({ ...each, isComplete: false }));
    expect(new ClassHierarchy(partial).targets('_ZTS5Shape', 1)).toEqual([]);
    const second = new ClassHierarchy([
      type('4Base', [], [['__cxa_pure_virtual']]),
      type('5Both', ['5Other', '4Base'], [['_ZN5Other4nameEv'], ['_ZN5Both3runEv']]),
    ]);
    expect(second.targets('_ZTS4Base', 0)).toEqual([]);
  });
});

describe('classes of several units', () => {
  it('are those with tables, whichever unit comes first', () => {
    const declared = type('5Shape', [], []);
    for (const order of [
      [declared, ...classes],
      [...classes, declared],
    ])
      expect(new ClassHierarchy(order).targets('_ZTS5Shape', 1)).toHaveLength(2);
  });

  it('derive from each other at any distance', () => {
    expect(new ClassHierarchy(classes).withDerived('5Shape').sort()).toEqual([
      '5Round',
      '5Shape',
      '6Circle',
      '6Square',
    ]);
    expect(new ClassHierarchy(classes).withDerived('5Other')).toEqual(['5Other']);
  });
});

describe('overriding methods', () => {
  const pairs = (list: readonly CompilerClass[]) =>
    [...new ClassHierarchy(list).overrides()].map(([own, base]) => `${own} > ${base}`).sort();

  it('have the name, constness and parameters of a method of a class above', () => {
    expect(pairs(classes)).toEqual([
      '_ZN6Circle4nameEv > _ZN5Shape4nameEv',
      '_ZN6Circle4nameEv > _ZN5Shape4nameEv',
      '_ZNK6Square4areaEi > _ZNK5Shape4areaEi',
    ]);
  });

  it('may stand behind a thunk, which overrides and is not overridden', () => {
    const withThunk = [
      type('4Base', [], [['_ZN4Base3runEv']]),
      type('5Other', [], [['_ZN5Other3runEv']]),
      type('4Both', ['5Other', '4Base'], [['_ZN4Both3runEv'], ['_ZThn8_N4Both3runEv']]),
      type('4Last', ['4Both'], [['_ZN4Last3runEv']]),
    ];
    expect(pairs(withThunk)).toEqual([
      '_ZN4Both3runEv > _ZN4Base3runEv',
      '_ZN4Both3runEv > _ZN5Other3runEv',
      '_ZN4Last3runEv > _ZN4Base3runEv',
      '_ZN4Last3runEv > _ZN4Both3runEv',
      '_ZN4Last3runEv > _ZN5Other3runEv',
      '_ZThn8_N4Both3runEv > _ZN4Base3runEv',
      '_ZThn8_N4Both3runEv > _ZN5Other3runEv',
    ]);
  });
});
