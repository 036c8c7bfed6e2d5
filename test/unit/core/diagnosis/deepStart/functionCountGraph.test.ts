import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FunctionCountGraph } from '../../../../../src/core/diagnosis/deepStart/functionCountGraph';
import { code, graphOf, sample, tenSamples } from './samples';

const scopes = [[], ['c1'], ['c2'], ['c2', 'p4']] as const;

describe('the function count graph', () => {
  it.each([
    ['main', 10, 4, 6, 4],
    ['solve', 7, 4, 3, 2],
    ['E', 6, 3, 3, 2],
    ['smooth', 3, 3, 0, 0],
    ['restrict', 2, 1, 1, 0],
    ['coarse', 2, 0, 2, 2],
    ['io', 3, 0, 3, 2],
    ['write', 3, 0, 3, 2],
  ])('T2: counts %s in the program, on c1, on c2 and in process p4', (name, ...counts) => {
    const graph = graphOf(tenSamples);
    expect(scopes.map((machine) => graph.count(code(name), machine))).toEqual(counts);
  });

  it('T2: counts all samples of each scope', () => {
    const graph = graphOf(tenSamples);
    expect(scopes.map((machine) => graph.total(machine))).toEqual([10, 4, 6, 4]);
    expect(graph.total(['c3'])).toBe(0);
    expect(graph.count(code('E'), ['c3'])).toBe(0);
    expect(graph.count(code('unseen'), [])).toBe(0);
  });

  it('T2: counts a function once that calls itself, also through another one, and remembers its greatest depth', () => {
    const graph = graphOf([sample('c1', 'p1', 'main walk visit walk walk'), sample('c1', 'p1', 'main walk')]);
    expect(graph.count(code('walk'), [])).toBe(2);
    expect(graph.functions.map(({ maxDepth }) => maxDepth)).toEqual([0, 4, 2]);
    expect(graph.calleesOf(code('walk'))).toEqual([code('visit')]);
    expect(graph.calleesOf(code('visit'))).toEqual([code('walk')]);
  });

  it('T2: has each observed call once', () => {
    const graph = graphOf(tenSamples);
    expect(graph.calleesOf(code('main'))).toEqual([code('solve'), code('io')]);
    expect(graph.calleesOf(code('solve'))).toEqual([code('smooth'), code('restrict'), code('coarse')]);
    expect(graph.calleesOf(code('unseen'))).toEqual([]);
  });

  it('T2: counts a thread with its process, and the same name on two hosts apart', () => {
    const graph = graphOf([
      { machine: ['c1', 'p', 'thread 1'], functions: [code('main')] },
      { machine: ['c2', 'p', 'thread 1'], functions: [code('main')] },
    ]);
    expect(graph.count(code('main'), ['c1', 'p'])).toBe(1);
    expect(graph.count(code('main'), ['c1', 'p', 'thread 2'])).toBe(1);
    expect(graph.total([])).toBe(2);
  });

  it('T2: keeps functions of the same name in two modules apart', () => {
    const graph = new FunctionCountGraph();
    graph.add({ machine: ['c1', 'p'], functions: [['a.c', 'init']] });
    expect(graph.count(['b.c', 'init'], [])).toBe(0);
  });

  it('T2: counts of processes add up to those of their host, and of hosts to the program’s, whatever is sampled', () => {
    const any = fc.record({
      machine: fc.tuple(fc.constantFrom('c1', 'c2', 'c3'), fc.constantFrom('p1', 'p2')),
      functions: fc.array(fc.constantFrom(...['f', 'g', 'h', 'i'].map(code)), { maxLength: 6 }),
    });
    fc.assert(
      fc.property(fc.array(any, { maxLength: 30 }), (samples) => {
        const graph = graphOf(samples);
        for (const { path } of graph.functions) {
          const onHost = (host: string): number => graph.count(path, [host]);
          for (const host of ['c1', 'c2', 'c3'])
            expect(graph.count(path, [host, 'p1']) + graph.count(path, [host, 'p2'])).toBe(onHost(host));
          expect(onHost('c1') + onHost('c2') + onHost('c3')).toBe(graph.count(path, []));
          const having = samples.filter(({ functions }) => functions.includes(path));
          expect(graph.count(path, [])).toBe(having.length);
        }
        expect(graph.total([])).toBe(samples.length);
      }),
    );
  });
});
