import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KymoError } from '../../../../../src/core/errors';
import { Cursor } from '../../../../../src/formats/elf/cursor';
import { evaluate, type Machine } from '../../../../../src/formats/elf/frames/expression';

const place = { file: 'f', what: 'expression', fileOffset: 0, reason: 'invalid-dwarf' } as const;
const machine: Machine = {
  register: (number) => (number < 17 ? BigInt(number) * 0x1000n : undefined),
  word: (address) => (address < 0x1_0000n ? address + 1n : undefined),
};
const value = (bytes: readonly number[], first?: bigint): bigint | undefined =>
  evaluate(new Cursor(Uint8Array.from(bytes), place), machine, first);

const mask = (x: bigint): bigint => BigInt.asUintN(64, x);
const signed = (x: bigint): bigint => BigInt.asIntN(64, x);
const bytesOf = (x: bigint): readonly number[] =>
  Array.from({ length: 8 }, (_, i) => Number((x >> BigInt(8 * i)) & 0xffn));
const push = (x: bigint): readonly number[] => [0x0e, ...bytesOf(x)];
const word = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });

/** Operators on two values, by the meaning that DWARF 5, 2.5.1.4 gives them. */
const operators: readonly (readonly [name: string, code: number, (a: bigint, b: bigint) => bigint])[] = [
  ['and', 0x1a, (a, b) => a & b],
  ['minus', 0x1c, (a, b) => a - b],
  ['mul', 0x1e, (a, b) => a * b],
  ['or', 0x21, (a, b) => a | b],
  ['plus', 0x22, (a, b) => a + b],
  ['xor', 0x27, (a, b) => a ^ b],
  ['eq', 0x29, (a, b) => BigInt(a === b)],
  ['ge', 0x2a, (a, b) => BigInt(signed(a) >= signed(b))],
  ['gt', 0x2b, (a, b) => BigInt(signed(a) > signed(b))],
  ['le', 0x2c, (a, b) => BigInt(signed(a) <= signed(b))],
  ['lt', 0x2d, (a, b) => BigInt(signed(a) < signed(b))],
  ['ne', 0x2e, (a, b) => BigInt(a !== b)],
];

describe('expressions of frames', () => {
  it.each(operators)('%s is an operation on 64 bits', (_, code, meaning) => {
    const pair = fc.oneof(
      fc.tuple(word, word),
      word.map((x) => [x, x] as const),
    );
    fc.assert(
      fc.property(pair, ([a, b]) => {
        expect(value([...push(a), ...push(b), code])).toBe(mask(meaning(a, b)));
      }),
    );
  });

  it.each([
    ['div', 0x1b, -7n, 2n, -3n],
    ['mod', 0x1d, 7n, 4n, 3n],
    ['shl', 0x24, 3n, 4n, 48n],
    ['shl out of the word', 0x24, 3n, 2n ** 63n, 0n],
    ['shr', 0x25, -1n, 60n, 15n],
    ['shra', 0x26, -16n, 2n, -4n],
  ])('%s', (_, code, a, b, result) => {
    expect(value([...push(mask(a)), ...push(mask(b)), code])).toBe(mask(result));
  });

  it.each([
    ['const1u', [0x08, 255], 255n],
    ['const1s', [0x09, 0x80], -0x80n],
    ['const2u', [0x0a, 255, 255], 65535n],
    ['const2s', [0x0b, 0, 0x80], -0x8000n],
    ['const4u', [0x0c, 255, 255, 255, 255], 0xffffffffn],
    ['const4s', [0x0d, 254, 255, 255, 255], -2n],
    ['addr', [0x03, 1, 0, 0, 0, 0, 0, 0, 128], 2n ** 63n + 1n],
    ['constu', [0x10, 0x80, 0x01], 128n],
    ['consts', [0x11, 0x7f], -1n],
    ['lit0', [0x30], 0n],
    ['lit31', [0x4f], 31n],
    ['breg7 -8', [0x77, 0x78], 0x6ff8n],
    ['bregx 16 +2', [0x92, 16, 2], 0x10002n],
    ['deref', [0x32, 0x06], 3n],
    ['abs', [0x11, 0x7f, 0x19], 1n],
    ['abs of what is not negative', [0x32, 0x19], 2n],
    ['neg', [0x31, 0x1f], -1n],
    ['not', [0x30, 0x20], -1n],
    ['plus_uconst', [0x31, 0x23, 2], 3n],
    ['dup', [0x33, 0x12, 0x22], 6n],
    ['drop', [0x33, 0x34, 0x13], 3n],
    ['over', [0x33, 0x34, 0x14], 3n],
    ['pick', [0x31, 0x32, 0x33, 0x15, 2], 1n],
    ['swap', [0x31, 0x34, 0x16, 0x1c], 3n],
    ['rot: the first becomes the third', [0x31, 0x32, 0x38, 0x17, 0x1c, 0x1c], 9n],
    ['skip', [0x31, 0x2f, 1, 0, 0x32], 1n],
    ['bra taken', [0x31, 0x31, 0x28, 1, 0, 0x32], 1n],
    ['bra not taken', [0x31, 0x30, 0x28, 1, 0, 0x32], 2n],
    ['nop', [0x31, 0x96], 1n],
  ])('%s', (_, bytes, result) => {
    expect(value(bytes)).toBe(mask(result));
  });

  it('the address of a procedure linkage table’s frame, as linkers write it', () => {
    // breg7 +8 · breg16 +0 · lit15 · and · lit11 · ge · lit3 · shl · plus
    const bytes = [0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22];
    expect(value(bytes)).toBe(0x7008n);
  });

  it.each([
    ['nothing on the stack', []],
    ['an operand is missing', [0x31, 0x22]],
    ['division by zero', [0x31, 0x30, 0x1b]],
    ['remainder by zero', [0x31, 0x30, 0x1d]],
    ['unknown register', [0x92, 99, 0]],
    ['unknown memory', [...push(2n ** 40n), 0x06]],
    ['unknown operation', [0x31, 0xff]],
    ['a jump before the begin', [0x2f, 0xf0, 0xff]],
    ['a jump behind the end', [0x31, 0x2f, 9, 0]],
    ['a loop', [0x31, 0x2f, 0xfd, 0xff]],
    ['ever more values', [0x31, 0x12, 0x2f, 0xfc, 0xff]],
    ['pick, swap, rot, over, dup of what is not there', [0x31, 0x15, 9]],
    ['swap of one', [0x31, 0x16]],
    ['rot of two', [0x31, 0x32, 0x17]],
  ])('has no value: %s', (_, bytes) => {
    expect(value(bytes)).toBeUndefined();
  });

  it('begins with the frame’s address where a register’s rule says so', () => {
    expect(value([0x23, 4], 100n)).toBe(104n);
  });

  it('whatever its bytes are, it ends, with 64 bits, none, or an error that says where', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        try {
          const result = value([...bytes]);
          expect(result === undefined || result === mask(result)).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(KymoError);
        }
      }),
      { numRuns: 5000 },
    );
  });
});
