import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { silent } from '../../../../../src/core/progress';
import { usualBuild } from '../../../../../src/measurement/backends/common/buildSteps';
import { kymoBackend } from '../../../../../src/measurement/backends/kymo/prepare';
import { parseConfig } from '../../../../../src/measurement/config/parseConfig';
import { OffCostCheck } from '../../../../../src/workflows/refine/bench/offCostCheck';

test('the build without patch points counts, with its time', async () => {
  const workspace = mkdtempSync(path.join(tmpdir(), 'kymo-builds-'));
  onTestFinished(() => rmSync(workspace, { recursive: true }));
  const build = { command: 'echo built > program', clean: 'rm -f program' };
  const text = JSON.stringify({ version: 1, targets: [{ name: 'it', build, executable: 'program' }] });
  const [target] = parseConfig(text, path.join(workspace, 'kymo.json')).config.targets;
  if (target === undefined) throw new Error('there is one target');
  const check = new OffCostCheck({
    backend: kymoBackend,
    prepareOptions: () => ({
      ...{ ...usualBuild, workspace, target, progress: silent, signal: new AbortController().signal },
      note: () => undefined,
    }),
    runContext: () => Promise.reject(new Error('nothing runs')),
    compare: 'always',
    note: () => undefined,
  });
  await check.begin(10);
  expect(check.builds).toBe(1);
  expect(check.buildSeconds).toBeGreaterThan(0);
});
