import { describe, expect, it } from 'vitest';
import { Recordable } from '../../../../../../src/measurement/backends/scorep/unfit/recordable';
import { fn, graphOf } from '../../../../core/selection/graphs';

const graph = graphOf(
  [
    fn('main', { statements: 2 }),
    fn('_Z5largev', { statements: 10 }),
    fn('_Z5smallv', { statements: 9 }),
    fn('_Z5loopsv', { loops: 1 }),
    fn('unknown_', { statements: 0 }),
    fn('_ZN1AC2ERKS_', { statements: 0, isArtificial: true }),
    fn('_ZZ4mainENKUlvE_clEv', { statements: 20, isArtificial: true }),
    fn('_GLOBAL__sub_I_x'),
    fn('_Z41__static_initialization_and_destruction_0ii'),
    fn('large.constprop.0', { statements: 20 }),
    fn('_ZThn8_N1A1fEv', { statements: 20 }),
    fn('_ZSt4sortv', { statements: 20, isSystem: true }),
    fn('_ZN6Kokkos5Tools5beginEv', { statements: 20 }),
    fn('printf', { hasBody: false }),
  ],
  [],
);

describe('what Score-P can record', () => {
  it('is the entry and what may take longer than its record', () => {
    const { sites } = new Recordable(graph, 10);
    expect([...sites.keys()]).toEqual(['main', '_Z5largev', '_Z5loopsv', 'unknown_']);
  });

  it('is a small function, too, once the user names it', () => {
    const recordable = new Recordable(graph, 10);
    expect(recordable.has('_Z5smallv')).toBe(true);
    expect(recordable.whyNotRecorded('_Z5smallv')).toMatch(/unless you pin it.*small/);
    recordable.admit(['_Z5smallv', '_ZN1AC2ERKS_', 'printf', 'nowhere']);
    expect(recordable.sites.get('_Z5smallv')).toBe('probe');
    expect(recordable.sites.size).toBe(5);
    expect(recordable.has('_Z5smallv')).toBe(false);
    expect(recordable.whyNotRecorded('_Z5smallv')).toBeUndefined();
  });

  it('is nothing that a run showed to be unfit, whoever names it', () => {
    const recordable = new Recordable(graph, 10);
    recordable.admit(['_Z5smallv']);
    for (const key of ['_Z5largev', '_Z5smallv']) {
      recordable.sites.delete(key);
      recordable.admit([key]);
      expect(recordable.sites.has(key)).toBe(false);
      expect(recordable.whyNotRecorded(key)).toMatch(/a build or a run showed/);
    }
  });

  it('is nothing that the plug-in leaves alone, for the reason that is given', () => {
    const { whyNotRecorded } = new Recordable(graph, 1);
    for (const key of [
      '_ZN1AC2ERKS_',
      '_ZZ4mainENKUlvE_clEv',
      '_GLOBAL__sub_I_x',
      '_Z41__static_initialization_and_destruction_0ii',
      'large.constprop.0',
      '_ZThn8_N1A1fEv',
    ])
      expect(whyNotRecorded(key), key).toMatch(/made by the compiler/);
    expect(whyNotRecorded('_ZSt4sortv')).toMatch(/system header/);
    expect(whyNotRecorded('_ZN6Kokkos5Tools5beginEv')).toMatch(/measuring tool/);
    expect(whyNotRecorded('printf')).toMatch(/not compiled in this build/);
    expect(whyNotRecorded('nowhere')).toBeUndefined();
  });
});
