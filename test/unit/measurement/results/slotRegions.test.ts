import { describe, expect, test } from 'vitest';
import type { CallGraph } from '../../../../src/core/callgraph/callGraph';
import { SlotRegions } from '../../../../src/measurement/results/slotRegions';

const graph: CallGraph = { functions: [], edges: [] };

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
