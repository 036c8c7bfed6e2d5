import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockStudy } from '../../../../src/measurement/experiments/studyLock';
import {
  markOf,
  ownerMark,
  removeLeftovers,
  scratchFolder,
} from '../../../../src/measurement/files/leftovers';
import { buildOnce } from '../../../../src/measurement/files/buildOnce';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'kymo left ü '));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Marks of a process that was alive when they were made, and of one that is killed. */
async function killed(between: (mark: string) => void): Promise<string> {
  const child = spawn('sleep', ['60'], { stdio: 'ignore' });
  const mark = markOf(child.pid ?? 0);
  between(mark);
  child.kill('SIGKILL');
  await new Promise((resolve) => child.once('exit', resolve));
  return mark;
}

/** A folder and a file as they are made for a moment. */
function make(mark: string): void {
  mkdirSync(path.join(folder, 'i0'), { recursive: true });
  mkdirSync(path.join(folder, `kymo-build-${mark}.Abc123`));
  writeFileSync(path.join(folder, `kymo-build-${mark}.Abc123`, 'units'), 'x');
  writeFileSync(path.join(folder, 'i0', `experiment.json.${mark}.0123.tmp`), 'x');
}
const names = (): readonly string[] => readdirSync(folder, { recursive: true }).map(String).sort();

describe('what a killed process leaves', () => {
  it('is removed, and what a live one uses is not', async () => {
    const scratch = await scratchFolder('build', folder);
    make(ownerMark());
    const own = names();
    const mark = await killed((alive) => {
      make(alive);
      const all = names();
      removeLeftovers(folder, true);
      expect(names()).toEqual(all);
    });
    expect(names().filter((name) => name.includes(mark))).toHaveLength(3);
    removeLeftovers(folder, false);
    expect(names().filter((name) => name.includes(mark))).toHaveLength(1);
    removeLeftovers(folder, true);
    expect(names()).toEqual(own);
    expect(existsSync(scratch)).toBe(true);
  });

  it('is known by the start of the process, and only where ids mean the same', async () => {
    const [pid = '', start = '', place = ''] = ownerMark().split('.');
    const other = (hash: string): string => (hash === '00000000' ? '11111111' : '00000000');
    make(`${pid}.${other(start)}.${place}`);
    removeLeftovers(folder, true);
    expect(names()).toEqual(['i0']);
    const dead = await killed(() => undefined);
    make(`${dead.split('.').slice(0, 2).join('.')}.${other(place)}`);
    const before = names();
    removeLeftovers(folder, true);
    expect(names()).toEqual(before);
  });

  it('is nothing without a mark, nothing behind a link, and nothing of another kind', async () => {
    const mark = await killed(() => undefined);
    const outside = path.join(folder, 'outside');
    mkdirSync(path.join(folder, 'in'));
    mkdirSync(outside);
    writeFileSync(path.join(outside, `a.${mark}.tmp`), '');
    symlinkSync(outside, path.join(folder, 'in', 'link'));
    for (const name of ['kymo-build-Abc', 'a.tmp', 'kymo-p1', `notes-${mark}.txt`])
      writeFileSync(path.join(folder, 'in', name), '');
    const before = names();
    removeLeftovers(path.join(folder, 'in'), true);
    removeLeftovers(path.join(folder, 'nowhere'), true);
    expect(names()).toEqual(before);
  });

  it('of a study is removed by the next one that locks it', async () => {
    const mark = await killed(make);
    const lock = await lockStudy(folder);
    expect(names().filter((name) => name.includes(mark))).toEqual([]);
    await lock.release();
  });

  it('of a build that others wait for does not make them wait', async () => {
    const made = path.join(folder, 'made');
    const mark = await killed(() => undefined);
    mkdirSync(`${made}.lock`);
    writeFileSync(path.join(`${made}.lock`, `kymo-lock-${mark}.`), '');
    await buildOnce(made, (target) => {
      writeFileSync(path.join(target, 'x'), '');
      return Promise.resolve();
    });
    expect(existsSync(path.join(made, 'x'))).toBe(true);
    expect(existsSync(`${made}.lock`)).toBe(false);
  });
});
