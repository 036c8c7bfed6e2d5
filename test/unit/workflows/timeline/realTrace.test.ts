import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { silent } from '../../../../src/core/progress';
import { exclusive } from '../../../../src/core/profile/values';
import { readCube } from '../../../../src/formats/cube4/read';
import {
  openTimeline,
  timelineMessages,
  timelineProfile,
} from '../../../../src/workflows/views/timelineView';
import { sharedData } from '../../../shared';

const folder = mkdtempSync(path.join(tmpdir(), 'kymo-real-trace-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const real = sharedData('scorep/lulesh-mpi-trace/lulesh.p8.s4.i20.trace');

describe.skipIf(real === undefined)('a trace by Score-P, with the profile of the same run', () => {
  it('has the visits and the exclusive times of the profile', async () => {
    cpSync(real ?? '', folder, { recursive: true });
    const file = path.join(folder, 'traces.otf2');
    const context = { progress: silent };
    const { header, title } = await openTimeline({ file }, context);
    expect(title).toBe(path.basename(folder));
    expect(header.rows.map(({ name }) => name)).toEqual(
      Array.from({ length: 8 }, (_, rank) => `rank ${rank}`),
    );
    const whole = { file, id: header.id, firstRow: 0, rowCount: 8, from: 0, to: header.seconds };
    const { rows, messages } = await timelineProfile(whole, context);
    const profile = readCube(readFileSync(path.join(folder, 'profile.cubex')), 'profile.cubex');
    const visits = byRegion(exclusive(profile, 'visits'));
    const times = byRegion(exclusive(profile, 'time'));
    expect(rows.length).toBeGreaterThan(20);
    for (const { function: which, visits: count, exclusiveSeconds } of rows) {
      const { name, paradigm } = header.functions[which] ?? { name: '', paradigm: '' };
      // The root of the profile, and what the measurement itself does, are told apart in another way there.
      if (paradigm === 'measurement') continue;
      expect(count, name).toBe(visits.get(name));
      expect(exclusiveSeconds, name).toBeCloseTo(times.get(name) ?? NaN, 5);
    }
    // Every message that was sent was received.
    const sends = rows
      .filter(({ function: which }) => /^MPI_I?send$/i.test(header.functions[which]?.name ?? ''))
      .reduce((sum, { visits: count }) => sum + count, 0);
    expect(header.messages).toBe(sends);
    expect(messages.count).toBe(sends);
    expect(header.notes).toEqual([]);
    const all = await timelineMessages({ ...whole, most: 100_000 }, context);
    expect(all.sent.length).toBe(sends);
    // Two messages are received some microseconds before they are sent: clocks of ranks differ.
    const early = Array.from(all.sent, (sent, at) => sent - (all.received[at] ?? 0)).filter(
      (time) => time > 0,
    );
    expect(early.length).toBeLessThanOrEqual(2);
    expect(Math.max(0, ...early)).toBeLessThan(20e-6);

    function byRegion(values: Float64Array): ReadonlyMap<string, number> {
      const sums = new Map<string, number>();
      for (const [at, value] of values.entries()) {
        const name = profile.regions[profile.callPaths.region[at] ?? -1]?.name ?? '';
        sums.set(name, (sums.get(name) ?? 0) + value);
      }
      return sums;
    }
  });
});
