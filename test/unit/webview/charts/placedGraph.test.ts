import { describe, expect, it } from 'vitest';
import {
  boxOf,
  firstView,
  nextNode,
  nodeAt,
  wholeGraph,
  zoomedGraph,
  type PlacedGraph,
} from '../../../../webview/charts/graph/placedGraph';

const node = (x: number, y: number, above: readonly number[] = []) => ({ x, y, above });
const box = { width: 300, height: 64 };
/** One above three beside each other, of which the second has one below. */
const graph: PlacedGraph = {
  width: 1000,
  height: 300,
  box,
  direction: 'down',
  nodes: [node(500, 40), node(160, 150, [0]), node(500, 150, [0]), node(840, 150, [0]), node(500, 260, [2])],
};
/** The same, growing to the right. */
const turned: PlacedGraph = {
  width: 300,
  height: 1000,
  box: { width: 64, height: 300 },
  direction: 'right',
  nodes: graph.nodes.map(({ x, y, above }) => node(y, x, above)),
};

describe('a graph in a picture', () => {
  it('is seen whole, no larger than it is, and first of all where it is readable', () => {
    expect(wholeGraph(graph, 2016, 616)).toEqual({ scale: 1, x: 508, y: 158 });
    expect(wholeGraph(graph, 516, 616)).toEqual({ scale: 0.5, x: 8, y: 233 });
    expect(firstView(graph, 516, 616)).toEqual(wholeGraph(graph, 516, 616));
    // The first box is in the middle.
    const near = firstView(graph, 216, 100);
    expect(near.scale).toBe(0.45);
    const first = boxOf(graph, 0, near);
    expect([first.x + first.width / 2, first.y >= 8]).toEqual([108, true]);
    const beside = firstView(turned, 100, 216);
    const left = boxOf(turned, 0, beside);
    expect([left.y + left.height / 2, left.x >= 8]).toEqual([108, true]);
  });

  it('is zoomed around a place, between the whole and half as much again', () => {
    const view = { scale: 0.5, x: 10, y: 20 };
    expect(zoomedGraph(view, 2, { x: 110, y: 220 }, 0.4)).toEqual({ scale: 1, x: -90, y: -180 });
    expect(zoomedGraph(view, 9, { x: 0, y: 0 }, 0.4).scale).toBe(1.5);
    expect(zoomedGraph(view, 0.1, { x: 0, y: 0 }, 0.4).scale).toBe(0.4);
  });

  it('has boxes under the pointer', () => {
    const view = { scale: 0.5, x: 0, y: 0 };
    expect(boxOf(graph, 0, view)).toEqual({
      x: 250 - box.width / 4,
      y: 20 - box.height / 4,
      width: box.width / 2,
      height: box.height / 2,
    });
    expect([nodeAt(graph, view, 250, 20), nodeAt(graph, view, 80, 75), nodeAt(graph, view, 5, 5)]).toEqual([
      0,
      1,
      undefined,
    ]);
  });

  it('is walked by arrows: along edges, and beside', () => {
    const to = (from: number | undefined, key: string) => nextNode(graph, from, key);
    expect(to(undefined, 'ArrowUp')).toBe(0);
    expect(to(0, 'ArrowDown')).toBe(2);
    expect([to(2, 'ArrowLeft'), to(2, 'ArrowRight'), to(2, 'ArrowDown'), to(2, 'ArrowUp')]).toEqual([
      1, 3, 4, 0,
    ]);
    // Where there is none, it stays.
    expect([to(0, 'ArrowUp'), to(1, 'ArrowLeft'), to(1, 'ArrowDown')]).toEqual([0, 1, 1]);
    expect(to(1, 'Home')).toBeUndefined();
  });

  it('that grows to the right is walked in its own directions', () => {
    const to = (from: number, key: string) => nextNode(turned, from, key);
    expect(to(0, 'ArrowRight')).toBe(2);
    expect([to(2, 'ArrowUp'), to(2, 'ArrowDown'), to(2, 'ArrowRight'), to(2, 'ArrowLeft')]).toEqual([
      1, 3, 4, 0,
    ]);
  });
});
