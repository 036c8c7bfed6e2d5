import { describe, expect, it } from 'vitest';
import { valuesOfRange } from '../../../../src/core/study/range';

describe('a range of values', () => {
  it.each([
    ['16:256:*2', [16, 32, 64, 128, 256]],
    ['100:500:+100', [100, 200, 300, 400, 500]],
    ['1:10:*3', [1, 3, 9]],
    ['0.1:0.3:+0.1', [0.1, 0.2, 0.3]],
    ['0:4:+2', [0, 2, 4]],
    ['7:7:+1', [7]],
    ['2:2000000:*1000', [2, 2000, 2000000]],
  ])('%s', (text, values) => expect(valuesOfRange(text)).toEqual(values));
  it.each(['16', 'a:b:*2', '1:2', '1:2:3', 'C:x:+1', ''])('is not “%s”', (text) =>
    expect(valuesOfRange(text)).toBeUndefined(),
  );
  it.each(['1:9:*1', '0:9:*2', '1:9:+0', '9:1:+1', '1:1001:+1'])('refuses %s', (text) =>
    expect(() => valuesOfRange(text)).toThrow(/16:256:\*2/),
  );
  it('may have a thousand values', () => expect(valuesOfRange('1:1000:+1')).toHaveLength(1000));
});
