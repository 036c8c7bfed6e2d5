import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { registerCompare } from '../../../../src/cli/commands/compare';
import { registerGroups } from '../../../../src/cli/commands/groups';
import { registerTrace } from '../../../../src/cli/commands/trace';
import { completenessOf } from '../../../../src/formats/otf2/completeness';
import type { GroupsReport } from '../../../../src/workflows/groups';
import { traceReport } from '../../../../src/workflows/trace/report';
import type { TraceReport } from '../../../../src/workflows/trace/report.types';
import { smallTrace, type SmallEvent, type SmallTrace } from '../../formats/otf2/smallTrace';
import { useCommandFolder } from './commandFolder';
import { volume } from '../../../volume';

const { inFolder, run } = useCommandFolder('bad traces');

/** Writes a trace. @returns its anchor file */
function saved(name: string, trace: SmallTrace): string {
  smallTrace(trace).save(inFolder(name));
  return inFolder(name, 'traces.otf2');
}

const show = async (file: string): Promise<TraceReport> =>
  (await run([registerTrace], ['trace', 'show', file])).result as TraceReport;
const text = async (...words: string[]): Promise<string> =>
  (await run([registerTrace], ['trace', 'show', ...words], false)).text;
const groups = async (file: string): Promise<GroupsReport> =>
  (await run([registerGroups], ['groups', file])).result as GroupsReport;
const convert = async (file: string, format: string): Promise<{ text: string; notes: readonly string[] }> => {
  const output = inFolder('converted');
  const words = ['trace', 'convert', file, '--to', format, '--output', output];
  const { result } = await run([registerTrace], words);
  return { text: readFileSync(output, 'utf8'), notes: (result as { notes: readonly string[] }).notes };
};

const functions = ['main', 'work'];
/** main calls work so many times; begins at a time. */
function calls(count: number, begin = 0): SmallEvent[] {
  const inner = Array.from({ length: count }, (_, call): SmallEvent[] => [
    ['enter', begin + 1 + 2 * call, 1],
    ['leave', begin + 2 + 2 * call, 1],
  ]);
  return [['enter', begin, 0], ...inner.flat(), ['leave', begin + 1 + 2 * count, 0]];
}

const visits = ({ functions: found }: TraceReport): Record<string, number> =>
  Object.fromEntries(found.map(({ name, visits: own }) => [name, own]));

describe('damaged traces', () => {
  it('are read up to where a file was cut off', async () => {
    const file = saved('cut', { functions, ranks: [calls(1000), calls(1000)] });
    const part = inFolder('cut/traces/1.evt');
    truncateSync(part, Math.floor(readFileSync(part).length / 2));
    const report = await show(file);
    const { work = 0 } = visits(report);
    expect(work).toBeGreaterThan(1400);
    expect(work).toBeLessThan(1600);
    expect(report.locations[1]).toMatchObject({ announced: 2002 });
    expect(report.notes).toEqual([
      expect.stringMatching(/1\.evt.*(still being written|the file ends)/),
      expect.stringMatching(/1\.evt has \d+ events; the definitions announce 2002/),
      expect.stringMatching(/Calls whose end is not in the trace end with their callers: [12]\./),
    ]);
    expect(await text(file)).toContain(report.notes[0]);
    const converted = await convert(file, 'csv');
    expect(converted.text.split('\r\n')).toHaveLength(work + 2 + 2);
    expect(converted.notes).toEqual(report.notes);
    expect((await groups(file)).notes).toEqual(report.notes);
  });

  it('have the events of other ranks where the file of one is missing', async () => {
    const file = saved('missing', { functions, ranks: [calls(5), calls(5), calls(5)] });
    rmSync(inFolder('missing/traces/1.evt'));
    const report = await show(file);
    expect(visits(report)).toEqual({ work: 10, main: 2 });
    expect(report.locations[1]).toMatchObject({ events: 0, announced: 12, callSeconds: 0 });
    expect(report.locations[1]).not.toHaveProperty('firstSeconds');
    expect(report.notes).toEqual([expect.stringContaining('traces/1.evt is missing: the 12 events')]);
    expect((await groups(file)).notes).toEqual(report.notes);
    expect(JSON.parse((await convert(file, 'speedscope')).text)).toMatchObject({
      profiles: [{ events: { length: 12 } }, { events: [] }, { events: { length: 12 } }],
    });
  });

  it.each([
    ['a folder', (file: string): unknown => mkdirSync(file)],
    ['a pipe that nobody writes', (file: string): unknown => execFileSync('mkfifo', [file])],
  ])('say where %s is in the place of a file, and have the other ranks', async (what, make) => {
    const file = saved(what, { functions, ranks: [calls(5), calls(5)] });
    rmSync(inFolder(what, 'traces/1.evt'));
    make(inFolder(what, 'traces/1.evt'));
    const report = await show(file);
    expect(report.notes[0]).toMatch(/traces\/1\.evt” is not a file\.$/);
    expect(visits(report)).toEqual({ work: 5, main: 1 });
  });

  it('say which enters and leaves do not match', async () => {
    const file = saved('unmatched', {
      functions,
      ranks: [
        [
          ['leave', 1, 1],
          ['enter', 2, 0],
          ['enter', 3, 1],
          ['leave', 5, 0],
          ['enter', 6, 0],
        ],
      ],
    });
    const report = await show(file);
    expect(report).toMatchObject({ missingLeaves: 2, unmatchedLeaves: 1 });
    expect(visits(report)).toEqual({ main: 2, work: 1 });
    expect(report.notes).toEqual([
      'Leaves of functions that were not entered in the trace are ignored: 1.',
      'Calls whose end is not in the trace end with their callers: 2.',
    ]);
    expect((await convert(file, 'chrome')).notes).toEqual(report.notes);
    expect((await groups(file)).notes).toEqual(expect.arrayContaining([...report.notes]));
  });

  it('have no negative times where those of events go backwards', async () => {
    const file = saved('backwards', {
      functions,
      ranks: [
        [
          ['enter', 100, 0],
          ['enter', 50, 1],
          ['leave', 20, 1],
          ['leave', 200, 0],
        ],
      ],
    });
    const report = await show(file);
    expect(report.functions.map(({ name, exclusiveSeconds }) => [name, exclusiveSeconds])).toEqual([
      ['main', 0.1],
      ['work', 0],
    ]);
    expect(report).toMatchObject({ firstSeconds: 0.02, lastSeconds: 0.2 });
    expect(report.notes).toEqual([
      expect.stringMatching(/0\.evt: events that are earlier than the one before: 2\./),
    ]);
    const { profiles } = JSON.parse((await convert(file, 'speedscope')).text) as {
      profiles: { events: { at: number }[] }[];
    };
    expect(profiles[0]!.events.map(({ at }) => at)).toEqual([100_000, 100_000, 100_000, 200_000]);
    expect((await groups(file)).notes).toEqual(expect.arrayContaining([...report.notes]));
    expect(await text(file, '--events')).toContain('0.050000000  0:0  ENTER  region=work');
  });

  it('may grow while they are read', async () => {
    const file = saved('growing', { functions, ranks: [calls(20_000), calls(20_000)] });
    const parts = [0, 1].map((id) => inFolder(`growing/traces/${id}.evt`));
    const contents = parts.map((part) => readFileSync(part));
    for (const part of parts) truncateSync(part, 100_000);
    const reading = traceReport(file);
    await setImmediate();
    for (const [at, part] of parts.entries()) appendFileSync(part, contents[at]!.subarray(100_000));
    const report = await reading;
    // The second file was opened later, when it was complete.
    expect(report.locations.map(({ announced }) => announced)).toEqual([40_002, undefined]);
    expect(report.locations[0]!.events).toBeGreaterThan(5000);
    expect(report.notes).toContainEqual(expect.stringMatching(/0\.evt.*(still being written|the file ends)/));
    expect((await show(file)).notes).toEqual([]);
  });

  it('without events say so', async () => {
    for (const [name, ranks] of [
      ['none', []],
      ['quiet', [[], []]],
    ] as const) {
      const file = saved(name, { functions, ranks });
      const report = await show(file);
      expect(report.functions).toEqual([]);
      expect(report.notes).toEqual([`${file} has no events that can be read.`]);
      expect(report).not.toHaveProperty('firstSeconds');
      expect(await text(file)).toContain('has no events');
      expect(await text(file, '--events')).toContain('There are no events');
      await expect(groups(file)).rejects.toMatchObject({ reason: 'no-events' });
      await expect(convert(file, 'csv')).rejects.toMatchObject({
        reason: 'no-events',
        message: `${file} has no events that can be read: there is nothing to convert.`,
      });
    }
    const gone = saved('gone', { functions, ranks: [calls(1)] });
    rmSync(inFolder('gone/traces'), { recursive: true });
    await expect(convert(gone, 'csv')).rejects.toThrow(/nothing to convert\. traces\/0\.evt is missing/);
    expect((await show(gone)).notes).toHaveLength(2);
    await expect(groups(gone)).rejects.toThrow(/nothing to group\. traces\/0\.evt is missing/);
  });
});

describe('traces that cannot be read', () => {
  const all = async (file: string): Promise<readonly unknown[]> =>
    Promise.all(
      [show(file), text(file, '--events'), convert(file, 'chrome'), groups(file)].map((action) =>
        action.catch((error: unknown) => error),
      ),
    );

  /** Changes a byte of the anchor file. */
  function changed(name: string, at: number, value: number): string {
    const file = saved(name, { functions, ranks: [calls(1)] });
    const bytes = readFileSync(file);
    bytes[at] = value;
    writeFileSync(file, bytes);
    return file;
  }

  it.each([
    [
      'SION containers',
      28,
      2,
      'unsupported-otf2',
      /SION containers.*Record again .*SCOREP_TRACING_USE_SION=false/,
    ],
    ['compressed files', 29, 2, 'unsupported-otf2', /is compressed.*Record again without compression/],
    ['a later format', 8, 9, 'unsupported-otf2', /trace format 9; Kymo reads up to 2/],
    ['other bytes', 3, 0, 'not-otf2', /not the anchor file of an OTF2 archive/],
  ])('%s', async (name, at, value, reason, message) => {
    for (const error of await all(changed(name, at, value)))
      expect(error).toMatchObject({ reason, message: expect.stringMatching(message) as string });
  });

  it('without a file', async () => {
    const file = saved('parts', { functions, ranks: [calls(1)] });
    rmSync(inFolder('parts/traces.def'));
    for (const error of await all(file))
      expect(error).toMatchObject({
        reason: 'missing-otf2-file',
        message: expect.stringContaining('traces.def is missing. An OTF2 archive is') as string,
      });
    for (const error of await all(inFolder('nowhere.otf2')))
      expect(error).toMatchObject({
        reason: 'missing-otf2-file',
        // The timeline says it in its own words.
        message: expect.stringMatching(/“.*nowhere\.otf2” cannot be read: there is no such file/) as string,
      });
    mkdirSync(inFolder('folder'), { recursive: true });
    await expect(show(inFolder('folder'))).rejects.toMatchObject({ reason: 'missing-otf2-file' });
  });
});

describe('traces that lack a part of the run', () => {
  it('say so wherever they are read', async () => {
    const properties = completenessOf('first', [], { first: 2, last: 3 }, 1);
    const file = saved('some', { functions, ranks: [calls(2)], options: { properties } });
    const notes = [
      `${file} has iterations 2 to 3 of the run only.`,
      `${file} has no events of 1 processes of the run.`,
    ];
    expect((await show(file)).notes).toEqual(notes);
    expect((await convert(file, 'csv')).notes).toEqual(notes);
    expect((await groups(file)).notes).toEqual(expect.arrayContaining(notes));
    const { result } = await run([registerCompare], ['compare', file, file]);
    expect((result as { notes: readonly string[] }).notes).toEqual(expect.arrayContaining(notes));
  });

  it('are not grouped where they have no events', async () => {
    const properties = completenessOf('first', [], { first: 7, last: 9 }, 0);
    const file = saved('nothing', { functions, ranks: [[]], options: { properties } });
    await expect(groups(file)).rejects.toMatchObject({
      reason: 'no-events',
      message: `${file} has no calls that can be read: there is nothing to group. ${file} has iterations 7 to 9 of the run only.`,
    });
  });
});

describe('other files of an archive', () => {
  it.each(['traces.def', 'traces/0.evt', 'traces/0.def'])('%s: the anchor file is named', async (name) => {
    const file = saved('files', { functions, ranks: [calls(1)] });
    await expect(show(inFolder('files', name))).rejects.toMatchObject({
      reason: 'not-otf2',
      message: `${inFolder('files', name)} is a part of an OTF2 archive. Give its anchor file: ${file}`,
    });
  });
});

describe('names from programs', () => {
  const names = [
    '\u001b[2J\u001b]0;owned\u0007',
    '__proto__',
    '<img src=x onerror=alert(1)>',
    'x'.repeat(5000),
    'two\r\nlines',
    '\u202egnp.exe',
    '=HYPERLINK("x")',
  ];

  it('stay what they are in JSON, and cannot control the terminal', async () => {
    const events = names.flatMap((_, region): SmallEvent[] => [
      ['enter', 2 * region, region],
      ['PARAMETER_STRING', 2 * region, 0, region],
      ['leave', 2 * region + 1, region],
    ]);
    const file = saved('hostile', {
      functions: names.map((name) => ({ name, file: name, line: 1 })),
      ranks: [events],
      threadName: names[0]!,
      options: { creator: names[0]!, machineName: names[4]! },
    });
    const report = await show(file);
    expect(report.functions.map(({ name }) => name).sort()).toEqual([...names].sort());
    expect(JSON.parse(JSON.stringify(report))).toEqual(report);
    for (const printed of [await text(file), await text(file, '--events')]) {
      expect(printed).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u);
      expect(printed).toContain('__proto__');
      expect(printed.split('\n').every((line) => line.length < 600)).toBe(true);
    }
    const { traceEvents } = JSON.parse((await convert(file, 'chrome')).text) as {
      traceEvents: { ph: string; name: string }[];
    };
    const complete = traceEvents.filter(({ ph }) => ph === 'X');
    expect(complete.map(({ name }) => name)).toEqual(names);
    const speedscope = JSON.parse((await convert(file, 'speedscope')).text) as {
      shared: { frames: { name: string }[] };
    };
    expect(speedscope.shared.frames.map(({ name }) => name)).toEqual(names);
    const csv = (await convert(file, 'csv')).text;
    expect(csv).toContain(`"'=HYPERLINK(""x"")"`);
    expect(csv).toContain('"two\r\nlines"');
    const { attributes } = await groups(file);
    expect(attributes.map(({ callee }) => callee).sort()).toEqual([...names].sort());
  });
});

describe('very many locations', () => {
  it('are read in bounded memory, with a bounded list of notes', async () => {
    const locations = volume({ full: 100_000, usual: 44_000 });
    const present = locations / 2000;
    const ranks = Array.from({ length: locations }, (_, rank) => (rank % 1000 === 0 ? calls(3) : []));
    const memory = smallTrace({ functions, ranks });
    // Files of locations without events are missing, as are those of some others.
    for (const name of [...memory.contents.keys()])
      if (name.startsWith('traces/') && Number(path.basename(name, '.evt')) % 2000 !== 0)
        memory.contents.delete(name);
    memory.save(inFolder('wide'));
    const file = inFolder('wide/traces.otf2');
    const { result, text: printed } = await run([registerTrace], ['trace', 'show', file]);
    const report = result as TraceReport;
    expect(report.locations).toHaveLength(locations);
    expect(visits(report)).toEqual({ work: 3 * present, main: present });
    expect(report.notes).toHaveLength(21);
    expect(report.notes.at(-1)).toBe(`${present - 20} more notes of this kind.`);
    expect(printed.split('\n').length).toBeLessThan(80);
    const list = await run([registerTrace], ['trace', 'show', file, '--events', '--most', '500']);
    expect(list.text.split('\n').filter((line) => /(ENTER|LEAVE) {2}region=/.test(line))).toHaveLength(
      8 * present,
    );
    const { groups: found } = await groups(file);
    expect(found.map(({ members }) => members.length)).toEqual([present]);
  });
});
