import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fragmentOf, parseKeptText } from '../../../../src/measurement/build/keptText';
import { parserFor } from '../../core/source/parsers';

const parser = await parserFor('c');

/** As the inserter writes it; `functions` are names with what was decided, in the order of the text. */
function kept(text: string, functions: readonly unknown[], encoding: 'utf8' | 'latin1' = 'utf8'): Buffer {
  const heading = { kymoText: 1, hash: '0123456789abcdef', source: '/w/u.c', directory: '/w', functions };
  return Buffer.concat([Buffer.from(`${JSON.stringify(heading)}\n`), Buffer.from(text, encoding)]);
}

/** The entry of a function by its name, offsets in bytes. */
function entry(
  text: string,
  name: string,
  number: number,
  probe: boolean,
  encoding: 'utf8' | 'latin1' = 'utf8',
) {
  const bytes = (end: number): number => Buffer.byteLength(text.slice(0, end), encoding);
  const at = text.indexOf(`${name}(`);
  const body = text.indexOf('{', at) + 1;
  const end = text.indexOf('}', body) + 1;
  return [number, bytes(at), bytes(at + name.length), bytes(body), bytes(end), 5, probe ? 1 : 0];
}

describe('the fragment of a kept text', () => {
  it.each(['utf8', 'latin1'] as const)('has its functions where the sleds say: %s', (encoding) => {
    const text =
      '# 3 "u.c"\nconst char *s = "ü";\nint first(void) { return 1; } int second(void) { return first(); }\n';
    const functions = [entry(text, 'second', 0, true, encoding), entry(text, 'first', 2, false, encoding)];
    const read = parseKeptText(kept(text, functions, encoding));
    const unit = read === undefined ? undefined : fragmentOf(read, parser);
    expect(unit?.functions.map(({ name, probe, line }) => [name, probe, line])).toEqual([
      ['second', true, 4],
      ['', false, 1],
      ['first', false, 4],
    ]);
    expect(unit?.functions[0]?.calls.map(({ name }) => name)).toEqual(['first']);
  });
  it('keeps a function that the parser does not find, with what is known of it', () => {
    const text = '# 7 "u.c"\nint known(void) { return 1; }\nint odd(int n) <% %> {\n n++;\n}\n';
    const read = parseKeptText(kept(text, [entry(text, 'odd', 0, true)]));
    const unit = read === undefined ? undefined : fragmentOf(read, parser);
    expect(unit?.functions[0]).toMatchObject({ name: 'odd', line: 8, column: 5, probe: true });
    expect(unit?.functions.map(({ name }) => name)).toContain('known');
  });
  it('never throws on damaged bytes, and its size has a limit', () => {
    const text = '# 1 "u.c"\nint f(int n) { while (n) n--; return n; }\n';
    const whole = kept(text, [entry(text, 'f', 0, true)]);
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 6 }),
        fc.nat(whole.length),
        (changes, length) => {
          const damaged = Buffer.from(whole);
          for (const [at, byte] of changes) damaged[at] = byte;
          const read = parseKeptText(damaged.subarray(0, length));
          if (read !== undefined) expect(fragmentOf(read, parser).functions.length).toBeLessThan(100);
        },
      ),
    );
    expect(parseKeptText(kept(text, [[999_999, 14, 15, 24, 51, 1, 1]]))).toBeUndefined();
    expect(parseKeptText(kept(text, [[0, 15, 14, 24, 51, 1, 1]]))).toBeUndefined();
    expect(parseKeptText(kept(text, [[0, 14, 15, 24, 5100, 1, 1]]))).toBeUndefined();
  });
});
