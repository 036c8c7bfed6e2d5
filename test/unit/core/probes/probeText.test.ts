import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { probeGuard, probeHelper, type ProbeArchitecture } from '../../../../src/core/probes/probeText';

const hash = '0123456789abcdef';
const runtime = path.resolve(import.meta.dirname, '../../../../runtime');

/** Bytes of the room that the text leaves for a patched call. */
function room(architecture: ProbeArchitecture): number {
  const text = probeGuard('c++', hash, 3, { architecture, asmInline: true });
  const [bytes] = /0x0f(,0x[0-9a-f]{2})+/.exec(text) ?? [];
  if (bytes !== undefined) return bytes.split(',').length;
  const [, count] = /\.rept (\d+)\\n\\tnop\\n\\t\.endr/.exec(text) ?? [];
  return Number(count) * 4;
}

describe.each(['x86-64', 'aarch64'] as const)('the text of probes for %s', (architecture) => {
  it('leaves exactly the room that the runtime fills', () => {
    const header = readFileSync(path.join(runtime, architecture, 'arch.h'), 'utf8');
    expect(room(architecture)).toBe(Number(/KYMO_SLED_BYTES = (\d+)/.exec(header)?.[1]));
  });

  it('has one record per sled, with function, kind and unit', () => {
    const style = { architecture, asmInline: false };
    const c = probeHelper('c', hash, 3, style);
    const cxx = probeGuard('c++', hash, 3, style);
    for (const text of [c, cxx]) {
      expect(text.match(/\.long \d+/g)).toEqual(['.long 6', '.long 7']);
      expect(text.match(/\.quad 0x0123456789abcdef/g)).toHaveLength(2);
      expect(text).not.toContain('__inline__ (');
    }
  });
});
