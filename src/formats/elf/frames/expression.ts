import type { Cursor } from '../cursor';

/** What a thread had at a moment. */
export interface Machine {
  register(number: number): bigint | undefined;
  /** Eight bytes of memory; undefined where nobody knows them. */
  word(address: bigint): bigint | undefined;
}

/** Real ones have fewer than twenty operations, and no loops. */
const mostSteps = 1000;
const mostValues = 64;

/**
 * The value of a DWARF expression (DWARF 5, 2.5.1) about a frame, in 64 bits.
 * @param first what the stack begins with
 * @returns undefined when it needs memory that is not known, or an operation that frames do not have
 * @throws KymoError<ElfErrorReason> when an operation is cut off
 */
export function evaluate(expression: Cursor, machine: Machine, first?: bigint): bigint | undefined {
  const cursor = expression.at(expression.offset, expression.end);
  const stack: bigint[] = first === undefined ? [] : [first];
  const begin = cursor.offset;
  for (let step = 0; !cursor.atEnd; step++) {
    if (step === mostSteps || stack.length > mostValues) return undefined;
    if (!operate(cursor.u8(), { cursor, stack, machine, begin })) return undefined;
  }
  return stack.at(-1);
}

interface Context {
  readonly cursor: Cursor;
  readonly stack: bigint[];
  readonly machine: Machine;
  readonly begin: number;
}

function operate(code: number, context: Context): boolean {
  const { cursor, stack, machine } = context;
  const push = (value: bigint | undefined): boolean => {
    if (value === undefined) return false;
    stack.push(unsigned(value));
    return true;
  };
  if (code >= 0x30 && code <= 0x4f) return push(BigInt(code - 0x30));
  if (code >= 0x70 && code <= 0x8f) return push(based(machine.register(code - 0x70), cursor.sleb()));
  if (code === 0x92) return push(based(machine.register(cursor.uleb()), cursor.sleb()));
  const constant = constants.get(code);
  if (constant !== undefined) return push(constant(cursor));
  const two = binary.get(code);
  if (two !== undefined) {
    const right = stack.pop();
    const left = stack.pop();
    return push(left === undefined || right === undefined ? undefined : two(left, right));
  }
  const one = unary.get(code);
  if (one !== undefined) {
    const value = stack.pop();
    return push(value === undefined ? undefined : one(value, context));
  }
  return rearrange(code, context);
}

const based = (value: bigint | undefined, offset: number): bigint | undefined =>
  value === undefined ? undefined : value + BigInt(offset);
const unsigned = (value: bigint): bigint => BigInt.asUintN(64, value);
const signed = (value: bigint): bigint => BigInt.asIntN(64, value);

const constants: ReadonlyMap<number, (cursor: Cursor) => bigint> = new Map([
  [0x03, word],
  [0x08, (cursor: Cursor) => BigInt(cursor.u8())],
  [0x09, (cursor: Cursor) => BigInt((cursor.u8() << 24) >> 24)],
  [0x0a, (cursor: Cursor) => BigInt(cursor.u16())],
  [0x0b, (cursor: Cursor) => BigInt((cursor.u16() << 16) >> 16)],
  [0x0c, (cursor: Cursor) => BigInt(cursor.u32())],
  [0x0d, (cursor: Cursor) => BigInt(cursor.i32())],
  [0x0e, word],
  [0x0f, word],
  [0x10, (cursor: Cursor) => BigInt(cursor.uleb())],
  [0x11, (cursor: Cursor) => BigInt(cursor.sleb())],
]);

function word(cursor: Cursor): bigint {
  const low = BigInt(cursor.u32());
  return low + (BigInt(cursor.u32()) << 32n);
}

const truth = (value: boolean): bigint => (value ? 1n : 0n);
const shiftOf = (value: bigint): bigint => (value > 64n ? 64n : value);

const binary: ReadonlyMap<number, (left: bigint, right: bigint) => bigint | undefined> = new Map([
  [0x1a, (left: bigint, right: bigint) => left & right],
  [0x1b, (left: bigint, right: bigint) => (right === 0n ? undefined : signed(left) / signed(right))],
  [0x1c, (left: bigint, right: bigint) => left - right],
  [0x1d, (left: bigint, right: bigint) => (right === 0n ? undefined : left % right)],
  [0x1e, (left: bigint, right: bigint) => left * right],
  [0x21, (left: bigint, right: bigint) => left | right],
  [0x22, (left: bigint, right: bigint) => left + right],
  [0x24, (left: bigint, right: bigint) => left << shiftOf(right)],
  [0x25, (left: bigint, right: bigint) => left >> shiftOf(right)],
  [0x26, (left: bigint, right: bigint) => signed(left) >> shiftOf(right)],
  [0x27, (left: bigint, right: bigint) => left ^ right],
  [0x29, (left: bigint, right: bigint) => truth(left === right)],
  [0x2a, (left: bigint, right: bigint) => truth(signed(left) >= signed(right))],
  [0x2b, (left: bigint, right: bigint) => truth(signed(left) > signed(right))],
  [0x2c, (left: bigint, right: bigint) => truth(signed(left) <= signed(right))],
  [0x2d, (left: bigint, right: bigint) => truth(signed(left) < signed(right))],
  [0x2e, (left: bigint, right: bigint) => truth(left !== right)],
]);

const unary: ReadonlyMap<number, (value: bigint, context: Context) => bigint | undefined> = new Map([
  [0x06, (value: bigint, { machine }: Context) => machine.word(value)],
  [0x19, (value: bigint) => (signed(value) < 0n ? -value : value)],
  [0x1f, (value: bigint) => -value],
  [0x20, (value: bigint) => ~value],
  [0x23, (value: bigint, { cursor }: Context) => value + BigInt(cursor.uleb())],
]);

/** Operations on the stack, and jumps. */
function rearrange(code: number, { cursor, stack, begin }: Context): boolean {
  const copy = (depth: number): boolean => {
    const value = stack.at(-1 - depth);
    if (value === undefined) return false;
    stack.push(value);
    return true;
  };
  const jump = (isTaken: boolean): boolean => {
    const distance = (cursor.u16() << 16) >> 16;
    const target = cursor.offset + (isTaken ? distance : 0);
    if (target < begin || target > cursor.end) return false;
    cursor.offset = target;
    return true;
  };
  switch (code) {
    case 0x12:
      return copy(0);
    case 0x13:
      return stack.pop() !== undefined;
    case 0x14:
      return copy(1);
    case 0x15:
      return copy(cursor.u8());
    case 0x16:
      return stack.length >= 2 && stack.push(...stack.splice(-2).reverse()) > 0;
    case 0x17:
      return stack.length >= 3 && stack.splice(-2, 0, ...stack.splice(-1)).length === 0;
    case 0x28: {
      const value = stack.pop();
      return value !== undefined && jump(value !== 0n);
    }
    case 0x2f:
      return jump(true);
    default:
      return code === 0x96;
  }
}
