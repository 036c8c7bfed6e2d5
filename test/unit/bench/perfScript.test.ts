import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  linkedAddress,
  mergedSamples,
  readInlineChains,
  readSegments,
  readStacks,
  readTailCalls,
  sampledProfile,
} from '../../../bench/programs/perfScript';

// As perf 6.1 prints it.
const script = `tool 18747 
	ffffffff816ded72 dput ([kernel.kallsyms])
	           75ac7 fclose@@GLIBC_2.2.5 (/usr/lib/libc.so.6)
	            47d0 inner (/tree/tool)
	            2a5f main (/tree/tool)
	            2e50 _start (/tree/tool)

tool 18747 
	            47d4 inner (/tree/tool)
	            47d9 inner (/tree/tool)
	            2a5f main (/tree/tool)
	           27304 __libc_start_main@@GLIBC_2.34 (/usr/lib/libc.so.6)
	            2e50 _start (/tree/tool)

tool 18750 
	            9000 operator() (some type) (/tree/a (b)/tool)
	             1ff [unknown] ([unknown])
`;

describe('samples of perf', () => {
  it('are read with all their frames, and those that do not reach the start of a thread are counted', () => {
    const { stacks, cut } = readStacks(script);
    expect(stacks.map((stack) => stack.length)).toEqual([5, 5, 2]);
    expect(stacks[0]?.[2]).toEqual({ object: '/tree/tool', offset: 0x47d0 });
    expect(cut).toBe(1);
  });

  it('of the start of a thread by clone are complete', () => {
    const thread = 'tool 1 \n\t 10 work (/t)\n\t 20 start_thread (/libc)\n\t 30 __clone3 (/libc)\n';
    expect(readStacks(thread)).toMatchObject({ cut: 0, stacks: [{ length: 3 }] });
  });

  it('count for each function on the stack once, inlined or not', () => {
    const names = new Map([
      [0x47d0, ['tiny', 'inner']],
      [0x47d4, ['inner']],
      [0x47d9, ['inner']],
      [0x2a5f, ['main']],
    ]);
    const profile = sampledProfile(script, ({ offset }) => names.get(offset) ?? []);
    expect(profile.samples).toBe(3);
    expect(profile.cutShare).toBeCloseTo(1 / 3);
    expect([...profile.inclusiveShares]).toEqual([
      ['tiny', 1 / 3],
      ['inner', 2 / 3],
      ['main', 2 / 3],
    ]);
  });

  it('of a run too short for one have no shares', () => {
    expect(sampledProfile('', () => [])).toMatchObject({ samples: 0, cutShare: 0 });
  });

  it('hold no function more often than there are samples', () => {
    const frame = fc.record({ object: fc.constant('/t'), offset: fc.nat(5) });
    fc.assert(
      fc.property(fc.array(fc.array(frame, { minLength: 1 })), (stacks) => {
        const text = stacks
          .map(
            (stack) => `t 1 \n${stack.map((f) => `\t ${f.offset.toString(16)} f (${f.object})\n`).join('')}`,
          )
          .join('\n');
        const profile = sampledProfile(text, ({ offset }) => [`f${offset % 3}`, `f${offset}`]);
        expect(profile.samples).toBe(stacks.length);
        for (const share of profile.inclusiveShares.values()) expect(share).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe('samples of several runs', () => {
  it('count each, as if they were of one run', () => {
    const one = {
      samples: 300,
      cutShare: 0.1,
      inclusiveShares: new Map([
        ['main', 1],
        ['kernel', 0.2],
      ]),
    };
    const other = {
      samples: 100,
      cutShare: 0.3,
      inclusiveShares: new Map([
        ['main', 1],
        ['init', 0.4],
      ]),
    };
    const { samples, cutShare, inclusiveShares } = mergedSamples([one, other]);
    expect([samples, cutShare]).toEqual([400, expect.closeTo(0.15)]);
    expect(Object.fromEntries(inclusiveShares)).toEqual({
      main: 1,
      kernel: expect.closeTo(0.15) as number,
      init: expect.closeTo(0.1) as number,
    });
  });
});

describe('code that objdump prints', () => {
  it('shows which functions end in a jump to another one', () => {
    const text = `
0000000000001000 <coarsen>:
    1000:\tcall   1030 <_init+0x30>
    1005:\tje     1020 <coarsen+0x20>
    100a:\tjmp    2000 <masked.part.0>
    100f:\tjne    3000 <pop@plt>
    1014:\tjmp    1000 <coarsen>

0000000000002000 <masked.part.0>:
    2000:\tret
`;
    expect([...readTailCalls(text)]).toEqual([['coarsen', new Set(['masked', 'pop'])]]);
  });
});

describe('functions at an address', () => {
  it('are read from the inside out, without what is not source and without the names of copies', () => {
    const text = `0x00000000000047d0
tiny
/src/a.h:12 (discriminator 2)
inner.constprop.0
/src/a.c:40
0x0000000000002e50
_start
??:?
0x0000000000002e60
__libc_start_call_main
libc-start.o:?
0x0000000000002a5f
main._omp_fn.1
/src/a.c:99
`;
    expect([...readInlineChains(text)]).toEqual([
      [0x47d0, ['tiny', 'inner']],
      [0x2e50, []],
      [0x2e60, []],
      [0x2a5f, ['main']],
    ]);
  });

  it('are asked for where the linker put them', () => {
    const segments = readSegments(`
  LOAD           0x000000 0x0000000000400000 0x0000000000400000 0x000550 0x000550 R   0x1000
  LOAD           0x001000 0x0000000000401000 0x0000000000401000 0x000ca5 0x000ca5 R E 0x1000
  GNU_STACK      0x000000 0x0000000000000000 0x0000000000000000 0x000000 0x000000 RW  0x10
`);
    expect(segments).toHaveLength(2);
    expect(linkedAddress(segments, 0x1010)).toBe(0x401010);
    expect(linkedAddress(segments, 0x1ca5)).toBe(0x1ca5);
  });
});
