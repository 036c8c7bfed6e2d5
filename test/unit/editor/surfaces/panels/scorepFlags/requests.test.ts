import { describe, expect, it } from 'vitest';
import {
  checkedValues,
  shownBefore,
  useGuard,
} from '../../../../../../src/editor/surfaces/panels/scorepFlags/requests';
import { scorepCatalogue } from '../../../../../../src/measurement/backends/scorep/installation/catalogue';

const { options } = scorepCatalogue;

describe('what a webview asks for', () => {
  it('has the shape of the protocol', () => {
    const fine = { target: 'a', values: [['user', '--user']], setBackend: true };
    expect(useGuard({ ...fine, more: 1 })).toEqual(fine);
    for (const wrong of [
      undefined,
      { ...fine, target: 3 },
      { ...fine, values: {} },
      { ...fine, values: [['user']] },
      { ...fine, values: [['user', 3]] },
      { ...fine, values: [['user', 'x'.repeat(2000)]] },
      { ...fine, values: Array.from({ length: 300 }, () => ['user', '--user']) },
      { ...fine, setBackend: 'yes' },
    ])
      expect(useGuard(wrong)).toBeUndefined();
  });

  it('is no more than what the catalogue offers, or kymo.json says already', () => {
    expect(
      checkedValues(
        options,
        [
          ['user', '--user'],
          ['memory', ''],
        ],
        {},
      ),
    ).toEqual({ user: '--user' });
    expect(() => checkedValues(options, [['user', '--rm']], {})).toThrow(/none of its values/);
    expect(checkedValues(options, [['SCOREP_TIMER', 'rtc']], { SCOREP_TIMER: 'rtc' })).toEqual({
      SCOREP_TIMER: 'rtc',
    });
    expect(() => checkedValues(options, [['PATH', '/tmp']], {})).toThrow(/no option/);
    expect(() => checkedValues(options, [['SCOREP_TOTAL_MEMORY', '1T']], {})).toThrow(/Memory per process/);
  });

  it('is remembered by folder and target, as far as there are any', () => {
    expect(shownBefore({ folder: 'file:///a', target: 'b', values: { user: '--user' } })).toEqual({
      folder: 'file:///a',
      target: 'b',
    });
    expect(shownBefore({ folder: '' })).toEqual({ folder: '' });
    expect(shownBefore('x')).toBeUndefined();
    expect(shownBefore({ folder: 3 })).toBeUndefined();
  });
});
