import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cellValues, markedCells, occupied } from '../../../../webview/cube/topology/cells';
import {
  cellAtPoint,
  cellBox,
  geometryOf,
  moved,
  type Geometry,
} from '../../../../webview/cube/topology/geometry';
import {
  cellAt,
  cellsOf,
  dimensionsToChoose,
  indexOf,
  mostCells,
  placeOf,
  problemOf,
  topologyGrid,
  usualChoice,
  type TopologyChoice,
} from '../../../../webview/cube/topology/grid';

const dimension = (name: string, size: number, periodic = false) => ({ name, size, periodic });

/** Dimensions, a choice of rows, columns and slices, and an area. */
const arranged = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 5 }).chain((sizes) => {
  const wide = dimensionsToChoose(sizes);
  const pair = fc.shuffledSubarray([...wide], { minLength: Math.min(2, wide.length) });
  const slices = fc.tuple(
    ...sizes.map((size) => fc.option(fc.integer({ min: 0, max: size - 1 }), { nil: undefined, freq: 1 })),
  );
  return fc.record({
    sizes: fc.constant(sizes),
    choice: fc.record({ pair, slices }).map(({ pair: [rows = 0, columns], slices: given }) => ({
      rows,
      columns,
      slices: given,
    })),
    area: fc.tuple(fc.integer({ min: 40, max: 900 }), fc.integer({ min: 40, max: 700 })),
  });
});

function everyPlace(sizes: readonly number[]): number[][] {
  let places: number[][] = [[]];
  for (const size of sizes)
    places = places.flatMap((place) => Array.from({ length: size }, (_, at) => [...place, at]));
  return places;
}

function isShown(place: readonly number[], { rows, columns, slices }: TopologyChoice): boolean {
  return place.every(
    (coordinate, at) =>
      at === rows || at === columns || slices[at] === undefined || slices[at] === coordinate,
  );
}

describe('places of a topology in the picture', () => {
  it('shows each place of the chosen slices exactly once, at its coordinates', () => {
    fc.assert(
      fc.property(arranged, ({ sizes, choice, area: [width, height] }) => {
        const grid = topologyGrid(sizes, choice);
        if (grid === undefined) throw new Error('too many cells');
        const geometry = geometryOf(grid, width, height);
        const taken = new Set<string>();
        const shown = everyPlace(sizes).filter((place) => isShown(place, choice));
        for (const place of everyPlace(sizes)) {
          const cell = cellAt(grid, place);
          expect(cell !== undefined).toBe(isShown(place, choice));
          if (cell === undefined) continue;
          expect(placeOf(grid, cell)).toEqual(place);
          const box = cellBox(geometry, cell);
          taken.add(`${box.x} ${box.y}`);
          expect(box.x >= 0 && box.x + box.width <= Math.max(width, geometry.width)).toBe(true);
          expect(box.y >= 0 && box.y + box.height <= geometry.height).toBe(true);
          expect(cellAtPoint(geometry, box.x + box.width / 2, box.y + box.height / 2)).toEqual(cell);
        }
        expect(taken.size).toBe(shown.length);
        expect(cellsOf(grid)).toBe(shown.length);
      }),
    );
  });

  it('is 10^5 cells, and refuses more than can be looked at', () => {
    const sizes = [100, 1000];
    const grid = topologyGrid(sizes, usualChoice(sizes));
    expect(grid).toMatchObject({ planes: 1, rows: 100, columns: 1000 });
    const huge = [2 ** 32 - 2, 2 ** 32 - 2, 2 ** 32 - 2];
    expect(topologyGrid(huge, usualChoice(huge))).toBeUndefined();
    const many = Array.from({ length: 16 }, () => 2 ** 32 - 2);
    expect(topologyGrid(many, { rows: 0, columns: 1, slices: [] })).toBeUndefined();
    // Planes are left out before rows and columns are.
    const deep = [64, 64, 64, 64, 64];
    const usual = usualChoice(deep);
    expect(usual.slices).toEqual([undefined, undefined, undefined, 0, 0]);
    const shown = topologyGrid(deep, usual);
    expect(shown === undefined ? Infinity : cellsOf(shown)).toBeLessThanOrEqual(mostCells);
  });

  it('has rows where no dimension is longer than 1', () => {
    expect(usualChoice([1, 1])).toEqual({ rows: 0, columns: undefined, slices: [undefined, undefined] });
  });

  it('says why a topology cannot be shown', () => {
    expect(problemOf([dimension('x', 4)])).toBeUndefined();
    expect(problemOf([])).toMatch('no dimensions');
    expect(problemOf([dimension('x', 4), dimension('y', 0)])).toBe(
      'The dimension “y” has size 0: there are no cells.',
    );
    expect(problemOf(Array.from({ length: 17 }, () => dimension('x', 1)))).toMatch('17 dimensions or more');
  });

  it('is as large as fits, and breaks one dimension into lines', () => {
    const wide = geometryOf(gridOf([2, 3]), 600, 400);
    expect(wide.side).toBe(34);
    const line = geometryOf(gridOf([4096, 1]), 300, 400);
    expect(line.perLine).toBe(16);
    expect(line.lines).toBe(256);
    expect(line.width).toBeLessThanOrEqual(300);
    expect(geometryOf(gridOf([8, 1]), 340, 400)).toMatchObject({ perLine: 8, lines: 1 });
  });

  it('arrow keys stay within a plane, and go around periodic dimensions', () => {
    const geometry = geometryOf(gridOf([3, 4, 2]), 600, 400);
    const walk = (from: readonly number[], key: string, periodic: readonly number[] = []) =>
      walked(geometry, from, key, periodic);
    expect(walk([0, 0, 0], 'ArrowRight')).toEqual([0, 1, 0]);
    expect(walk([0, 3, 1], 'ArrowRight')).toEqual([0, 3, 1]);
    expect(walk([0, 3, 1], 'ArrowRight', [1])).toEqual([0, 0, 1]);
    expect(walk([0, 0, 1], 'ArrowUp', [0])).toEqual([2, 0, 1]);
    expect(walk([1, 2, 0], 'PageDown')).toEqual([1, 2, 1]);
    expect(walk([1, 2, 0], 'End')).toEqual([2, 3, 1]);
    expect(walk([1, 2, 0], 'a')).toBeUndefined();
    const line = geometryOf(gridOf([40]), 300, 400);
    expect(walked(line, [3], 'ArrowDown', [])).toEqual([3 + line.perLine]);
  });
});

describe('values of the cells', () => {
  // A machine with two processes of two threads each.
  const parent = Int32Array.of(-1, 0, 0, 1, 1, 2, 2);
  const inclusive = Float64Array.of(10, 3, 7, 1, 2, 3, 4);
  const references = { metricRoot: 20, metricSelection: 20, callRoot: 10, callSelection: 10 };
  const system = { inclusive, parent, references, combine: 'sum', mode: 'absolute' } as const;

  it('are those of the processes, of their threads, and of several locations in one cell', () => {
    const grid = gridOf([2, 2]);
    const places = { nodes: Uint32Array.of(1, 5, 6), coordinates: Uint32Array.of(0, 0, 1, 1, 1, 1) };
    const cells = occupied(grid, places);
    expect(cells.nodes).toEqual([[1], [5, 6]]);
    expect(cells.at[indexOf(grid, { plane: 0, row: 0, column: 1 })]).toBe(-1);
    const sums = cellValues(cells, system);
    expect([...sums.values]).toEqual([3, 7]);
    expect([sums.least, sums.most, sums.share(0), sums.share(1)]).toEqual([3, 7, 3 / 7, 1]);
    const most = cellValues(cells, { ...system, combine: 'maximum' });
    expect([...most.values]).toEqual([3, 4]);
    const shares = (mode: 'ownRoot' | 'metricRoot' | 'peer' | 'peerDistribution') =>
      [0, 1].map((position) => cellValues(cells, { ...system, mode }).share(position));
    expect(shares('ownRoot')).toEqual([0.3, 0.7]);
    expect(shares('metricRoot')).toEqual([0.15, 0.35]);
    expect(shares('peer')).toEqual([3 / 7, 1]);
    expect(shares('peerDistribution')).toEqual([0, 1]);
  });

  it('know where the selected nodes are, whether above or below what has a place', () => {
    const cells = occupied(gridOf([2, 2]), {
      nodes: Uint32Array.of(1, 5, 6),
      coordinates: Uint32Array.of(0, 0, 1, 1, 1, 1),
    });
    expect([...markedCells(cells, parent, [3])]).toEqual([0]);
    expect([...markedCells(cells, parent, [2])]).toEqual([1]);
    expect([...markedCells(cells, parent, [6])]).toEqual([1]);
    expect([...markedCells(cells, parent, [0])]).toEqual([0, 1]);
    expect([...markedCells(cells, parent, [])]).toEqual([]);
  });
});

function gridOf(sizes: readonly number[]) {
  const grid = topologyGrid(sizes, usualChoice(sizes));
  if (grid === undefined) throw new Error('too many cells');
  return grid;
}

function walked(geometry: Geometry, from: readonly number[], key: string, periodic: readonly number[]) {
  const cell = cellAt(geometry.grid, from);
  const to =
    cell === undefined ? undefined : moved(geometry, cell, key, (dimension) => periodic.includes(dimension));
  return to === undefined ? undefined : placeOf(geometry.grid, to);
}
