import fc from 'fast-check';
import type { Layout } from '../../../../src/overlay/layout/layout';
import { rankProcesses, type UnrankedProcess } from '../../../../src/overlay/layout/rankProcesses';

/** Trees of 2 to 60 processes: the parent of each is one that comes before it. */
export const layouts: fc.Arbitrary<Layout> = fc
  .array(fc.nat({ max: 2 ** 20 }), { minLength: 1, maxLength: 59 })
  .map((choices) => {
    const children: number[][] = [[]];
    choices.forEach((choice, i) => {
      children[choice % (i + 1)]!.push(i + 1);
      children.push([]);
    });
    const processes = children.map((of, i): UnrankedProcess => ({
      host: `n${i % 7}`,
      index: i,
      children: of,
    }));
    return rankProcesses(processes, 0);
  });
