import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findBuild } from '../../../../src/workflows/init/buildSystem';

test('a program that no file makes is refused with the files that have a main program, also for init', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'kymo-single-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(path.join(folder, 'first.c'), 'int main(void) { return 0; }\n');
  writeFileSync(path.join(folder, 'second.c'), 'int main(void) { return 0; }\n');
  const refusal = findBuild(folder, { executable: '/bin/ls' });
  await expect(refusal).rejects.toMatchObject({ reason: 'program-unknown' });
  await expect(refusal).rejects.toThrow(/main programs are in first\.c, second\.c\. .*fix the build\.$/);
});
