import { expect, test } from 'vitest';
import {
  formatBytes,
  formatChange,
  formatCount,
  formatPercent,
  formatSeconds,
  formatSecondsUpTo,
  formatValue,
} from '../../../src/core/format';

test.each([
  [0, '0 s'],
  [1.234, '1.23 s'],
  [59.96, '60 s'],
  [119.4, '119 s'],
  [125, '2 min 5 s'],
  [3599.7, '1 h 0 min'],
  [10_920, '3 h 2 min'],
  [0.0456, '45.6 ms'],
  [0.99996, '1 s'],
  [0.0009999, '1 ms'],
  [0.00000789, '7.89 µs'],
  [3.1e-8, '31 ns'],
  [-0.002, '−2 ms'],
  [1e-20, '<0.000001 ns'],
  [Number.NaN, '–'],
])('%d seconds: %s', (seconds, text) => {
  expect(formatSeconds(seconds)).toBe(text);
});

test.each([
  [0, '0 B'],
  [512, '512 B'],
  [1536, '1.5 KiB'],
  [1023.9, '1 KiB'],
  [3.25 * 2 ** 30, '3.25 GiB'],
])('%d bytes: %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

test.each([
  [0, '0'],
  [99_999, '99999'],
  [100_000, '100 k'],
  [999_999, '1 M'],
  [10_635_868, '10.6 M'],
  [2.5, '2.5'],
  [-200_000, '−200 k'],
  [1e-7, '<0.000001'],
])('%d times: %s', (count, text) => {
  expect(formatCount(count)).toBe(text);
});

test.each([
  [0, '0 %'],
  [0.1234, '12.3 %'],
  [1, '100 %'],
  [0.99999, '100 %'],
  [0.0004, '<0.1 %'],
  [-0.0004, '>−0.1 %'],
  [-0.05, '−5.0 %'],
])('share %d: %s', (share, text) => {
  expect(formatPercent(share)).toBe(text);
});

test.each([
  [0.18, '+18.0 %'],
  [-0.03, '−3.0 %'],
  [0.0008, '±0 %'],
  [-0.0008, '±0 %'],
])('change %d: %s', (change, text) => {
  expect(formatChange(change)).toBe(text);
});

test('values by the unit that the file gives', () => {
  expect(formatValue(0.5, 'sec')).toBe('500 ms');
  expect(formatValue(2048, 'bytes')).toBe('2 KiB');
  expect(formatValue(7, 'occ')).toBe('7');
  expect(formatValue(7e6, 'W')).toBe('7 M W');
});

test.each([
  [2862, 2862, '2862.0 s'],
  [14.26, 2862, '14.3 s'],
  [0.03, 2862, '<0.1 s'],
  [-0.03, 2862, '>−0.1 s'],
  [0, 2862, '0 s'],
  [130.456, 130.456, '130.46 s'],
  [130.4, 36_000, '130 s'],
  [0.0143, 2, '0.014 s'],
  [4.5603, 4.5603, '4.56 s'],
  [0.0004, 4.56, '<0.001 s'],
  [-0.0004, 4.56, '>−0.001 s'],
  [0, 0.0456, '0 ms'],
  [0.0456, 0.0456, '45.6 ms'],
  [0.000002, 0.0456, '0.002 ms'],
  [0.5, 0.5, '500 ms'],
  [0.000123, 0.5, '0.12 ms'],
  [1.5, 0.012, '1500 ms'],
  [2e-6, 3e-6, '2 µs'],
  [0.0143, 0, '14.3 ms'],
  [0.0143, NaN, '14.3 ms'],
  [NaN, 2862, '–'],
])('%d s in a column up to %d s: %s', (seconds, largest, text) => {
  expect(formatSecondsUpTo(seconds, largest)).toBe(text);
});
