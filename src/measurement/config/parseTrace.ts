import { present } from '../../core/present';
import { readText, type ObjectReader } from './configReader';
import {
  defaultTraceSettings,
  iterationRange,
  mostTraceMegabytes,
  traceFull,
  type TraceSettings,
} from './traceSettings';

/** `trace` of a target: an object, which may be empty, wants a trace. */
export function parseTrace(target: ObjectReader): TraceSettings | undefined {
  const reader = target.object('trace', ['memory', 'full', 'iterations']);
  if (reader === undefined) return undefined;
  const memoryMegabytes = reader.count('memory', defaultTraceSettings.memoryMegabytes);
  const memoryNode = reader.nodeOf('memory');
  if (memoryNode !== undefined && memoryMegabytes > mostTraceMegabytes)
    reader.source.fail(memoryNode, `"memory" is in MiB and must be at most ${mostTraceMegabytes}.`);
  const full = reader.oneOf('full', traceFull) ?? defaultTraceSettings.full;
  const node = reader.nodeOf('iterations');
  if (node === undefined) return { memoryMegabytes, full };
  const iterations = iterationRange(readText(reader.source, node, '"iterations"'));
  if (iterations === undefined)
    reader.source.fail(
      node,
      '"iterations" must be a range of iterations such as "10-12", or one such as "10"; the first one is 1.',
    );
  return { memoryMegabytes, full, ...present({ iterations }) };
}
