import { describe, expect, it } from 'vitest';
import { registerCompare } from '../../../../src/cli/commands/compare';
import { useCommandFolder } from './commandFolder';

const { inFolder, run } = useCommandFolder('compare');

describe('options of traces', () => {
  it.each([['--phase', 'step'], ['--relative-partners']])(
    '%s is refused with profiles',
    async (...option) => {
      const profiles = [inFolder('a.cubex'), inFolder('b.cubex')];
      await expect(run([registerCompare], ['compare', ...profiles, ...option])).rejects.toMatchObject({
        reason: 'usage',
        message: expect.stringContaining(`${option[0]} is about traces`) as string,
      });
    },
  );
});
