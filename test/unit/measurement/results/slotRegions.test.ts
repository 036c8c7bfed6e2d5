import { describe, expect, test } from 'vitest';
import { recordedPartOf } from '../../../../src/core/profile/recordedPart';
import type { CallGraph } from '../../../../src/core/callgraph/callGraph';
import { SlotRegions } from '../../../../src/measurement/results/slotRegions';

const graph: CallGraph = { functions: [], edges: [] };

describe('regions of functions that were switched while the program ran', () => {
  const part = { from: 1, to: 4, seconds: 3, stretches: 1, ofSeconds: 4 };
  const program = { slots: ['a', 'b'], graph, executable: '/bin/a' };

  test('say for which part of the run they were recorded, and the others nothing', () => {
    const parts = (): ReadonlyMap<string, typeof part> => new Map([['b', part]]);
    const regions = new SlotRegions({ ...program, switched: { parts, switches: [] } });
    const [a, b] = [0, 1].map((slot) => regions.regions[regions.ofSlot(slot)]);
    expect([recordedPartOf(a), recordedPartOf(b)]).toEqual([undefined, part]);
    expect([a?.description, b?.description]).toEqual([
      undefined,
      'Only a part of the run: recorded from 1 s on, for 75.0 % of the run',
    ]);
  });
});

describe('regions of OpenMP constructs', () => {
  // As Score-P writes them (SCOREP_RegionRole).
  test.each([
    ['!$omp parallel @a.c:3', 'parallel'],
    ['!$omp for @a.c:3', 'loop'],
    ['!$omp do @a.f90:3', 'loop'],
    ['!$omp taskloop', 'loop'],
    ['!$omp implicit barrier @a.c:3', 'implicit barrier'],
    ['!$omp barrier', 'barrier'],
    ['!$omp critical @a.c:3', 'critical'],
    ['!$omp critical sblock @a.c:3', 'critical sblock'],
    ['!$omp single @a.c:3', 'single'],
    ['!$omp task @a.c:3', 'task'],
    ['!$omp create task @a.c:3', 'task create'],
    ['!$omp taskwait @a.c:3', 'task wait'],
    ['!$omp taskgroup @a.c:3', 'region'],
    ['omp_set_lock @a.c:3', 'function'],
  ])('%s has the role %s', (name, role) => {
    const regions = new SlotRegions({ slots: [], graph, executable: '/bin/a' });
    const position = regions.ofSlotIn({ regions: [{ name, kind: 'openmp' }] }, 0);
    expect(regions.regions[position]).toMatchObject({ name, paradigm: 'openmp', role });
  });
});
