import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePins, pinsText, type Pin, type PinFile } from '../../../../src/workflows/pins/pinFile';

const pin: fc.Arbitrary<Pin> = fc
  .record(
    {
      key: fc.string({ minLength: 1 }),
      name: fc.string(),
      file: fc.string(),
      state: fc.constantFrom('in' as const, 'out' as const),
    },
    { requiredKeys: ['key', 'name', 'state'] },
  )
  .map((one) => one as Pin);
const pinFile: fc.Arbitrary<PinFile> = fc.record({
  pins: fc.uniqueArray(pin, { selector: ({ key }) => key }),
  history: fc.array(
    fc.record({
      title: fc.string(),
      before: fc.array(
        pin.map((one) => ({ key: one.key, pin: one })),
        { minLength: 1 },
      ),
    }),
    { maxLength: 50 },
  ),
});

describe('the pin file', () => {
  it('reads what it wrote', () => {
    fc.assert(
      fc.property(pinFile, (file) => {
        expect(parsePins(pinsText(file))).toEqual({ file, problems: [] });
      }),
    );
  });

  it('leaves out entries that make no sense, keeps the others, and says which', () => {
    const text = JSON.stringify({
      kymoPins: 1,
      pins: [
        { key: 'a', name: 'a', state: 'in' },
        { key: 'b', name: 'b', state: 'maybe' },
        7,
        { key: '', name: 'c', state: 'out' },
        { key: 'd', name: 'd', state: 'out' },
      ],
      history: [{ title: 'x', before: 'nonsense' }, 3],
    });
    const { file, problems } = parsePins(text);
    expect(file.pins.map(({ key }) => key)).toEqual(['a', 'd']);
    expect(file.history).toEqual([]);
    expect(problems).toHaveLength(3);
    expect(problems[0]).toContain('entry 2');
  });

  it('refuses what is no pin file', () => {
    for (const text of ['', '{', '[]', 'null', '{"kymoPins":2,"pins":[]}', '{"kymoPins":1}'])
      expect(() => parsePins(text)).toThrow(SyntaxError);
  });

  it('keeps the last fifty changes', () => {
    const history = Array.from({ length: 80 }, (_, n) => ({ title: String(n), before: [{ key: 'a' }] }));
    const { file } = parsePins(pinsText({ pins: [], history }));
    expect(file.history).toHaveLength(50);
    expect(file.history.at(-1)?.title).toBe('79');
  });
});
