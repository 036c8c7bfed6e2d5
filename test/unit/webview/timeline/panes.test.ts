import { describe, expect, it } from 'vitest';
import type { TimelineFunction, TimelineHeader, TimelineProfile } from '../../../../src/core/timeline/pieces';
import { Asking } from '../../../../webview/timeline/asking';
import { exclusiveShare, profileCsv, sortedRows } from '../../../../webview/timeline/panes/profileRows';
import { readViewState } from '../../../../webview/timeline/viewState';
import {
  messagesText,
  messageTip,
  rangeText,
  sightWords,
  spanTip,
  spanWords,
  summaryText,
} from '../../../../webview/timeline/words';

const functions: readonly TimelineFunction[] = ['main', '=cmd()', 'b', 'a'].map((name) => ({
  name,
  paradigm: 'user',
  place: { name, ...(name === 'main' && { file: '/src/a,b.cpp', line: 3 }) },
}));
const row = (of: number, exclusiveSeconds: number, inclusiveSeconds: number, visits: number) => ({
  function: of,
  exclusiveSeconds,
  inclusiveSeconds,
  visits,
});
const profile: TimelineProfile = {
  rows: [row(0, 1, 10, 1), row(1, 4, 4, 7), row(2, 2, 2, 9), row(3, 2, 3, 9)],
  seconds: 20,
  messages: { count: 0, bytes: 0 },
};
const name = (position: number): string => functions[position]?.name ?? '';

describe('the profile of a range', () => {
  it('has shares of the time of all rows', () => {
    expect(profile.rows.map((one) => exclusiveShare(one, profile))).toEqual([0.05, 0.2, 0.1, 0.1]);
  });

  it('is sorted by each column, equal ones by name', () => {
    const by = (column: string, direction: 'ascending' | 'descending'): string =>
      sortedRows(profile, { column, direction }, name).join('');
    expect(by('exclusive', 'descending')).toBe('1320');
    expect(by('share', 'descending')).toBe('1320');
    expect(by('exclusive', 'ascending')).toBe('0321');
    expect(by('inclusive', 'descending')).toBe('0132');
    expect(by('visits', 'descending')).toBe('3210');
    expect(by('function', 'ascending')).toBe('1320');
    expect(by('function', 'descending')).toBe('0231');
    for (const other of ['constructor', '__proto__']) expect(by(other, 'ascending')).toBe('1320');
  });

  it('is a table for spreadsheets, which compute nothing of it', () => {
    expect(profileCsv(profile, [1, 0], functions).split('\r\n')).toEqual([
      'function,paradigm,file,line,visits,exclusive [s],inclusive [s],exclusive share',
      "'=cmd(),user,,,7,4,4,0.2",
      'main,user,"/src/a,b.cpp",3,1,1,10,0.05',
      '',
    ]);
  });
});

describe('words of the timeline', () => {
  const header: TimelineHeader = {
    id: 'a',
    seconds: 12.3,
    events: 120_000,
    rows: ['rank 0', 'rank 1', 'rank 2'].map((of, rank) => ({ name: of, rank, thread: 0, events: 1 })),
    functions,
    depth: 3,
    messages: 1,
    notes: [],
  };

  it('count what there is', () => {
    expect(summaryText(header)).toBe('3 rows over 12.3 s, 4 functions, 120 k events, 1 message');
    expect(summaryText({ ...header, rows: header.rows.slice(0, 1), messages: 0 })).toBe(
      '1 row over 12.3 s, 4 functions, 120 k events, no messages',
    );
  });

  it('say what a profile is of', () => {
    const range = (firstRow: number, rowCount: number): string =>
      rangeText({ firstRow, rowCount, from: 0, to: 2 }, header);
    expect(range(0, 3)).toBe('0.00 – 2.00 s, all 3 rows');
    expect(range(1, 1)).toBe('0.00 – 2.00 s, rank 1');
    expect(range(1, 2)).toBe('0.00 – 2.00 s, rank 1 to rank 2');
    expect(
      rangeText({ firstRow: 0, rowCount: 1, from: 0, to: 2 }, { ...header, rows: header.rows.slice(0, 1) }),
    ).toBe('0.00 – 2.00 s, rank 0');
  });

  it('say how many messages are lines', () => {
    const messages = (count: number, total: number) => ({
      sender: new Uint32Array(count),
      receiver: new Uint32Array(count),
      sent: new Float64Array(count),
      received: new Float64Array(count),
      bytes: new Float64Array(count),
      tag: new Int32Array(count),
      total,
    });
    expect(messagesText(messages(500, 120_000))).toBe('the 500 longest of 120 k in sight');
    expect(messagesText(messages(7, 7))).toBe('7 in sight');
    expect(messagesText(messages(0, 0))).toBe('none in sight');
    expect(messagesText(undefined)).toBe('');
  });

  it('describe a call and a message under the pointer, and a call for screen readers', () => {
    const call = { function: 2, begin: 0.5, end: 0.75, share: 0.4 };
    const facts = ['500.00 ms – 750.00 ms', '250 ms, 40.0 % of it in the function itself'];
    expect(spanTip('b', 'rank 1', call, 1e-5)).toEqual({ title: 'b', lines: ['rank 1', ...facts] });
    expect(spanWords('b', { ...call, share: 1 }, 1e-5)).toBe('b, 500.00 ms – 750.00 ms, 250 ms');
    const message = { sender: 0, receiver: 2, sent: 1, received: 1.5, bytes: 2048, tag: -1 };
    expect(messageTip(message, (position) => `rank ${position}`, 0.1)).toEqual({
      title: 'Message',
      lines: ['from rank 0 to rank 2', '2 KiB, tag -1', '1.0 s – 1.5 s (500 ms)'],
    });
  });

  it('describe the picture', () => {
    expect(sightWords({ from: 0, to: 2 }, '3 rows', undefined, name)).toBe(
      'In sight: 0.00 – 2.00 s, 3 rows.',
    );
    expect(sightWords({ from: 0, to: 2 }, '3 rows', profile, name)).toMatch(/ in =cmd\(\): 20\.0 %\.$/);
  });
});

describe('the kept state', () => {
  it('is checked: another version may have written it', () => {
    expect(readViewState(undefined)).toMatchObject({ messages: 'auto', onlyRow: false });
    const range = { firstRow: 1, rowCount: 2, from: 0, to: 1 };
    expect(readViewState({ range, from: 1, to: 2, rowHeight: 5 })).toMatchObject({
      range,
      from: 1,
      rowHeight: 5,
    });
    for (const wrong of [{ ...range, to: 0 }, { ...range, firstRow: -1 }, { ...range, from: 'x' }, 7, null])
      expect(readViewState({ range: wrong }).range).toBeUndefined();
    for (const wrong of [-1, NaN, Infinity, '1']) expect(readViewState({ from: wrong }).from).toBeUndefined();
    expect(readViewState({ rowHeight: 1000 }).rowHeight).toBe(18);
  });
});

describe('asking', () => {
  const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

  function asker() {
    let wanted = 1;
    let known = 0;
    const asked: number[] = [];
    const taken: number[] = [];
    const failed: unknown[] = [];
    const answers: { resolve: () => void; reject: (error: Error) => void; signal: AbortSignal }[] = [];
    const asking = new Asking<number, number>({
      missing: () => (wanted === known ? undefined : wanted),
      ask: (question, signal) => {
        asked.push(question);
        return new Promise((resolve, reject) =>
          answers.push({ resolve: () => resolve(question), reject, signal }),
        );
      },
      take: (answer) => {
        known = answer;
        taken.push(answer);
      },
      fail: (error) => failed.push(error),
    });
    return { asking, asked, taken, failed, answers, want: (value: number) => (wanted = value) };
  }

  it('asks for what is missing at the end, not for what was meanwhile', async () => {
    const { asking, asked, taken, answers, want } = asker();
    asking.look();
    for (const value of [2, 3, 4]) {
      want(value);
      asking.look();
    }
    expect(asked).toEqual([1]);
    answers[0]?.resolve();
    await settle();
    expect(asked).toEqual([1, 4]);
    answers[1]?.resolve();
    await settle();
    expect([asked, taken]).toEqual([
      [1, 4],
      [1, 4],
    ]);
  });

  it('drops the answer about something else, and asks again after an error only when told to', async () => {
    const { asking, asked, taken, failed, answers, want } = asker();
    asking.look();
    asking.forget();
    expect(answers[0]?.signal.aborted).toBe(true);
    want(2);
    asking.look();
    answers[0]?.resolve();
    await settle();
    expect(taken).toEqual([]);
    answers[1]?.reject(new Error('no'));
    await settle();
    expect([asked.length, failed.length]).toEqual([2, 1]);
    asking.look();
    expect(asked).toEqual([1, 2, 2]);
  });
});
