import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { terminalLine } from '../../../../../src/editor/words/settings/taskText';

describe('a line in the terminal of a task', () => {
  it('keeps text and tabs, and drops colours and everything that moves the cursor', () => {
    expect(terminalLine('\x1b[31merror\x1b[0m:\tgröße \x1b]0;title\x07\x9b2J\x1b[2J')).toBe(
      'error:\tgröße ]0;title2J\r\n',
    );
    expect(terminalLine('one\ntwo')).toBe('one\r\ntwo\r\n');
  });

  it('no input leaves a control character in it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const held = Array.from(terminalLine(text)).filter(
          (one) => one < ' ' || (one >= '\x7f' && one < '\xa0'),
        );
        expect(held.every((one) => '\t\r\n'.includes(one))).toBe(true);
      }),
    );
  });
});
