import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseXml, type Frame } from '../../../../../src/formats/cube4/anchor/anchorXml';
import { utf8 } from '../archive';

/** What the handler is told, one line per event. */
function events(text: string, attributes: readonly string[] = ['a', 'b']): string[] {
  const told: string[] = [];
  const shown = (frame: Frame): string =>
    [frame.tag, ...attributes.map((name) => frame.attribute(name) ?? '-')].join(' ');
  parseXml(utf8(text), 'x.cubex', 0, {
    open: (frame, above) => told.push(`<${shown(frame)} in ${above?.tag ?? 'nothing'}`),
    close: (frame) => told.push(`>${frame.tag} ${JSON.stringify(frame.text)}`),
  });
  return told;
}

describe('elements, attributes and text', () => {
  test('nested elements, empty ones, and both kinds of quotes', () => {
    expect(
      events(
        `<?xml version="1.0"?>\n<!-- <x> --><cube a="1" b='2 "3"'>\n <name>f</name><u a = ""/></cube >\n`,
      ),
    ).toEqual([
      '<cube 1 2 "3" in nothing',
      '<name - - in cube',
      '>name "f"',
      '<u  - in cube',
      '>u ""',
      '>cube ""',
    ]);
  });

  test('entities, line ends, blanks in attributes, CDATA', () => {
    expect(
      events('<cube a="x&#10;y\nz&quot;>"><n>&lt;a&amp;&#x41;\r\n&apos;<![CDATA[<&amp;]]></n></cube>', ['a']),
    ).toEqual(['<cube x\ny z"> in nothing', '<n - in cube', '>n "<a&A\\n\'<&amp;"', '>cube ""']);
  });

  test('control characters and names like those of objects are kept', () => {
    expect(
      events('<cube __proto__="1"><constructor>\u0001\u0000</constructor></cube>', ['__proto__']),
    ).toEqual(['<cube 1 in nothing', '<constructor - in cube', '>constructor "\\u0001\\u0000"', '>cube ""']);
  });

  test('a byte order mark', () => {
    expect(events('\ufeff<cube></cube>', [])).toHaveLength(2);
  });
});

test('what is longer than what is decoded at once is found whole, and errors have their place', () => {
  const long = 'é'.repeat(400_000);
  const text = `<cube a="${long}">${'<n>f</n>\n'.repeat(60_000)}<!--${long}--><n>${long}</n></cube>`;
  const told = events(text, []);
  expect(told).toHaveLength(2 * 60_002);
  expect(told.at(-2)).toBe(`>n "${long}"`);
  expect(() => events(text.replace('<!--', '<n>&x;</n><!--'), [])).toThrow(
    /at its line 60001, column \d+: “&x;” is/,
  );
});

test('a tag that never ends takes no time to speak of', () => {
  expect(() => events(`<cube>${'<n>f</n>'.repeat(10)}<x a="${'y'.repeat(20_000_000)}`)).toThrow(
    /a tag is not closed/,
  );
});

test('any text is parsed or refused with a place', () => {
  const piece = fc.constantFrom(
    '<',
    '>',
    '</',
    '/>',
    '<a',
    'cube',
    '="',
    "='",
    '"',
    ' ',
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '<?',
    '?>',
    '<!',
    '&',
    ';',
    '&#',
    'x',
    '\n',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
      try {
        events(`<cube>${pieces.join('')}</cube>`);
      } catch (error) {
        expect(String(error)).toMatch(/at its line \d+, column \d+: /);
      }
    }),
    { numRuns: 3000 },
  );
});
