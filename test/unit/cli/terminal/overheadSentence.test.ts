import { expect, test } from 'vitest';
import { countedOverhead, measuredOverhead } from '../../../../src/cli/terminal/overheadSentence';

test('each overhead of a round says what it is', () => {
  const rounds = [{ index: 2, overheadPercent: 11 }] as unknown as Parameters<typeof measuredOverhead>[0];
  expect(measuredOverhead(rounds, 2)).toBe(': 11.0 % (runs with recording compared with runs without)');
  expect(measuredOverhead(rounds, 1)).toBe('');
  const found = [{ id: 'excessive-overhead:run', severity: 0.056 }] as unknown as Parameters<
    typeof countedOverhead
  >[0];
  expect(countedOverhead(found)).toContain('its own visits cost 5.6 % (their number × the calibrated cost');
  expect(countedOverhead([])).toBe('');
});
