import { present } from '../../core/present';
import {
  nanoseconds,
  type ExportedLocation,
  type ExportedTrace,
  type TraceBatch,
  type TraceItem,
} from './items';

/**
 * A trace in the format of speedscope (https://www.speedscope.app/file-format-schema.json): an evented profile of each location, in microseconds. Functions
 * come last in the file, because they are known when all events were read.
 * @returns the file in pieces, one for each batch
 */
export function* speedscopeTrace(trace: ExportedTrace, batches: Iterable<TraceBatch>): Generator<string> {
  const { name } = trace;
  yield `{"$schema":"https://www.speedscope.app/file-format-schema.json","name":${JSON.stringify(name)},"exporter":"kymo","activeProfileIndex":0,"profiles":[`;
  let current = -1;
  let first = 0;
  let last = 0;
  let separator = '\n';
  const end = (): string => (current < 0 ? '' : `],"startValue":${first},"endValue":${last}}`);
  for (const { location, items } of batches) {
    let piece = '';
    if (location !== current) {
      const title = JSON.stringify(titleOf(trace.locations[location]));
      piece = `${end()}${current < 0 ? '' : ','}\n{"type":"evented","name":${title},"unit":"microseconds","events":[`;
      current = location;
      first = 0;
      last = 0;
      separator = '\n';
    }
    const events: string[] = [];
    for (const item of items) {
      const event = eventOf(item, trace);
      if (events.length === 0 && separator === '\n') first = event.at;
      last = event.at;
      events.push(JSON.stringify(event));
    }
    if (events.length > 0) {
      piece += `${separator}${events.join(',\n')}`;
      separator = ',\n';
    }
    yield piece;
  }
  yield `${end()}],"shared":{"frames":[`;
  const { functions } = trace;
  for (const [position, region] of functions.entries()) {
    const frame = { name: region.name, ...present({ file: region.file, line: region.firstLine }) };
    yield `${position === 0 ? '\n' : ',\n'}${JSON.stringify(frame)}`;
  }
  yield ']}}\n';
}

function eventOf(
  item: TraceItem,
  trace: ExportedTrace,
): { readonly type: 'O' | 'C'; readonly frame: number; readonly at: number } {
  return item.kind === 'open'
    ? { type: 'O', frame: item.function, at: nanoseconds(item.at, trace) / 1000 }
    : { type: 'C', frame: item.call.function, at: nanoseconds(item.call.end, trace) / 1000 };
}

function titleOf(location: ExportedLocation | undefined): string {
  if (location === undefined) return '';
  const { name, process, rank, thread, isThread } = location;
  return isThread && rank >= 0 ? `rank ${rank}, thread ${thread} (${name})` : `${process} ${name}`.trim();
}
