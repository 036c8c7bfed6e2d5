import { mkdtempSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Calibration } from '../../../../src/core/profile/experiment';
import type { LiveRun } from '../../../../src/core/views/liveRun';
import { writeLive } from '../../../../src/workflows/studies/liveFile';
import { liveFunctions, writeLiveFunctions } from '../../../../src/workflows/studies/liveFunctions';
import { asMeasured, profileOrigin } from '../../../../src/workflows/studies/profileOrigin';
import { ProfileBuilder } from '../../../profileBuilder';
import { fn } from '../../core/selection/graphs';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'kymo-origin-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const cost = (pairSeconds: number): Calibration['probe'] => ({
  pairSeconds,
  spreadSeconds: 1e-9,
  insideSeconds: pairSeconds / 2,
  outsideSeconds: pairSeconds / 2,
});
const calibration: Calibration = { probe: cost(8e-9), entry: cost(30e-9) };
const live: LiveRun = {
  kymoLive: 1,
  target: 'heat',
  study: 'measure-1',
  startedAt: '2026-11-28T10:00:00.000Z',
  seconds: 12,
  pid: process.pid,
  host: hostname(),
  state: 'running',
  processes: [],
  cpuSeconds: 20,
  recordingSeconds: 0.5,
  calibration,
  profileSeconds: 11,
};
const builder = new ProfileBuilder();
for (const name of ['program', 'solve', 'main'])
  builder.region({ name, mangledName: name, paradigm: 'compiler', role: 'function' });
const profile = builder.build();

describe('the origin of a profile', () => {
  it('of a run that is under way has the costs of recording at each kind of site, as its result has', async () => {
    const functions = [fn('solve', { name: 'solve' }), fn('main', { name: 'main' })];
    await writeLive(folder, live);
    await writeLiveFunctions(
      folder,
      liveFunctions(
        {
          graph: { functions, edges: [[], []] },
          sites: new Map([
            ['solve', 'probe'],
            ['main', 'entry'],
          ]),
          switchable: new Set(['solve', 'main']),
          phases: new Set(),
        },
        () => true,
      ),
    );
    const origin = await profileOrigin(path.join(folder, 'profile.cubex'), profile);
    expect(asMeasured(profile, origin)).toMatchObject({
      run: 'i0.r1 so far',
      calibration,
      keys: [expect.anything(), 'solve', 'main'],
      sites: new Map([
        ['solve', 'probe'],
        ['main', 'entry'],
      ]),
    });
  });

  it('of a file alone is its name, and no cost is known', async () => {
    const origin = await profileOrigin(path.join(folder, 'profile.cubex'), profile);
    expect(asMeasured(profile, origin)).toEqual({ profile, run: 'profile.cubex' });
  });
});
