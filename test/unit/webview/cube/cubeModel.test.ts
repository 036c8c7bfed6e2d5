import { describe, expect, it } from 'vitest';
import { CubeModel } from '../../../../webview/cube/model';
import { readViewState, usualState } from '../../../../webview/cube/viewState';
import { Marks } from '../../../../webview/ui/grid/marks';

const metric = (name: string, parent = -1, more: object = {}) => ({
  name,
  displayName: name,
  unit: 'sec',
  dtype: 'DOUBLE',
  parent,
  description: '',
  combine: 'sum' as const,
  ...more,
});

function model(): CubeModel {
  return new CubeModel({
    header: {
      id: '1',
      title: 'p.cubex',
      callPaths: 1,
      regions: 1,
      locations: 3,
      systemNodes: 5,
      topologies: [],
      metrics: [
        metric('ghost', -1, { hidden: true }),
        metric('derived', -1, { expression: 'x' }),
        metric('visits'),
        metric('time', 0),
        metric('mpi', 3),
        metric('omp', 3, { expression: 'y' }),
      ],
    },
    callParent: Int32Array.of(-1),
    region: Uint32Array.of(0),
    parameters: new Map(),
    regions: [{ name: 'main', paradigm: 'compiler', role: 'function' }],
    systemParent: Int32Array.of(-1, 0, 1, 1, 0),
    systemLocation: Int32Array.of(-1, -1, 0, 1, 2),
    systemNames: ['machine', 'process', 'a', 'b', 'c'],
    systemKinds: ['machine', 'process', 'thread', 'thread', 'thread'],
  });
}

describe('what the trees of a Cube profile show', () => {
  it('metrics without those that are not meant to be shown; time first', () => {
    const { metrics, metricTree, usualMetric } = model();
    expect(metrics.map(({ name }) => name)).toEqual(['derived', 'visits', 'time', 'mpi', 'omp']);
    expect([...metricTree.parent]).toEqual([-1, -1, -1, 2, 2]);
    expect(metrics[usualMetric]?.name).toBe('time');
    expect(model().partsOf(usualMetric)).toEqual([3]);
  });

  it('values of locations up the system tree', () => {
    const sums = model().systemValues(Float64Array.of(1, 2, 4), 'sum');
    expect([...sums.inclusive]).toEqual([7, 3, 1, 2, 4]);
    expect([...sums.exclusive]).toEqual([0, 0, 1, 2, 4]);
    expect([...model().systemValues(Float64Array.of(0, 2, 4), 'minimum').inclusive]).toEqual([2, 2, 0, 2, 4]);
    expect([...model().systemValues(Float64Array.of(0, 2, 4), 'maximum').inclusive]).toEqual([4, 2, 0, 2, 4]);
  });
});

describe('a kept state', () => {
  it('is read as it was kept, and anything else is as if it was never changed', () => {
    expect(readViewState(undefined)).toEqual(usualState);
    expect(readViewState(JSON.parse(JSON.stringify(usualState)))).toEqual(usualState);
    const odd = {
      modes: { calls: 'x' },
      trees: [],
      collapsed: 3,
      selected: [1, -1, 'a'],
      shares: [0.01, 0.5],
    };
    expect(readViewState(odd)).toEqual({ ...usualState, selected: [1], shares: [0.24, 0.5] });
  });
});

describe('rows that are selected together', () => {
  const rows = [5, 6, 7, 8, 9];
  it('one, several, and everything between', () => {
    const marks = new Marks();
    marks.change(6, 'only', rows);
    marks.change(8, 'toggle', rows);
    expect(marks.rows).toEqual([6, 8]);
    marks.change(6, 'toggle', rows);
    expect(marks.rows).toEqual([8]);
    marks.change(8, 'toggle', rows);
    expect(marks.rows).toEqual([8]);
    marks.change(7, 'only', rows);
    marks.change(9, 'range', rows);
    expect(marks.rows).toEqual([7, 8, 9]);
    marks.change(5, 'range', rows);
    expect(marks.rows).toEqual([5, 6, 7]);
    marks.set([9]);
    expect([marks.has(9), marks.has(5)]).toEqual([true, false]);
  });
});
