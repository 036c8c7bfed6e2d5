import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KymoError } from '../../../../../src/core/errors';
import { namedBytes } from '../../../../../src/formats/byteSource';
import { ElfFile } from '../../../../../src/formats/elf/elfFile';
import { rowAt } from '../../../../../src/formats/elf/frames/frameRules';
import { FrameTable } from '../../../../../src/formats/elf/frames/frameTable';
import { walkStack, type StackWalk } from '../../../../../src/formats/elf/frames/walk';
import { buildElf, text } from '../elfBuilder';

const sectionAddress = 0x8000;

interface Entry {
  /** Of the code; linked. */
  readonly begin: number;
  readonly size: number;
  readonly instructions: readonly number[];
  readonly augmentation?: 'zR' | 'zRS';
}

const padded = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc((8 - (bytes.length % 8)) % 8)]);
const sized = (content: Buffer): Buffer => {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(content.length);
  return Buffer.concat([size, content]);
};

/** An `.eh_frame` as gcc makes it: rsp+8 and the return address below at the entry of each function, and what its instructions say. */
function frames(entries: readonly Entry[]): Buffer {
  const parts: Buffer[] = [];
  let offset = 0;
  const add = (bytes: Buffer): void => {
    parts.push(bytes);
    offset += bytes.length;
  };
  for (const { begin, size, instructions, augmentation = 'zR' } of entries) {
    const common = Buffer.concat([
      Buffer.from([0, 0, 0, 0, 1]),
      Buffer.from(`${augmentation}\0`),
      // Alignments 1 and -8, return address 16, pointers relative to themselves in 4 bytes; rsp+8; return address at -8.
      Buffer.from([1, 0x78, 16, 1, 0x1b, 0x0c, 7, 8, 0x90, 1]),
    ]);
    const start = offset;
    add(sized(padded(common)));
    const head = Buffer.alloc(13);
    head.writeInt32LE(offset + 4 - start, 0);
    head.writeInt32LE(begin - (sectionAddress + offset + 8), 4);
    head.writeUInt32LE(size, 8);
    add(sized(padded(Buffer.concat([head, Buffer.from(instructions)]))));
  }
  add(Buffer.alloc(4));
  return Buffer.concat(parts);
}

const tableOf = (data: Uint8Array): FrameTable =>
  FrameTable.read(
    ElfFile.open(
      namedBytes('program', buildElf([text, { name: '.eh_frame', flags: 2, address: sectionAddress, data }])),
    ),
  );

const bias = 0x5555_0000_0000;
const low = 0x7fff_0000_0000n;

/** Walks from `pc` (linked) with this stack, whose first word is at the stack pointer. */
function walk(
  table: FrameTable,
  pc: number,
  stack: readonly bigint[],
  changed: ReadonlyMap<number, bigint> = new Map(),
): StackWalk {
  const registers = new BigUint64Array(17);
  registers[7] = low;
  registers[16] = BigInt(bias + pc);
  for (const [register, value] of changed) registers[register] = value;
  const thread = {
    registers,
    word: (address: bigint) =>
      (address - low) % 8n === 0n ? stack[Number((address - low) / 8n)] : undefined,
  };
  return walkStack(thread, (address) => (address < BigInt(bias) ? undefined : { frames: table, bias }));
}
const code = (linked: number): bigint => BigInt(bias + linked);
const linked = ({ addresses }: StackWalk): readonly number[] =>
  addresses.map((address) => Number(address) - bias);

const pushRbp = [0x41, 0x0e, 16, 0x86, 2]; // after one byte of code: rsp+16, rbp at -16
const viaRbp = [...pushRbp, 0x43, 0x0d, 6]; // after three more: rbp+16
const start = { begin: 0x1000, size: 16, instructions: [0x07, 16] }; // the return address is undefined: outermost
const leaf = { begin: 0x1010, size: 16, instructions: pushRbp };
const framed = { begin: 0x1020, size: 16, instructions: viaRbp };

describe('a walk from frame to frame', () => {
  const table = tableOf(frames([start, leaf, framed]));

  it('follows rules at offsets from the stack pointer and from a register that callees keep', () => {
    // leaf (rbp pushed) was called by framed, whose rbp it keeps; that was called by start.
    const stack = [low + 40n, code(0x1028), 7n, 8n, 9n, 10n, code(0x1005)];
    const found = walk(table, 0x1011, stack);
    expect(linked(found)).toEqual([0x1011, 0x1027, 0x1004]);
    expect(found.isWhole).toBe(true);
  });

  it('takes the rules of the instruction: at the entry nothing is pushed yet', () => {
    expect(linked(walk(table, 0x1010, [code(0x1005)]))).toEqual([0x1010, 0x1004]);
  });

  it('remembers a row and returns to it, as code behind a function’s early exit needs', () => {
    // Two bytes: pushed; remembered, popped for a return; one byte later as before.
    const exits = tableOf(
      frames([
        start,
        { begin: 0x1010, size: 16, instructions: [...pushRbp, 0x41, 0x0a, 0x0e, 8, 0xc6, 0x41, 0x0b] },
      ]),
    );
    const kept = [1n, code(0x1005)];
    expect(linked(walk(exits, 0x1011, kept))).toEqual([0x1011, 0x1004]);
    expect(linked(walk(exits, 0x1012, [code(0x1005)]))).toEqual([0x1012, 0x1004]);
    expect(linked(walk(exits, 0x1013, kept))).toEqual([0x1013, 0x1004]);
  });

  it('takes the frame’s address from an expression, and longer distances of code', () => {
    const entry = tableOf(
      // After 200 bytes the address is rsp+24.
      frames([start, { begin: 0x1010, size: 300, instructions: [0x02, 200, 0x0f, 2, 0x77, 24] }]),
    );
    expect(linked(walk(entry, 0x1010 + 199, [code(0x1005)]))).toEqual([0x1010 + 199, 0x1004]);
    expect(linked(walk(entry, 0x1010 + 200, [1n, 2n, code(0x1005)]))).toEqual([0x1010 + 200, 0x1004]);
  });

  it('removes the signature of return addresses on aarch64', () => {
    const registers = new BigUint64Array(33);
    registers[30] = code(0x1005) | (0x7n << 53n);
    registers[31] = low;
    registers[32] = code(0x1010);
    // The return address is in register 16 of these tables, so it is moved there.
    registers[16] = registers[30];
    const keeps = tableOf(
      frames([start, { begin: 0x1010, size: 16, instructions: [0x0c, 31, 16, 0xd0], augmentation: 'zR' }]),
    );
    const found = walkStack({ registers, word: () => registers[30] }, (address) =>
      address < BigInt(bias) ? undefined : { frames: keeps, bias },
    );
    expect(linked(found)).toEqual([0x1010, 0x1004]);
  });

  it('looks for a caller inside its call, because that may be the last instruction of a function', () => {
    expect(linked(walk(table, 0x1010, [code(0x1010)]))).toEqual([0x1010, 0x100f]);
  });

  it('looks for what a signal has interrupted where it was', () => {
    const signal = tableOf(
      frames([start, leaf, { begin: 0x1030, size: 8, instructions: [], augmentation: 'zRS' }]),
    );
    expect(linked(walk(signal, 0x1031, [code(0x1010), code(0x1005)]))).toEqual([0x1031, 0x1010, 0x1004]);
  });

  it.each([
    ['the copy of the stack ends', 0x1011, [low + 40n, code(0x1028)], [0x1011, 0x1027]],
    ['a return address is no code', 0x1010, [0x1234n], [0x1010, 0x1233 - bias]],
    ['a return address is 0', 0x1010, [0n], [0x1010]],
    ['code has no description', 0x1200, [code(0x1005)], [0x1200]],
  ])('is not whole when %s', (_, pc, stack, expected) => {
    const found = walk(table, pc, stack);
    expect(linked(found)).toEqual(expected);
    expect(found.isWhole).toBe(false);
  });

  it('ends where frames go round in a circle', () => {
    // Each frame's address is that of the first one: rsp comes from the stack, which says the same again.
    const circle = tableOf(frames([{ begin: 0x1000, size: 16, instructions: [0x0c, 7, 0, 0x90, 0] }]));
    expect(walk(circle, 0x1004, [code(0x1005)]).isWhole).toBe(false);
    expect(walk(circle, 0x1004, [code(0x1005)]).addresses.length).toBeLessThan(5);
    const back = [...Array.from({ length: 4 }, () => [low, code(0x1028)]).flat()];
    expect(walk(table, 0x1028, back, new Map([[6, low]])).addresses.length).toBeLessThanOrEqual(4096);
  });

  it('ends where a register is needed that no caller has kept', () => {
    // rbx is undefined in the caller, and the caller's frame is at rbx+8.
    const lost = tableOf(
      frames([
        { begin: 0x1000, size: 16, instructions: [0x0c, 3, 8] },
        { begin: 0x1010, size: 16, instructions: [0x07, 3] },
      ]),
    );
    expect(linked(walk(lost, 0x1011, [code(0x1005), code(0x1005)], new Map([[3, low + 8n]])))).toEqual([
      0x1011, 0x1004,
    ]);
  });
});

describe('a table of frames', () => {
  it('finds each function by any of its addresses, in whatever order they stand, and nothing between them', () => {
    const sizes = fc.array(fc.tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 0, max: 3 })), {
      minLength: 1,
      maxLength: 30,
    });
    fc.assert(
      fc.property(sizes, fc.integer(), (list, seed) => {
        let next = 0x1000;
        const entries = list.map(([size, gap]) => {
          const begin = next;
          next += size + gap;
          return { begin, size, instructions: [] };
        });
        const shuffled = [...entries].sort(
          (a, b) => ((a.begin * 7919 + seed) % 101) - ((b.begin * 7919 + seed) % 101),
        );
        const table = tableOf(frames(shuffled));
        expect(table.size).toBe(entries.length);
        for (let address = 0xfff; address <= next; address++) {
          const owner = entries.find(({ begin, size }) => address >= begin && address < begin + size);
          expect(table.find(address)?.begin).toBe(owner?.begin);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('is empty for an object without one', () => {
    const file = ElfFile.open(namedBytes('program', buildElf([text])));
    expect(FrameTable.read(file).size).toBe(0);
  });

  it('whatever its bytes are: rules, nothing, or an error that says where', () => {
    const good = frames([start, leaf, framed]);
    const changes = fc.array(fc.tuple(fc.nat(good.length - 1), fc.integer({ min: 0, max: 255 })), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(changes, fc.nat(good.length), (list, length) => {
        const bytes = Buffer.from(good);
        for (const [position, byte] of list) bytes[position] = byte;
        try {
          const table = tableOf(bytes.subarray(0, length));
          for (let address = 0xff0; address < 0x1040; address += 3) {
            const found = table.find(address);
            if (found !== undefined) rowAt(found, address);
            walk(
              table,
              address,
              Array.from({ length: 64 }, (_, i) => code(0x1000 + 5 * i)),
            );
          }
        } catch (error) {
          expect(error).toBeInstanceOf(KymoError);
        }
      }),
      { numRuns: 3000 },
    );
  });
});
