import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { KeyTable } from '../../core/trace/keyTable';
import type { TraceView } from '../../core/trace/views/compareTraces';
import { Folded, type Recording } from './folded';
import { KeptTraces } from './keptTraces';
import { recordedOnceNote } from './notes';
import { openOtf2Run } from './otf2Run';
import { partText, type Part } from './part';
import { mvtracesIn, openTextRun } from './textRun';
import { TraceBuilders } from './threadReading';

/** A trace, or a part of it, that is compared. */
export interface TraceInput extends Recording {
  /** `traces.otf2`, a `.mvtrace`, or a folder of these. */
  readonly given: string;
  readonly name: string;
  readonly part: Part;
}

/** What is read of an input. */
export interface ReadView extends TraceView {
  /** Processes of the whole run. */
  readonly ranks: number;
  /** Number of the last iteration that the first process began; 0: none. */
  readonly iterations: number;
}

export interface ReadViews {
  readonly table: KeyTable;
  readonly views: readonly ReadView[];
  /** Sentences about the traces, as far as they were read. */
  readonly notes: () => readonly string[];
}

/** The trace that is meant, if it is one: folders with a profile are compared by that. */
export function traceOf(given: string): 'otf2' | 'mvtrace' | undefined {
  if (/\.otf2$/i.test(given)) return 'otf2';
  if (/\.mvtrace$/i.test(given)) return 'mvtrace';
  if (statSync(given, { throwIfNoEntry: false })?.isDirectory() !== true) return undefined;
  if (existsSync(path.join(given, 'profile.cubex'))) return undefined;
  if (existsSync(path.join(given, 'traces.otf2'))) return 'otf2';
  return mvtracesIn(given).length > 0 ? 'mvtrace' : undefined;
}

/**
 * Opens traces for a comparison. A thread is read when it is asked for, and kept where there is room for all (`KeptTraces`); the first one of each is read at once.
 * @param phase function each of whose calls is an iteration; default: the marks of the trace
 * @throws KymoError `no-such-process`, `no-iterations`, `no-such-iteration`, and those of the formats
 */
export function readTraces(inputs: readonly TraceInput[], phase?: string): ReadViews {
  const table = new KeyTable();
  const builders = new TraceBuilders(table);
  const kept = new KeptTraces(() => {
    builders.clear();
  });
  const shared = { phase, table, kept, builders };
  const opened = inputs.map((input) => {
    const { given, name, part } = input;
    const folded = new Folded(input, inputs, table);
    const open = traceOf(given) === 'otf2' ? openOtf2Run : openTextRun;
    const run = open({ given, part, folded, ...shared });
    run.sources[0]?.read();
    const view = {
      ...{ name: `${name}${partText(part)}`, traces: run.sources },
      ...{ ranks: run.ranks, iterations: run.iterations() },
    };
    const notes = (): readonly string[] => [
      ...run.notes(),
      ...(folded.names.length > 0 ? [recordedOnceNote(name, folded.names)] : []),
    ];
    return { view, notes };
  });
  return {
    table,
    views: opened.map(({ view }) => view),
    notes: () => [...new Set(opened.flatMap(({ notes }) => notes()))],
  };
}
