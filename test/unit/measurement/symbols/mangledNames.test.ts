import { describe, expect, it } from 'vitest';
import {
  fortranName,
  isPartOfFunction,
  isSameStructor,
  withoutCloneSuffix,
} from '../../../../src/measurement/symbols/mangledNames';

describe('names of symbols', () => {
  it.each([
    ['foo.part.0', 'foo'],
    ['_Z3fooi.constprop.0.isra.1', '_Z3fooi'],
    ['foo.part.0.constprop.2', 'foo'],
    ['foo.cold', 'foo'],
    ['foo.lto_priv.12', 'foo'],
    ['foo.llvm.1234567890', 'foo'],
    ['_Z7numbersi.resume', '_Z7numbersi'],
    ['_Z7numbersi.destroy.cold', '_Z7numbersi'],
    ['_Z7numbersPZ7numbersiE17_Z7numbersi.Frame.actor', '_Z7numbersi'],
    ['_Z7numbersPZ7numbersiE17_Z7numbersi.Frame.destroy.cold', '_Z7numbersi'],
    ['_ZN1n1A4stepEPZNS_1A4stepEiE18_ZN1n1A4stepEi.Frame.actor', '_ZN1n1A4stepEi'],
    ['step.0', 'step.0'],
    ['main._omp_fn.0', 'main._omp_fn.0'],
    ['.cold', '.cold'],
    ['partition', 'partition'],
  ])('%s belongs to %s', (symbol, name) => expect(withoutCloneSuffix(symbol)).toBe(name));

  it('parts', () => {
    expect(['f.part.0', 'f.cold', 'f.part.1.constprop.0'].map(isPartOfFunction)).toEqual([true, true, true]);
    expect(['f.constprop.0', 'f.isra.0', 'particle', 'a.partial'].some(isPartOfFunction)).toBe(false);
  });

  it('constructors and destructors with several symbols', () => {
    expect(isSameStructor('_ZN5ShapeC1Ei', '_ZN5ShapeC2Ei')).toBe(true);
    expect(isSameStructor('_ZN5ShapeC4Ei', '_ZN5ShapeC2Ei')).toBe(true);
    expect(isSameStructor('_ZN5ShapeD0Ev', '_ZN5ShapeD2Ev')).toBe(true);
    expect(isSameStructor('_Z1fi', '_Z1fi')).toBe(true);
    expect(isSameStructor('_Z1fi', '_Z1fd')).toBe(false);
    expect(isSameStructor('_ZN1A2f1Ev', '_ZN1A2f2Ev')).toBe(false);
    expect(isSameStructor('f1', 'f2')).toBe(false);
    expect(isSameStructor('main', 'main')).toBe(true);
  });

  it('Fortran module procedures', () => {
    expect(fortranName('__sparse_MOD_add_scaled')).toBe('sparse::add_scaled');
    expect(fortranName('__my_mod_MOD_f')).toBe('my_mod::f');
    expect(fortranName('solve_')).toBeUndefined();
  });
});
