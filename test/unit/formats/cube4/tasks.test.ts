import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { programTime } from '../../../../src/core/functions/programTime';
import { total } from '../../../../src/core/profile/hotPath';
import type { Profile } from '../../../../src/core/profile/profile';
import { subtreeEnds } from '../../../../src/core/profile/tree';
import { exclusivePerLocation, inclusive, inclusivePerLocation } from '../../../../src/core/profile/values';
import { readCube } from '../../../../src/formats/cube4/read';
import { writeCube } from '../../../../src/formats/cube4/write';
import { sharedData } from '../../../shared';
import { concat, pack, utf8 } from './archive';

/** program → (TASKS → task → f), main → (taskwait → task): the time of the task stands in both trees. */
function withTasks(): Profile {
  const region = (id: number, name: string, role = 'function'): string =>
    `<region id="${id}"><name>${name}</name><paradigm>openmp</paradigm><role>${role}</role></region>`;
  const anchor = `<cube><metrics>
    <metric id="0" type="EXCLUSIVE"><uniq_name>visits</uniq_name><dtype>UINT8</dtype></metric>
    <metric id="1" type="INCLUSIVE"><uniq_name>time</uniq_name><dtype>UINT8</dtype></metric></metrics><program>
    ${region(0, 'program', 'artificial')}${region(1, 'TASKS', 'artificial')}${region(2, 'task', 'task')}${region(3, 'f')}${region(4, 'main')}${region(5, 'taskwait')}
    <cnode id="0" calleeId="0"><cnode id="1" calleeId="1"><cnode id="2" calleeId="2"><cnode id="3" calleeId="3"/></cnode></cnode>
    <cnode id="4" calleeId="4"><parameter parkey="n" parvalue="1"/><cnode id="5" calleeId="5"><cnode id="6" calleeId="2"/></cnode></cnode></cnode>
    </program><system><machine><process><location Id="0"/></process></machine></system></cube>`;
  const index = concat([utf8('CUBEX.INDEX'), new Uint8Array([1, 0, 0, 0, 0, 0, 3])]);
  const column = (values: readonly number[]): Uint8Array =>
    concat([utf8('CUBEX.DATA'), new Uint8Array(values)]);
  return readCube(
    pack([
      ['anchor.xml', utf8(anchor)],
      ['0.index', index],
      ['0.data', column([1, 0, 3, 9, 1, 2, 3])],
      ['1.index', index],
      // Wide: the program, TASKS and main, task, f, taskwait, task.
      ['1.data', column([100, 40, 90, 40, 30, 60, 40])],
    ]),
    'tasks.cubex',
  );
}

describe('the tree of OpenMP tasks', () => {
  const profile = withTasks();
  const named = (values: Float64Array): Record<string, number> =>
    Object.fromEntries(
      Array.from(profile.callPaths.fileId, (id, at) => [
        `${id} ${profile.regions[profile.callPaths.region[at] ?? 0]?.name ?? ''}`,
        values[at] ?? 0,
      ]),
    );

  test('is a root behind that of the program, and not part of its values', () => {
    expect([...profile.callPaths.fileId]).toEqual([0, 4, 5, 6, 1, 2, 3]);
    expect([...profile.callPaths.parent]).toEqual([-1, 0, 1, 2, -1, 4, 5]);
    expect([...subtreeEnds(profile.callPaths)]).toEqual([4, 4, 4, 4, 7, 7, 7]);
    expect([...(profile.callPaths.parameters?.keys() ?? [])]).toEqual([1]);
    expect(named(inclusive(profile, 'visits'))).toMatchObject({
      '0 program': 7,
      '1 TASKS': 12,
      '2 task': 12,
    });
    expect(named(exclusivePerLocation(profile, 'time'))).toEqual({
      '0 program': 10,
      '1 TASKS': 0,
      '2 task': 10,
      '3 f': 30,
      '4 main': 30,
      '5 taskwait': 20,
      '6 task': 40,
    });
  });

  test('is written and read as it is', () => {
    expect(readCube(writeCube(profile), 'again.cubex')).toEqual(profile);
  });

  test('is counted once: the functions of tasks have the time, the whole is the program’s', () => {
    expect(total(profile, 'time')).toBe(100);
    expect(total(profile, 'visits')).toBe(19);
    const time = programTime(profile, () => undefined);
    expect([...time.rootSeconds]).toEqual([100]);
    expect(time.exclusive.reduce((sum, seconds) => sum + seconds, 0)).toBe(100);
    expect(named(time.exclusive)).toMatchObject({ '3 f': 30, '6 task': 0 });
  });
});

const real = sharedData('cube-tasks/tasks.p1.t2.r1');

test.skipIf(real === undefined).each(['incl', 'excl'])(
  'a real profile is what cube_dump prints: %s',
  (kind) => {
    const folder = real ?? '';
    const profile = readCube(readFileSync(path.join(folder, 'profile.cubex')), 'profile.cubex');
    const lines = gunzipSync(readFileSync(path.join(folder, `profile.cube_dump.${kind}.csv.gz`)))
      .toString()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.split(',').map(Number));
    const width = profile.locations.length;
    const position = new Map([...profile.callPaths.fileId].map((id, at) => [id, at]));
    const cells = profile.callPaths.count * width;
    expect(lines.length).toBe(cells * profile.metrics.length);
    profile.metrics.forEach(({ name }, m) => {
      const values = (kind === 'incl' ? inclusivePerLocation : exclusivePerLocation)(
        profile,
        name,
        'as-stored',
      );
      for (const [id = -1, location = -1, printed = Number.NaN] of lines.slice(m * cells, (m + 1) * cells)) {
        const found = values[(position.get(id) ?? -1) * width + location] ?? Number.NaN;
        // It prints six digits; differences of these are as exact as the times that they are differences of.
        expect(Math.abs(found - printed), `${name} ${id} ${location}`).toBeLessThanOrEqual(
          6e-6 * Math.abs(printed) + 1e-15,
        );
      }
    });
  },
);
