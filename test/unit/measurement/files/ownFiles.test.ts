import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../../../src/measurement/config/loadConfig';
import { keepExecutable } from '../../../../src/measurement/backends/common/buildSteps';
import { writeFileAtomically } from '../../../../src/measurement/files/disk';
import { readExperiment } from '../../../../src/measurement/experiments/experimentFile';
import { makeOwnFolder, readOwnFile, requireOwn } from '../../../../src/measurement/files/ownFiles';
import { openProfileFile } from '../../../../src/measurement/experiments/profileFile';
import { lockStudy } from '../../../../src/measurement/experiments/studyLock';
import { OutputFile } from '../../../../src/measurement/launch/runs/outputFile';
import { readRegularFile } from '../../../../src/measurement/files/regularFile';
import { lineTexts } from '../../../../src/workflows/views/lineMaps';
import { hashFile } from '../../../../src/workflows/studies/sources';
import { deleteStudy } from '../../../../src/workflows/studies/studies';

/** A workspace that came with results, and a folder of the user's that they lead to. */
let workspace: string;
let victim: string;
const own = (...parts: string[]): string => path.join(workspace, '.kymo', ...parts);
beforeEach(() => {
  const root = mkdtempSync(path.join(tmpdir(), 'kymo links '));
  workspace = path.join(root, 'clone');
  victim = path.join(root, 'home');
  mkdirSync(own('heat', 's1'), { recursive: true });
  mkdirSync(path.join(victim, 'i0'), { recursive: true });
  writeFileSync(path.join(victim, 'secret'), 'old');
});
afterEach(() => rmSync(path.dirname(workspace), { recursive: true, force: true }));

const linked = { reason: 'results-linked' };

describe('results in a folder that somebody else made', () => {
  it('are neither read, written, locked nor removed through a symbolic link, wherever it stands below .kymo', async () => {
    for (const place of [own(), own('heat'), own('heat', 's1'), own('heat', 's1', 'i0')]) {
      rmSync(place, { recursive: true, force: true });
      mkdirSync(path.dirname(place), { recursive: true });
      symlinkSync(victim, place);
      const file = path.join(place, 'secret');
      await expect(readOwnFile(file)).rejects.toMatchObject(linked);
      await expect(writeFileAtomically(file, 'new')).rejects.toMatchObject(linked);
      await expect(makeOwnFolder(path.join(place, 'made'))).rejects.toMatchObject(linked);
      await expect(lockStudy(place)).rejects.toMatchObject(linked);
      await expect(deleteStudy(path.join(place, 'i0'))).rejects.toMatchObject(linked);
      expect(() => openProfileFile(file)).toThrow(expect.objectContaining(linked) as Error);
      rmSync(place);
    }
    expect(readdirSync(victim).sort()).toEqual(['i0', 'secret']);
    expect(readFileSync(path.join(victim, 'secret'), 'utf8')).toBe('old');
  });

  it('are no files elsewhere, no pipes, and named in the message', async () => {
    const experiment = own('heat', 's1', 'i0', 'heat.r1');
    mkdirSync(experiment, { recursive: true });
    const file = path.join(experiment, 'experiment.json');
    symlinkSync(path.join(victim, 'secret'), file);
    await expect(readOwnFile(file)).rejects.toThrow(`${file} is a symbolic link`);
    await expect(readExperiment(experiment)).rejects.toMatchObject({ reason: 'experiment-missing' });
    rmSync(file);
    execFileSync('mkfifo', [file]);
    await expect(readOwnFile(file)).rejects.toMatchObject({ reason: 'file-unusable' });
  });

  it('nor, in a copy of an experiment elsewhere, through a link in it', async () => {
    const copy = path.join(workspace, 'copied');
    mkdirSync(copy);
    symlinkSync(path.join(victim, 'secret'), path.join(copy, 'experiment.json'));
    await expect(readOwnFile(path.join(copy, 'experiment.json'))).rejects.toMatchObject(linked);
  });

  it('and files that never end are not begun', async () => {
    for (const name of ['kymo.json', 'main.c']) symlinkSync('/dev/zero', path.join(workspace, name));
    await expect(loadConfig(workspace)).rejects.toMatchObject({
      reason: 'config-invalid',
      message: expect.stringContaining('is not a file') as string,
    });
    const source = path.join(workspace, 'main.c');
    expect(await lineTexts(source, [1])).toEqual(['']);
    expect(await hashFile(source)).toBeUndefined();
    writeFileSync(path.join(workspace, 'long'), 'much');
    await expect(readRegularFile(path.join(workspace, 'long'), 3)).rejects.toThrow('has 4 bytes');
  });

  it('nor are a program and its output written into what lies there', async () => {
    const folder = own('heat', 'build', 'vanilla');
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(workspace, 'heat'), 'program');
    for (const name of ['heat', 'output.txt'])
      symlinkSync(path.join(victim, 'secret'), path.join(folder, name));
    await keepExecutable(path.join(workspace, 'heat'), folder);
    const output = new OutputFile(path.join(folder, 'output.txt'));
    output.add(Buffer.from('printed'));
    output.close();
    expect(readFileSync(path.join(folder, 'output.txt'), 'utf8')).toBe('printed');
    expect(readFileSync(path.join(victim, 'secret'), 'utf8')).toBe('old');
  });

  it('may be made where nothing is yet, and other paths go where they go', async () => {
    await makeOwnFolder(own('new', 's', 'i0'));
    expect(existsSync(own('new', 's', 'i0'))).toBe(true);
    symlinkSync(victim, path.join(workspace, 'link'));
    expect(() => requireOwn(path.join(workspace, 'link', 'secret'))).not.toThrow();
  });
});
