import { describe, expect, it } from 'vitest';
import { registerMeasure } from '../../../../src/cli/commands/measure';
import { runCommand } from './runCommand';

describe('kymo measure', () => {
  it.each([
    [['--trace-memory', '0'], 'It must be a whole number, 1 or more.'],
    [['--trace-memory', '1e9'], 'It must be at most 1048576.'],
    [['--trace-full', 'first'], 'Allowed choices are stop, last.'],
    [['--trace-iterations', '12-10'], 'It must be a range such as 10-12'],
    [['--trace-iterations', '0-3'], 'the first one is 1'],
    [['--trace-iterations', 'all'], 'It must be a range such as 10-12'],
  ])('refuses %j', async (words, message) => {
    await expect(runCommand([registerMeasure], '/nowhere', ['measure', ...words])).rejects.toThrow(message);
  });
});
