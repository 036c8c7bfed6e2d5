import { describe, expect, it } from 'vitest';
import { registerTrace } from '../../../../src/cli/commands/trace';
import type { EventList } from '../../../../src/workflows/trace/events';
import { useTraceCommands } from './traceCommands';

const { inFolder, run, save, shown, printed } = useTraceCommands('trace-events');
const listed = async (...words: string[]): Promise<EventList> =>
  (await run([registerTrace], ['trace', 'show', '--events', ...words])).result as EventList;

describe('kymo trace show --events', () => {
  it('lists events in the order of their times, with names', async () => {
    save();
    const { events, hasMore } = await listed(inFolder(), '--from', '0.035', '--until', '0.051');
    expect(hasMore).toBe(false);
    expect(events.map(({ seconds, rank: own, kind }) => [seconds, own, kind])).toEqual([
      [0.035, 0, 'METRIC'],
      [0.036, 1, 'METRIC'],
      [0.04, 0, 'LEAVE'],
      [0.041, 0, 'PARAMETER_STRING'],
      [0.041, 1, 'LEAVE'],
      [0.042, 1, 'PARAMETER_STRING'],
      [0.05, 0, 'ENTER'],
      [0.051, 0, 'MPI_SEND'],
      [0.051, 1, 'ENTER'],
    ]);
    expect(events[0]!.fields).toEqual([
      { name: 'metric', value: 'counter' },
      { name: 'counter', value: 1000 },
    ]);
    expect(events[3]!.fields).toEqual([
      { name: 'parameter', value: 'size' },
      { name: 'string', value: 'int main()' },
    ]);
    expect(events[7]!.fields).toEqual([
      { name: 'receiver', value: 1 },
      { name: 'comm', value: 'MPI_COMM_WORLD' },
      { name: 'tag', value: 7 },
      { name: 'bytes', value: 64 },
    ]);
  });

  it('lists at most some, of some ranks', async () => {
    save();
    const { events, hasMore } = await listed(inFolder(), '--most', '3', '--ranks', '1');
    expect(hasMore).toBe(true);
    expect(events.map(({ kind }) => kind)).toEqual(['PROGRAM_BEGIN', 'ENTER', 'ENTER']);
    const text = await printed(inFolder(), '--events', '--most', '2');
    expect(text).toBe(
      [
        '0.000000000  0:0  PROGRAM_BEGIN  name=int main()  argument=',
        '0.000000000  0:0  ENTER  region=int main()',
        '',
        'These are the first 2 events: --most lists more.',
      ].join('\n'),
    );
    expect((await listed(inFolder(), '--most', '40')).hasMore).toBe(false);
    expect((await listed(inFolder(), '--most', '39')).hasMore).toBe(true);
    expect(await printed(inFolder(), '--events', '--from', '5')).toContain('There are no events');
  });

  it('refuses what has no effect, and an empty range', async () => {
    save();
    await expect(shown(inFolder(), '--most', '3')).rejects.toMatchObject({ reason: 'usage' });
    await expect(shown(inFolder(), '--to', '3')).rejects.toMatchObject({ reason: 'usage' });
    await expect(listed(inFolder(), '--from', '3', '--to', '2')).rejects.toMatchObject({ reason: 'usage' });
    expect((await listed(inFolder(), '--to', '0')).events).toHaveLength(2);
  });
});
