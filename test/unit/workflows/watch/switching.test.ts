import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { changeWords } from '../../../../src/core/views/liveRun';
import type { CallGraphFunction } from '../../../../src/core/callgraph/callGraph';
import type { ProcessState } from '../../../../src/formats/control/messages';
import type { WatchedPlan } from '../../../../src/measurement/backends/common/backend';
import type { SwitchedProcess } from '../../../../src/workflows/online/switchProcess';
import { readLiveFunctions } from '../../../../src/workflows/studies/liveFunctions';
import { RecordingHistory } from '../../../../src/workflows/watch/recordingHistory';
import { Switching } from '../../../../src/workflows/watch/switching';
import { fileWish } from '../../../../src/workflows/watch/wishes';

let folder = '';
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'kymo-switching-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const functionNamed = (name: string, more: object = {}): CallGraphFunction =>
  ({ key: name, name, hasBody: true, isSystem: false, ...more }) as unknown as CallGraphFunction;

/** `solve` has two slots, `step` is the phase, and `tiny` has no patch point. */
const plan = {
  program: {
    slots: ['main', 'step', 'solve', 'solve', 'extra'],
    graph: { functions: ['main', 'step', 'solve', 'extra', 'tiny'].map((name) => functionNamed(name)) },
  },
  phases: [1],
} as unknown as WatchedPlan;

const processOf = (more: Partial<SwitchedProcess> = {}): SwitchedProcess => ({
  process: { pid: 7, host: 'node1' } as ProcessState,
  iterations: [40, 41],
  isUnchanged: false,
  ...more,
});

function made(answers: readonly SwitchedProcess[] = [processOf()], whyNone?: string) {
  const asked: ReadonlyMap<number, boolean>[] = [];
  const history = new RecordingHistory(['main', 'step']);
  const job = {
    switch: (changes: ReadonlyMap<number, boolean>) => (asked.push(changes), Promise.resolve(answers)),
    takeLate: () => [],
  };
  return {
    asked,
    history,
    switching: new Switching({ folder, plan, job, history, sites: new Map(), whyNone: () => whyNone }),
  };
}

describe('switching what watchers want', () => {
  it('switches all slots of a function that is not so already, never the phase, and no function that there is not', async () => {
    const { asked, history, switching } = made();
    await switching.begin();
    const id = await fileWish(folder, {
      record: ['solve', 'main', 'nothing', 'tiny'],
      leave: ['step', 'extra'],
    });
    await switching.doWishes();
    expect(asked.map((changes) => [...changes])).toEqual([
      [
        [2, true],
        [3, true],
      ],
    ]);
    expect(switching.live).toMatchObject({
      functions: 3,
      changes: [{ wish: id, recorded: { names: ['solve'] } }],
    });
    expect(history.switches).toEqual([{ process: { pid: 7, host: 'node1' }, iterations: [40, 41] }]);
    expect([...history.parts().keys()]).toEqual(['solve']);
    expect(readdirSync(folder)).toEqual(['live-functions.json']);
    const states = (await readLiveFunctions(folder))?.map(({ name, state }) => `${name} ${state}`);
    expect(states).toEqual(['main recorded', 'step phase', 'solve recorded', 'extra left out', 'tiny none']);
  });

  it('says why nothing can be switched in a run, and switches nothing', async () => {
    const { asked, switching } = made(undefined, 'The run is reduced.');
    await fileWish(folder, { record: ['solve'], leave: [] });
    await switching.doWishes();
    expect(asked).toEqual([]);
    expect(switching.live.changes.map(changeWords)).toEqual([
      expect.stringMatching(/nothing to switch\. The run is reduced\.$/),
    ]);
  });

  it('does one wish after the other, and nothing where there is nothing to do', async () => {
    const { asked, switching } = made();
    for (const wish of [
      { record: ['solve'], leave: [] },
      { record: ['solve'], leave: [] },
      { record: ['extra'], leave: ['extra', 'main'] },
    ])
      await fileWish(folder, wish);
    await switching.doWishes();
    await switching.doWishes();
    const all = new Map(asked.flatMap((changes) => [...changes]));
    expect([...all].sort()).toEqual([
      [0, false],
      [2, true],
      [3, true],
    ]);
    expect(asked).toHaveLength(2);
    expect(switching.live.changes).toHaveLength(3);
  });

  it('says what processes could not do, and that nothing was done where none could', async () => {
    const refused = processOf({ isUnchanged: true, why: 'code may not be changed here' });
    const { history, switching } = made([refused]);
    await fileWish(folder, { record: ['solve'], leave: [] });
    await switching.doWishes();
    expect(history.isRecorded('solve')).toBe(false);
    const [change] = switching.live.changes;
    expect(change === undefined ? '' : changeWords(change)).toMatch(
      /nothing to switch\. Process 7 on node1 records as before: code may not be changed here\.$/,
    );
  });

  it('waits with a wish while no process is in sight', async () => {
    const answers: SwitchedProcess[] = [];
    const { history, switching } = made(answers);
    await fileWish(folder, { record: ['solve'], leave: [] });
    await switching.doWishes();
    answers.push(processOf({ isUnchanged: true }));
    await switching.doWishes();
    expect([switching.live.changes.length, history.isRecorded('solve')]).toEqual([0, false]);
    answers.push(processOf());
    await switching.doWishes();
    expect([switching.live.changes.length, history.isRecorded('solve')]).toEqual([1, true]);
    expect(readdirSync(folder)).toEqual(['live-functions.json']);
  });

  it('answers a wish that is none, and keeps a bounded number of answers', async () => {
    const { asked, switching } = made();
    for (let i = 0; i < 30; i++)
      writeFileSync(
        path.join(folder, `live-wish-1795940000${String(i).padStart(3, '0')}-0123456789abcdef.json`),
        '{',
      );
    await switching.doWishes();
    expect(asked).toEqual([]);
    expect(switching.live.changes).toHaveLength(20);
    expect(switching.live.changes[0]?.problems).toEqual(['The request could not be read.']);
    expect(readdirSync(folder)).toEqual(['live-functions.json']);
  });
});
