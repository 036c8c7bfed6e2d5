import { rmSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { recorded, truth, Workbench } from './harness';
import { deeper, inconsistencies, waiting } from './result';

const bench = new Workbench();
afterAll(() => rmSync(bench.folder, { recursive: true, force: true }));

describe('a result that is written while visits are open', () => {
  it.each([{}, { KYMO_DEPTH_LIMIT: '3' }])(
    'makes no visits of the pieces before and after it (%j)',
    (environment) => {
      const program = bench.compile(
        { compiler: 'gcc', kind: 'entry', flags: ['-O1', '-rdynamic'] },
        'saved.c',
      );
      const measured = bench.measureAll(program, 'entry', new Map(), [], environment);
      const known = truth(measured.outcome.output);
      expect(known).toEqual({ leaf: 6, saving: 4, main: 1 });
      expect(recorded(measured, known)).toEqual(known);
      expect(measured.results.flatMap(inconsistencies)).toEqual([]);
      const nodes = measured.results.flatMap(({ threads }) => threads.flatMap((thread) => thread.nodes));
      const isTimed = ({ parent, slot }: (typeof nodes)[number]): boolean =>
        slot !== waiting && slot !== deeper && nodes[parent]?.slot !== deeper;
      const once = nodes.slice(1).filter((node) => node.visits === 1 && isTimed(node));
      expect(once.length).toBeGreaterThanOrEqual(3);
      for (const { minimum, maximum, ticks } of once) expect([minimum, maximum]).toEqual([ticks, ticks]);
    },
  );
});
