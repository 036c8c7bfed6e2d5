import {
  FunctionCountGraph,
  type StackSample,
} from '../../../../../src/core/diagnosis/deepStart/functionCountGraph';
import type { ResourcePath } from '../../../../../src/core/diagnosis/resources/focus';

const functions = new Map<string, ResourcePath>();

/** A function of the module `app`; the same object for a name. */
export function code(name: string): ResourcePath {
  const known = functions.get(name) ?? ['app', name];
  functions.set(name, known);
  return known;
}

/** @param stack names, outermost first, with blanks between them */
export function sample(host: string, process: string, stack: string): StackSample {
  return { machine: [host, process], functions: stack.split(' ').map(code) };
}

export function graphOf(samples: readonly StackSample[]): FunctionCountGraph {
  const graph = new FunctionCountGraph();
  for (const each of samples) graph.add(each);
  return graph;
}

/** The example of specification 7.6. */
export const tenSamples: readonly StackSample[] = [
  sample('c1', 'p1', 'main solve smooth'),
  sample('c1', 'p1', 'main solve smooth E'),
  sample('c1', 'p2', 'main solve restrict E'),
  sample('c1', 'p2', 'main solve smooth E'),
  sample('c2', 'p3', 'main io write'),
  sample('c2', 'p3', 'main solve restrict E'),
  sample('c2', 'p4', 'main solve coarse E'),
  sample('c2', 'p4', 'main io write'),
  sample('c2', 'p4', 'main solve coarse E'),
  sample('c2', 'p4', 'main io write'),
];

/** `main` calls `A`, `A` calls `B`, `C` and `D` alike, and these spend most of their time in `E`. */
export const hiddenSamples: readonly StackSample[] = Array.from({ length: 30 }, (_, i) =>
  sample('h', 'p1', `main A ${'BCD'.charAt(i % 3)}${i % 10 < 8 ? ' E' : ''}`),
);
