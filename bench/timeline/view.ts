// node view.mjs <traces.otf2>: opens the timeline of a trace, which makes its index where there is none, and asks as a panel does; prints the milliseconds
// that a user waits (processor time would count what the compiler does beside it) and the highest memory.
import {
  openTimeline,
  timelineFind,
  timelineMessages,
  timelineProfile,
  timelineSpans,
  timelineStack,
} from '../../src/workflows/views/timelineView';

const [file = ''] = process.argv.slice(2);
const context = { progress: { report: (): void => undefined, log: (): void => undefined } };
const milliseconds: Record<string, number> = {};

async function timed<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  const before = performance.now();
  const result = await work();
  milliseconds[what] = Math.max(milliseconds[what] ?? 0, performance.now() - before);
  return result;
}

const { header } = await timed('open', () => openTimeline({ file }, context));
const name = { file, id: header.id };
const rowCount = Math.min(64, header.rows.length);
const pixels = 1600;
const whole = { ...name, firstRow: 0, rowCount, from: 0, to: header.seconds };
await timed('first picture', () => timelineSpans({ ...whole, pixels }, context));
await timed('messages of all', () => timelineMessages({ ...whole, most: 2000 }, context));
await timed('profile of all', () => timelineProfile(whole, context));
// From the whole trace to a millionth of it, by a factor of two, at places that were not seen before: as a user zooms in.
const zooms: number[] = [];
for (let step = 1; step <= 20; step++) {
  const length = header.seconds / 2 ** step;
  for (const part of [0.31, 0.77]) {
    const from = part * (header.seconds - length);
    const window = { ...whole, from, to: from + length };
    const before = performance.now();
    await timelineSpans({ ...window, pixels }, context);
    zooms.push(performance.now() - before);
    await timed('messages, slowest', () => timelineMessages({ ...window, most: 2000 }, context));
    await timed('profile, slowest', () => timelineProfile(window, context));
    await timed('stack, slowest', () =>
      timelineStack({ ...window, firstRow: 3, rowCount: header.depth, pixels }, context),
    );
  }
}
const question = { ...name, row: 0, isBackwards: false };
for (const part of [0, 0.5, 0.99])
  await timed('find, slowest', () =>
    timelineFind({ ...question, function: 5, seconds: part * header.seconds }, context),
  );
const sorted = [...zooms].sort((one, other) => one - other);
milliseconds['zoom, median'] = sorted[Math.floor(sorted.length / 2)] ?? 0;
milliseconds['zoom, slowest'] = sorted.at(-1) ?? 0;
console.log(
  JSON.stringify({
    milliseconds,
    zooms,
    events: header.events,
    messages: header.messages,
    notes: header.notes,
    megabytes: process.resourceUsage().maxRSS / 1000,
  }),
);
