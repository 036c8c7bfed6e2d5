import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findWorkspace, inWorkspace } from '../../../../src/cli/arguments/workspace';
import { KymoError } from '../../../../src/core/errors';
import { silent } from '../../../../src/core/progress';
import { loadConfig } from '../../../../src/measurement/config/loadConfig';

const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'kymo workspace ')));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const deep = path.join(root, 'src/solver');
mkdirSync(deep, { recursive: true });

describe('the workspace of a command', () => {
  it('is the current folder where no kymo.json is above it, and the message says so', async () => {
    expect(findWorkspace(undefined, true, deep)).toEqual({ folder: deep });
    const action = inWorkspace(
      ({ workspace }) => loadConfig(workspace).then(() => ({ result: 0, text: '' })),
      undefined,
      true,
    );
    const { signal } = new AbortController();
    const here = process.cwd();
    process.chdir(deep);
    try {
      await expect(action({ json: false, signal, progress: silent })).rejects.toThrow(
        `There is no kymo.json in ${deep} or a folder above it. Write a first one`,
      );
    } finally {
      process.chdir(here);
    }
  });
  it('is not the current folder where an empty variable of a script names it', () => {
    expect(() => findWorkspace('', true, deep)).toThrow(
      expect.objectContaining({ reason: 'usage', message: expect.stringContaining('is empty') as string }),
    );
  });
  it('is the nearest folder with a kymo.json, unless it is named or the command begins one', () => {
    writeFileSync(path.join(root, 'kymo.json'), '{}');
    expect(findWorkspace(undefined, true, deep)).toEqual({ folder: root, isParent: true });
    expect(findWorkspace(undefined, true, root)).toEqual({ folder: root });
    expect(findWorkspace(undefined, false, deep)).toEqual({ folder: deep });
    expect(findWorkspace('..', true, deep)).toEqual({ folder: path.join(root, 'src') });
  });
  it('must exist when it is named', () => {
    expect(() => findWorkspace('nowhere', true, root)).toThrow(
      `The workspace ${root}/nowhere does not exist.`,
    );
    expect(() => findWorkspace('kymo.json', true, root)).toThrow(KymoError);
  });
});
