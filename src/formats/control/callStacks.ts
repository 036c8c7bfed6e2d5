import type { Cursor } from './cursor';

/** What is needed to find the functions that threads were in at a moment, and their callers. Threads that wait are not in it. */
export interface CallStackSample {
  readonly tick: bigint;
  /** Samples that this client did not get so far. */
  readonly lost: number;
  /** Threads that ran and could not be asked: they block the signal, are more than a sample has, or did not get a processor in time. */
  readonly missing: number;
  /** Why no sample follows, although an interval was asked for. */
  readonly ended: string | undefined;
  readonly threads: readonly CopiedThread[];
}

/** What a thread had in its registers and on its stack. */
export interface CopiedThread {
  /** Of the operating system. */
  readonly tid: number;
  /** By DWARF's numbers: 17 (x86-64), or 33 (aarch64); the last one is the program counter. */
  readonly registers: BigUint64Array;
  /** Open visits whose return address the runtime has replaced, the innermost ones. */
  readonly frames: readonly KeptFrame[];
  /** From the stack pointer upwards. */
  readonly stack: Uint8Array;
}

/** The first two words of a frame of the runtime, which the code at the replaced return address refers to. */
export interface KeptFrame {
  readonly address: bigint;
  readonly returnAddress: bigint;
  readonly saved: bigint;
}

export function callStacks(cursor: Cursor): CallStackSample {
  const tick = cursor.u64();
  const lost = cursor.amount();
  const missing = cursor.u32();
  const ended = cursor.text(cursor.count(1));
  const count = cursor.count(16);
  const threads = Array.from({ length: count }, () => copiedThread(cursor));
  return { tick, lost, missing, ended: ended === '' ? undefined : ended, threads };
}

function copiedThread(cursor: Cursor): CopiedThread {
  const tid = cursor.u32();
  const registers = BigUint64Array.from({ length: cursor.count(8) }, () => cursor.u64());
  const frames = Array.from({ length: cursor.count(24) }, () => ({
    address: cursor.u64(),
    returnAddress: cursor.u64(),
    saved: cursor.u64(),
  }));
  return { tid, registers, frames, stack: cursor.bytes(cursor.count(1)) };
}
