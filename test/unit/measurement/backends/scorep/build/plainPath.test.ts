import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { withPlainPath } from '../../../../../../src/measurement/backends/scorep/build/plainPath';

describe('a path for a tool that hands it to a shell', () => {
  it.each(['sub dir', "it's", '$(touch hacked)', 'größe', 'a;b'])('is free of “%s”', async (name) => {
    const folder = mkdtempSync(path.join(tmpdir(), `kymo ${name} `));
    const file = path.join(folder, 'x.filter');
    writeFileSync(file, 'text');
    let used = '';
    await withPlainPath(file, (plainPath) => {
      used = plainPath;
      expect(plainPath).toMatch(/^[\w./-]+$/);
      expect(readFileSync(plainPath, 'utf8')).toBe('text');
      return Promise.resolve();
    });
    expect(existsSync(used)).toBe(false);
    expect(existsSync(file)).toBe(true);
    rmSync(folder, { recursive: true });
  });

  it('is the file itself where that will do', async () => {
    expect(await withPlainPath('/a/b-1.filter', (plainPath) => Promise.resolve(plainPath))).toBe(
      '/a/b-1.filter',
    );
  });
});
