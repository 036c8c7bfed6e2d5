import { readFileSync } from 'node:fs';
import { registerTrace } from '../../../../src/cli/commands/trace';
import type { TraceReport } from '../../../../src/workflows/trace/report.types';
import { smallTrace, undefinedRef, type SmallEvent } from '../../formats/otf2/smallTrace';
import { useCommandFolder } from './commandFolder';

/** Commands on a small trace of two ranks, in a folder of its own. */
export interface TraceCommands extends ReturnType<typeof useCommandFolder> {
  /** Writes the small trace. */
  readonly save: () => void;
  readonly shown: (...words: string[]) => Promise<TraceReport>;
  readonly printed: (...words: string[]) => Promise<string>;
  /** The text and the result of a conversion. */
  readonly converted: (name: string, ...words: string[]) => Promise<{ text: string; result: unknown }>;
}

export function useTraceCommands(name: string): TraceCommands {
  const folder = useCommandFolder(name);
  const { inFolder, run } = folder;
  return {
    ...folder,
    save: () => saveIn(inFolder()),
    shown: async (...words) =>
      (await run([registerTrace], ['trace', 'show', ...words])).result as TraceReport,
    printed: async (...words) => (await run([registerTrace], ['trace', 'show', ...words], false)).text,
    converted: async (output, ...words) => {
      const { result } = await run(
        [registerTrace],
        ['trace', 'convert', inFolder('traces.otf2'), '--output', inFolder(output), ...words],
      );
      return { text: readFileSync(inFolder(output), 'utf8'), result };
    },
  };
}

export const functions = [
  { name: 'int main()', mangledName: 'main', file: '/src/main.c', line: 10 },
  { name: 'step', file: '/src/step.c', line: 3 },
  { name: 'MPI_Send', file: 'MPI', paradigm: 4 },
  { name: 'MPI_Recv', file: 'MPI', paradigm: 4 },
];

/** main [0, 100] calls step [10, 40], which calls itself [20, 30], and MPI; times of rank 1 are one later. */
function rank(own: number): SmallEvent[] {
  const partner = 1 - own;
  const events: readonly SmallEvent[] = [
    ['PROGRAM_BEGIN', 0, 1, 1, 0],
    ['enter', 0, 0],
    ['enter', 10, 1],
    ['enter', 20, 1],
    ['leave', 30, 1],
    ['METRIC', 35, 0, 1, 4, 1000 * (own + 1)],
    ['leave', 40, 1],
    ['PARAMETER_STRING', 41, 0, 1],
    ['enter', 50, 2 + own],
    own === 0 ? ['send', 51, partner, 7, 64] : ['receive', 51, partner, 7, 64],
    ['leave', 60, 2 + own],
    own === 0 ? ['send', 61, partner, 7, 16] : ['receive', 61, partner, 7, 16],
    ['MPI_COLLECTIVE_BEGIN', 70],
    ['MPI_COLLECTIVE_END', 80, 11, 0, undefinedRef, 8, 24],
    ['RMA_PUT', 81, 0, partner, 100, 1],
    ['RMA_ATOMIC', 82, 0, partner, 5, 1, 2, 2],
    ['IO_OPERATION_BEGIN', 83, 0, 1, 0, 4096, 1],
    ['IO_OPERATION_BEGIN', 84, 0, 1, 0, 2n ** 64n - 1n, 1],
    ['leave', 100, 0],
    ['PROGRAM_END', 100, own === 0 ? 0 : 3],
  ];
  return events.map(([kind, time, ...values]) => [kind, time + own, ...values] as unknown as SmallEvent);
}

function saveIn(folder: string): void {
  smallTrace({
    functions,
    ranks: [rank(0), rank(1)],
    define: (writer) => {
      const text = writer.string('counter');
      writer.define('METRIC_MEMBER', {
        id: 0,
        name: text,
        description: text,
        type: 0,
        mode: 1,
        valueType: 4,
        base: 1,
        exponent: 1,
        unit: writer.string('#'),
      });
      writer.define('METRIC_CLASS', { id: 0, members: [0], occurrence: 1, recorderKind: 2 });
      writer.define('PARAMETER', { id: 0, name: writer.string('size'), type: 0 });
    },
    options: { machineName: 'cluster', properties: new Map([['__proto__', 'x']]), traceId: 77n },
  }).save(folder);
}
