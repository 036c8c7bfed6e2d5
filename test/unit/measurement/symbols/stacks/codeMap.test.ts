import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CodeMap } from '../../../../../src/measurement/symbols/stacks/codeMap';

const text = `560eab9e0000-560eab9e5000 r-xp 00002000 fe:00 260131                     /usr/bin/cat
7f8240d47000-7f8240e9d000 r-xp 00026000 fe:00 339380     /opt/a folder/libc.so.6 (deleted)
7f8240e9d000-7f8240e9e000 r-xp 00000000 00:00 0
560eab9e5000-560eab9e6000 r--p 00007000 fe:00 260131                     /usr/bin/cat
7f8240f16000-7f8240f18000 --xp 00000000 00:00 0                          [vdso]
`;

describe('where code comes from', () => {
  const map = new CodeMap(text);

  it.each([
    [0x560eab9e0000, '/usr/bin/cat', 0x2000],
    [0x560eab9e4fff, '/usr/bin/cat', 0x2000],
    [0x7f8240d47000, '/opt/a folder/libc.so.6 (deleted)', 0x26000],
    [0x7f8240e9d000, '', 0],
    [0x7f8240f17fff, '[vdso]', 0],
  ])('%d: %s', (address, file, offset) => {
    expect(map.at(address)).toMatchObject({ file, offset });
  });

  it.each([0, 0x560eab9dffff, 0x560eab9e5000, 0x7f8240e9e000, 0x7f8240f18000, 2 ** 60])(
    '%d: no code',
    (address) => {
      expect(map.at(address)).toBeUndefined();
    },
  );

  it('leaves out lines that are none, whatever they are', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), fc.nat(5), (noise, position) => {
        const lines = [...noise.map((line) => line.replaceAll('\n', ' ')), text];
        const turned = [...lines.slice(position), ...lines.slice(0, position)].join('\n');
        expect(new CodeMap(turned).at(0x560eab9e0001)).toEqual(map.at(0x560eab9e0001));
      }),
    );
  });
});
