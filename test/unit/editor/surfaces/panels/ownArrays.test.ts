import { describe, expect, it } from 'vitest';
import { ownArrays } from '../../../../../src/editor/surfaces/panels/ownArrays';

describe('arrays of an answer', () => {
  it('have buffers of their own, wherever they are', () => {
    const all = new Float64Array([1, 2, 3, 4]);
    const given = { one: all.subarray(1, 3), more: [{ two: new Uint8Array(all.buffer, 8, 1) }], name: 'a' };
    const own = ownArrays(given) as typeof given;
    expect(own).toEqual(given);
    expect(own.one.buffer.byteLength).toBe(16);
    expect(own.more[0]?.two.buffer.byteLength).toBe(1);
  });

  it('are not copied when they have one', () => {
    const values = new Uint32Array(2);
    expect(ownArrays({ values, missing: undefined, none: null })).toEqual({
      values,
      missing: undefined,
      none: null,
    });
    expect(ownArrays(values)).toBe(values);
  });
});
