import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstatSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeWhole } from '../../../../src/cli/arguments/inputs';
import { writeFileAtomically } from '../../../../src/measurement/files/disk';

// A file is written beside its name, which is renamed: a pipe, or /dev/null of a user who may, would be gone.
describe('output to a pipe', () => {
  let folder = '';
  let pipe = '';
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'kymo-pipe-'));
    pipe = path.join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it.each([
    ['of a command', (file: string) => Promise.resolve(writeWhole(file, ['one ', 'two']))],
    ['of an export', (file: string) => writeFileAtomically(file, ['one ', 'two'])],
  ])('%s reaches its reader, and the pipe stays', async (_, write) => {
    const reader = spawn('cat', [pipe], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(reader, 'spawn');
    const read = text(reader.stdout);
    await write(pipe);
    expect(await read).toBe('one two');
    expect(lstatSync(pipe).isFIFO()).toBe(true);
  });
});
