import type { CallTrace } from '../../../../src/core/trace/callTrace';
import type { KeyTable } from '../../../../src/core/trace/keyTable';
import { IterationSink, type NumberRange } from '../../../../src/core/trace/build/iterations';
import { TraceBuilder } from '../../../../src/core/trace/build/traceBuilder';
import { namedBytes } from '../../../../src/formats/byteSource';
import { readMvtrace, type MvtraceRead } from '../../../../src/formats/mvtrace/read';

/** Reads a trace in text form. */
export function readText(
  text: string,
  table: KeyTable,
  iterations?: NumberRange,
): { readonly trace: CallTrace; readonly read: MvtraceRead } {
  const builder = new TraceBuilder(table, { counters: ['instructions'] });
  const read = readMvtrace(
    namedBytes('a.mvtrace', new TextEncoder().encode(text)),
    table,
    () => new IterationSink(builder, iterations),
  );
  const { rank, ranks, sizeUnit } = read;
  const trace = builder.finish({ name: `rank ${rank}`, rank, ranks, sizeUnit });
  return { trace: read.hasInstructions ? trace : { ...trace, counters: new Map() }, read };
}
