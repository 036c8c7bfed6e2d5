import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ownFolder, type Target } from '../../../../src/measurement/config/config';
import { missingInputs, missingInputsSentence } from '../../../../src/workflows/gating/missingInputs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'kymo-inputs-'));
  for (const file of ['here/run/mesh.dat', 'here/run/in.txt', 'here/run/both.txt', 'there/run/both.txt']) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), '');
  }
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function missing(words: readonly string[], input?: string, cwd = 'run'): readonly string[] {
  const run: Target['run'] = {
    ...{ arguments: words, cwd, environment: {}, timeoutSeconds: 1, successStatuses: [0] },
    ...{ launcher: { kind: 'local' }, ...(input === undefined ? {} : { input }) },
  };
  return missingInputs(run, path.join(folder, 'here'), path.join(folder, 'there'));
}

describe('what a commit lacks of what the program is run with', () => {
  it('are the files among arguments and input that only the workspace has, each once', () => {
    expect(missing(['--mesh=mesh.dat', 'mesh.dat', 'both.txt', '17', '-v', ''], 'in.txt')).toEqual([
      'mesh.dat',
      'in.txt',
    ]);
  });
  it('is nothing of absolute paths, of words that are no files, and of runs in folders of their own', () => {
    expect(missing([path.join(folder, 'here/run/mesh.dat'), 'none.dat', '${n}'])).toEqual([]);
    expect(missing(['mesh.dat'], undefined, ownFolder)).toEqual([]);
  });
  it('is said without what a terminal would obey', () => {
    // oxlint-disable-next-line no-control-regex -- what must not be there
    expect(missingInputsSentence(['a\u001B[2Jb', 'c\nd'])).not.toMatch(/[\u0000-\u001F]/);
  });
  it('is said with what to do', () => {
    expect(missingInputsSentence(['in.txt'])).toBe(
      'The program is run with in.txt, which the commit of the baseline does not have: the baseline was run without. Commit it, or give the absolute path in "run" of kymo.json.',
    );
  });
});
