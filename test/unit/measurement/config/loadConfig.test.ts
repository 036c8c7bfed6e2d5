import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig, selectTarget } from '../../../../src/measurement/config/loadConfig';
import { withTarget } from './configText';

describe('loadConfig and selectTarget', () => {
  it('says what to do when there is none, and reads what is there', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'kymo config ü '));
    try {
      await expect(loadConfig(folder)).rejects.toMatchObject({
        reason: 'config-missing',
        message: expect.stringContaining('kymo init') as string,
      });
      mkdirSync(path.join(folder, 'kymo.json'));
      await expect(loadConfig(folder)).rejects.toMatchObject({ reason: 'config-invalid' });
      rmSync(path.join(folder, 'kymo.json'), { recursive: true });
      writeFileSync(path.join(folder, 'kymo.json'), Buffer.from([0x7b, 0xff, 0x7d]));
      await expect(loadConfig(folder)).rejects.toMatchObject({
        reason: 'config-invalid',
        message: expect.stringContaining('UTF-8') as string,
      });
      writeFileSync(path.join(folder, 'kymo.json'), withTarget({}));
      const { config } = await loadConfig(folder);
      expect(config.workspace).toBe(folder);
      expect(selectTarget(config).name).toBe('nbody');
      expect(selectTarget(config, 'nbody').name).toBe('nbody');
      expect(() => selectTarget(config, 'nbdoy')).toThrow(/did you mean "nbody"/);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
