import { describe, expect, it } from 'vitest';
import { printable } from '../../../../src/cli/terminal/table';

describe('names in a terminal', () => {
  it('neither steer it nor turn the order of what is read', () => {
    expect(printable('a\u001b[2Jb\r\n\tc')).toBe('a\ufffd[2Jb\ufffd\ufffd\ufffdc');
    expect(printable('safe\u202eexe.\u2066x\u2069\u200f')).toBe('safe\ufffdexe.\ufffdx\ufffd\ufffd');
  });

  it('stay what they are in any script', () => {
    for (const name of ['流れ::größe<T>', 'حساب', 'naïve 👩‍🔬']) expect(printable(name)).toBe(name);
  });
});
