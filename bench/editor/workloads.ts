// What the extension host computes itself, on inputs as large as users have. Bundled and run by run.mjs.
import type { LineEdit } from '../../src/core/lines/lineEdits';
import { hashLines } from '../../src/core/lines/lineHashes';
import { differences, packHunks } from '../../src/core/lines/lineHunks';
import { LineMap } from '../../src/core/lines/lineMap';
import type { Property } from '../../src/core/properties/property';
import { placeGroups } from '../../src/editor/state/places/placedGroups';
import { FollowedLines } from '../../src/editor/state/places/followedLines';
import { FunctionIndex, type FunctionsAtLine } from '../../src/editor/state/studies/functionIndex';
import { lensesOf } from '../../src/editor/words/functions/lensText';
import { groupProperties } from '../../src/editor/words/findings/propertyGroups';
import { filterFunctions, functionTree } from '../../src/editor/words/functions/functionTree';
import type { LineMapParts } from '../../src/workflows/views/lineMaps';
import type { FunctionRow } from '../../src/core/functions/functionRow';

const measured: FunctionRow = {
  key: 'f',
  name: 'ns::sweep(double*, int)',
  selected: true,
  hasSite: true,
  decision: { clause: '31 % of the run time', details: '' },
  visits: 1_200_000,
  inclusiveShare: 0.31,
  exclusiveShare: 0.12,
  overheadPercent: 0.42,
};

/** The median of several runs, after one that warms up; milliseconds. */
function milliseconds(prepare: () => () => void): number {
  const times: number[] = [];
  for (let run = 0; run < 12; run++) {
    const work = prepare();
    const begin = performance.now();
    work();
    if (run > 0) times.push(performance.now() - begin);
  }
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}

const text = (lines: number, edited: number): string =>
  Array.from({ length: lines }, (_, n) =>
    edited > 0 && n % Math.round(lines / edited) === 7
      ? `  edited(${String(n)});`
      : `  statement(${String(n * 7)});`,
  ).join('\n');

export const workloads: readonly {
  readonly name: string;
  readonly bar: number;
  readonly run: () => number;
}[] = [
  {
    name: 'lenses of a file with 500 functions, of 100,000 in the study',
    bar: 20,
    run: () =>
      milliseconds(() => {
        const index = new FunctionIndex();
        for (let file = 0; file < 200; file++)
          index.add(
            Array.from({ length: 500 }, (_, at) => ({
              ...measured,
              file: `/w/${String(file)}.cpp`,
              line: 500 - at,
            })),
          );
        return () => {
          const lines = LineMap.identity(new Uint32Array(1000).fill(1));
          lensesOf(placeGroups(index.inFile('/w/7.cpp'), lines, 1000), 0, new Map(), index.all);
        };
      }),
  },
  {
    name: 'tree of 20,000 functions, filtered by two words',
    bar: 50,
    run: () =>
      milliseconds(() => {
        const functions = Array.from({ length: 20_000 }, (_, n) => ({
          ...measured,
          name: `ns::function${String(n)}(int, double)`,
          file: `/w/src/m${String(n % 40)}/f${String(n % 400)}.cpp`,
          line: n,
        }));
        return () => {
          functionTree(filterFunctions(functions, { text: 'FUNCTION1 src' }, new Map()), '/w');
        };
      }),
  },
  ...[5_000, 50_000].map((lines) => ({
    name: `first look at a document of ${String(lines)} lines: hashed; the engine compares it`,
    bar: 50,
    run: () =>
      milliseconds(() => {
        const now = text(lines, lines / 50);
        return () => {
          hashLines(now);
        };
      }),
  })),
  {
    name: 'what the engine answered for 50,000 lines of which 2 % are edited, with 5,000 functions placed',
    bar: 50,
    run: () =>
      milliseconds(() => {
        const { followed, current, parts } = compared(50_000);
        const groups = functionsOf(50_000, 10);
        return () => {
          placeGroups(groups, followed.compared(current, parts), 50_000);
        };
      }),
  },
  {
    name: 'a key stroke in it: followed, and 5,000 functions placed',
    bar: 20,
    run: () => {
      const { followed, current, parts } = compared(50_000);
      followed.compared(current, parts);
      const groups = functionsOf(50_000, 10);
      return milliseconds(() => () => {
        followed.edit([
          {
            first: 25_000,
            removed: 1,
            added: hashLines(`  typed(${String(performance.now())});`),
          },
        ]);
        placeGroups(groups, followed.map ?? LineMap.identity(current), 50_000);
      });
    },
  },
  {
    name: 'a thousand edits of it at once: followed',
    bar: 20,
    run: () => {
      const { followed, current, parts } = compared(50_000);
      followed.compared(current, parts);
      const edits = (word: string): readonly LineEdit[] =>
        Array.from({ length: 1000 }, (_, at) => ({
          first: 50 * at + 20,
          removed: 1,
          added: hashLines(`${word}${String(at)};`),
        }));
      return milliseconds(() => {
        const given = edits(String(performance.now()));
        return () => {
          followed.edit(given);
        };
      });
    },
  },
  {
    name: '5,000 properties grouped by kind, region, file and rank set, at four thresholds each (16 groupings)',
    bar: 16 * 100,
    run: () =>
      milliseconds(() => {
        const properties = manyProperties(5_000);
        return () => {
          for (const grouping of ['kind', 'region', 'file', 'ranks'] as const)
            for (const threshold of [0, 0.01, 0.1, 0.3])
              groupProperties(properties, grouping, threshold, '/w');
        };
      }),
  },
  {
    name: 'one of these groupings, as after a move of the threshold',
    bar: 100,
    run: () =>
      milliseconds(() => {
        const properties = manyProperties(5_000);
        return () => {
          groupProperties(properties, 'kind', 0.01, '/w');
        };
      }),
  },
  {
    name: 'in the engine: 50,000 lines, 2 % of them edited, compared',
    bar: 200,
    run: () =>
      milliseconds(() => {
        const before = hashLines(text(50_000, 0));
        const now = hashLines(text(50_000, 1000));
        return () => {
          differences(before, now);
        };
      }),
  },
];

/** A tenth of them problems, the others what happens to these over time. */
function manyProperties(count: number): readonly Property[] {
  return Array.from({ length: count }, (_, at): Property => {
    const problem = at - (at % 10);
    const common = {
      id: `p${String(at)}`,
      title: `Degradation trend in communication time of region${String(problem)}`,
      severity: 1 / (1 + (at % 977)),
      confidence: 1,
      region: { name: `region${String(problem)}`, file: `/w/src/f${String(problem % 400)}.c`, line: at },
      ranks: at % 3 === 0 ? '0-63' : String(at % 64),
      evidence: { excessShare: 0.1 },
    };
    return at === problem
      ? { ...common, kind: 'communication' }
      : { ...common, kind: 'degradation-trend', iterations: [[1, at]], refines: `p${String(problem)}` };
  });
}

/** A document that the engine has just compared. */
function compared(lines: number): {
  readonly followed: FollowedLines;
  readonly current: Uint32Array;
  readonly parts: LineMapParts;
} {
  const measuredLines = hashLines(text(lines, 0));
  const followed = new FollowedLines(hashLines(text(lines, lines / 50)));
  const current = followed.compare();
  const hunks = packHunks(differences(measuredLines, current));
  return { followed, current, parts: { measured: measuredLines, hunks } };
}

function functionsOf(lines: number, length: number): readonly FunctionsAtLine[] {
  return Array.from({ length: lines / length }, (_, at) => ({
    line: at * length + 1,
    functions: [{ ...measured, line: at * length + 1, endLine: (at + 1) * length }],
  }));
}
