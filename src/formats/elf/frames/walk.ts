import { KymoError } from '../../../core/errors';
import { evaluate, type Machine } from './expression';
import { rowAt, type CfaRule, type FrameRow, type RegisterRule } from './frameRules';
import type { FrameDescription, FrameTable } from './frameTable';

/** What a thread had in its registers and its memory at a moment. */
export interface StoppedThread {
  /** By DWARF's numbers; the last one is the program counter. */
  readonly registers: BigUint64Array;
  /** Eight bytes of its memory; undefined where they were not kept. */
  word(address: bigint): bigint | undefined;
}

/** Where the code at an address comes from. */
export interface CodeObject {
  readonly frames: FrameTable;
  /** What is subtracted from an address in the process to get the linked one. */
  readonly bias: number;
}

export interface StackWalk {
  /** One for each frame, innermost first: inside the code that is executed, or inside the call that has not returned. */
  readonly addresses: readonly bigint[];
  /** The last one is the thread's outermost function. Otherwise more of the stack would be needed, or the code says nothing of its frame. */
  readonly isWhole: boolean;
}

/** Deeper stacks are cut off. */
const mostFrames = 4096;

/** The numbers of registers that have a meaning of their own. */
interface Numbers {
  readonly stackPointer: number;
  readonly addressMask: bigint;
}
const x86_64: Numbers = { stackPointer: 7, addressMask: (1n << 64n) - 1n };
/** Return addresses may be signed in their upper bits. */
const aarch64: Numbers = { stackPointer: 31, addressMask: (1n << 48n) - 1n };
const numbersByCount: ReadonlyMap<number, Numbers> = new Map([
  [17, x86_64],
  [33, aarch64],
]);

/**
 * The functions in which a thread stands, by the frame rules of their objects. Whatever the memory holds, the walk ends.
 * @param find the object of an address in the process
 */
export function walkStack(
  thread: StoppedThread,
  find: (address: bigint) => CodeObject | undefined,
): StackWalk {
  const addresses: bigint[] = [];
  const numbers = numbersByCount.get(thread.registers.length);
  let frame: Frame | undefined =
    numbers && new Frame([...thread.registers], (address) => thread.word(address), numbers);
  let wasCalled = false;
  while (frame !== undefined && addresses.length < mostFrames) {
    const address: bigint = frame.programCounter - (wasCalled ? 1n : 0n);
    if (address <= 0n) break;
    addresses.push(address);
    const next = callerOf(frame, address, find);
    if (next === 'none') return { addresses, isWhole: true };
    if (next === undefined) break;
    wasCalled = !next.isInterrupted;
    frame = next.frame;
  }
  return { addresses, isWhole: false };
}

interface Caller {
  readonly frame: Frame;
  /** By a signal; it has not called the frame below it. */
  readonly isInterrupted: boolean;
}

/** @returns `none`: this frame is the outermost one; undefined: its caller cannot be found */
function callerOf(
  frame: Frame,
  address: bigint,
  find: (address: bigint) => CodeObject | undefined,
): Caller | 'none' | undefined {
  const object = find(address);
  if (object === undefined) return undefined;
  const linked = Number(address) - object.bias;
  try {
    const description = object.frames.find(linked);
    const row = description && rowAt(description, linked);
    return description && row && frame.caller(description, row);
  } catch (error) {
    if (error instanceof KymoError) return undefined;
    throw error;
  }
}

class Frame implements Machine {
  constructor(
    /** Undefined where it is not known what a caller had in one. */
    private readonly registers: readonly (bigint | undefined)[],
    readonly word: (address: bigint) => bigint | undefined,
    private readonly numbers: Numbers,
  ) {}

  get programCounter(): bigint {
    return this.registers.at(-1) ?? 0n;
  }

  register(number: number): bigint | undefined {
    return this.registers[number];
  }

  caller(description: FrameDescription, row: FrameRow): Caller | 'none' | undefined {
    const { returnRegister, isSignal } = description.common;
    const { stackPointer, addressMask } = this.numbers;
    const cfa = row.cfa && this.cfa(row.cfa);
    if (cfa === undefined || returnRegister >= this.registers.length) return undefined;
    const registers = [...this.registers];
    registers[stackPointer] = cfa;
    for (const [register, rule] of row.registers) {
      if (register >= registers.length) continue;
      if (register === returnRegister && rule.kind === 'undefined') return 'none';
      registers[register] = this.value(register, rule, cfa);
    }
    const returnAddress = registers[returnRegister];
    if (returnAddress === undefined) return undefined;
    registers[registers.length - 1] = returnAddress & addressMask;
    // A frame whose caller is itself would have no end.
    const isSame =
      registers[stackPointer] === this.registers[stackPointer] && registers.at(-1) === this.programCounter;
    return isSame
      ? undefined
      : { frame: new Frame(registers, this.word, this.numbers), isInterrupted: isSignal };
  }

  private cfa(rule: CfaRule): bigint | undefined {
    if (rule.kind === 'expression') return evaluate(rule.expression, this);
    const base = this.registers[rule.register];
    return base === undefined ? undefined : BigInt.asUintN(64, base + BigInt(rule.offset));
  }

  private value(register: number, rule: RegisterRule, cfa: bigint): bigint | undefined {
    switch (rule.kind) {
      case 'undefined':
        return undefined;
      case 'same':
        return this.registers[register];
      case 'at':
        return this.word(BigInt.asUintN(64, cfa + BigInt(rule.offset)));
      case 'is':
        return BigInt.asUintN(64, cfa + BigInt(rule.offset));
      case 'register':
        return this.registers[rule.register];
      case 'atExpression': {
        const address = evaluate(rule.expression, this, cfa);
        return address === undefined ? undefined : this.word(address);
      }
      case 'isExpression':
        return evaluate(rule.expression, this, cfa);
    }
  }
}
