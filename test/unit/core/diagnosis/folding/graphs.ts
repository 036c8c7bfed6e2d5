import fc from 'fast-check';
import {
  foldedTree,
  type FoldedNode,
  type FoldedTree,
} from '../../../../../src/core/diagnosis/folding/foldedTree';
import { foldSource } from '../../../../../src/core/diagnosis/folding/foldSource';
import type { Folding } from '../../../../../src/core/diagnosis/folding/folding';
import type { SourceNode } from '../../../../../src/core/diagnosis/folding/sourceGraph';
import type { Truth } from '../../../../../src/core/diagnosis/search/searchRecord';

export const plain = { strictSignatures: false } as const;

export const calls = (label: string, truth: Truth, ...children: readonly SourceNode[]): SourceNode => ({
  level: 'function',
  label,
  truth,
  children,
});

export const processOf = (
  number: number,
  label: string,
  truth: Truth,
  ...children: readonly SourceNode[]
): SourceNode => ({ level: 'process', number, label, truth, children });

export const hostOf = (
  number: number,
  label: string,
  truth: Truth,
  ...children: readonly SourceNode[]
): SourceNode => ({ level: 'host', number, label, truth, children });

export const below = (...hosts: readonly SourceNode[]): SourceNode => ({
  level: 'program',
  label: 'Machine',
  children: hosts,
});

/** A process of the worked example: `D` is what differs. */
export const exampleProcess = (number: number, id: number, truthOfD: Truth): SourceNode =>
  processOf(
    number,
    `myapp{${id}}`,
    'true',
    calls('main', 'true', calls('A', 'true', calls('C', 'false'), calls('D', truthOfD)), calls('B', 'false')),
  );

/** The worked example: the truth of `D` in each of its processes. */
export const example = (...truthsOfD: readonly [Truth, Truth, Truth, Truth]): SourceNode =>
  below(
    hostOf(
      0,
      'c33.cs.wisc.edu',
      'true',
      exampleProcess(0, 1272, truthsOfD[0]),
      exampleProcess(1, 1273, truthsOfD[1]),
    ),
    hostOf(
      1,
      'c34.cs.wisc.edu',
      'true',
      exampleProcess(2, 7624, truthsOfD[2]),
      exampleProcess(3, 7625, truthsOfD[3]),
    ),
  );

/** A host with one process of the scale oracle: 30 nodes with those of host and process. */
export const syntheticHost = (rank: number, shift = 0): SourceNode =>
  hostOf(
    rank,
    `mcr${rank}.llnl.gov`,
    'true',
    processOf(
      rank,
      `su3_rmd{${1000 + rank}}`,
      'true',
      calls(
        'main',
        'true',
        ...Array.from({ length: 27 }, (_, i) => {
          const isTrue = i < 10 || (i < 22 && (rank * 7 + i + shift) % 5 === 0);
          return calls(`f${String(i).padStart(2, '0')}`, isTrue ? 'true' : 'false');
        }),
      ),
    ),
  );

/** A host with two processes while it is searched: of each, so many experiments with functions have concluded, and the next one is being made. */
export const searchedHost = (rank: number, concluded: readonly [number, number]): SourceNode =>
  hostOf(
    rank,
    `mcr${rank}.llnl.gov`,
    'true',
    ...concluded.map((known, position) => {
      const number = 2 * rank + position;
      const functions = Array.from({ length: Math.min(27, known + 1) }, (_, i) => i);
      return processOf(
        number,
        `su3_rmd{${1000 + number}}`,
        'true',
        calls(
          'main',
          'true',
          ...functions.map((i) => {
            const isTrue = i < 10 || (i < 22 && (number * 7 + i) % 5 === 0);
            return calls(
              `f${String(i).padStart(2, '0')}`,
              i === known ? 'unknown' : isTrue ? 'true' : 'false',
            );
          }),
        ),
      );
    }),
  );

const truth = fc.constantFrom<Truth>('true', 'true', 'false', 'unknown');

const functions = (depth: number): fc.Arbitrary<SourceNode> =>
  fc
    .record({
      label: fc.constantFrom('f0', 'f1', 'f2', 'f3', 'f4', 'f5'),
      truth,
      children:
        depth === 0
          ? fc.constant([])
          : fc.uniqueArray(functions(depth - 1), { maxLength: 3, selector: ({ label }) => label }),
    })
    .map(({ label, truth: own, children }) => calls(label, own, ...children));

const processes = fc.array(
  fc.record({ executable: fc.constantFrom('app', 'srv'), truth, child: functions(3) }),
  { minLength: 1, maxLength: 3 },
);

/** Hosts with processes of two executables, whose results differ anywhere. */
export const hosts = (minLength: number): fc.Arbitrary<readonly SourceNode[]> =>
  fc
    .array(fc.record({ truth, processes }), { minLength, maxLength: 12 })
    .map((made) =>
      made.map(({ truth: own, processes: below }, host) =>
        hostOf(
          host,
          `c${30 + host}.cs.wisc.edu`,
          own,
          ...below.map(({ executable, truth: ofProcess, child }, k) =>
            processOf(8 * host + k, `${executable}{${1000 + 97 * host + k}}`, ofProcess, child),
          ),
        ),
      ),
    );

export const fold = (...hostNodes: readonly SourceNode[]): Folding => foldSource(below(...hostNodes), plain);

/** `host c*.cs.wisc.edu true ×2`, with what is below it indented. */
export function lines({ children }: FoldedTree, indent = ''): readonly string[] {
  return children.flatMap((node) => [
    `${indent}${node.level} ${node.name} ${node.truth ?? '–'} ×${node.count}${gaugeOf(node)}`,
    ...lines(node, `${indent}  `),
  ]);
}

const gaugeOf = ({ gauge }: FoldedNode): string =>
  gauge === undefined ? '' : ` ${gauge.part}/${gauge.whole}`;

export const linesOf = (folding: Folding): readonly string[] => lines(foldedTree(folding));

/** All that a folded graph or a change is, as texts: comparing these is quicker. */
export const contentsOf = (folding: Folding): readonly string[] => [
  ...Array.from(folding.entries, (entry) => JSON.stringify(entry)).sort(),
  JSON.stringify(folding.replaced),
  ...Array.from(folding.names.hosts, (host) => JSON.stringify(host)).sort(),
  ...Array.from(folding.names.processes, (process) => JSON.stringify(process)).sort(),
  JSON.stringify(foldedTree(folding)),
];
