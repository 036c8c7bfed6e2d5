import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silent } from '../../../../src/core/progress';
import { measurableTarget } from '../../../../src/workflows/targets/measurableTarget';
import { minimal } from '../../measurement/config/configText';

let workspace = '';
beforeEach(async () => {
  workspace = await mkdtemp(path.join(tmpdir(), 'kymo-target-'));
});
afterEach(() => rm(workspace, { recursive: true, force: true }));

const write = (targets: readonly object[], rest: object = {}): Promise<void> =>
  writeFile(
    path.join(workspace, 'kymo.json'),
    JSON.stringify({
      version: 1,
      ...rest,
      targets: targets.map((target) => ({ ...minimal, ...target })),
    }),
  );

describe('the target that is to be measured', () => {
  it('is the first, or the one that is named', async () => {
    await write([{ name: 'small' }, { name: 'large' }]);
    expect(await measurableTarget({ workspace })).toMatchObject({ workspace, target: { name: 'small' } });
    expect(await measurableTarget({ workspace, target: 'large' })).toMatchObject({
      target: { name: 'large' },
    });
    await expect(measurableTarget({ workspace, target: 'huge' })).rejects.toMatchObject({
      reason: 'unknown-target',
    });
  });

  it('comes with what is odd about the file', async () => {
    await write([{ name: 't' }], { colour: 'red' });
    const told: string[] = [];
    await measurableTarget({ workspace, progress: { ...silent, log: (line) => void told.push(line) } });
    expect(told.join('\n')).toContain('colour');
  });
});
