/**
 * Numbers with units, as people read them. The command line, lenses and views use these and nothing else. The same in every
 * locale: a point for decimals, no grouping, one plain blank before the unit.
 */

const timeSteps: readonly (readonly [factor: number, unit: string])[] = [
  [1, 's'],
  [1e-3, 'ms'],
  [1e-6, 'µs'],
  [1e-9, 'ns'],
];

/** Three significant digits with a fitting unit: `1.23 s`, `45.6 ms`, `7.89 µs`; `2 min 5 s` and `3 h 2 min` when long. */
export function formatSeconds(seconds: number): string {
  if (!Number.isFinite(seconds)) return '–';
  if (seconds < 0) return `−${formatSeconds(-seconds)}`;
  if (seconds === 0) return '0 s';
  if (seconds >= 3599.5) return hours(seconds);
  if (seconds >= 119.5) return minutes(seconds);
  const [factor, unit] = timeSteps.find(([step]) => seconds >= step * 0.9995) ?? [1e-9, 'ns'];
  return `${digits(seconds / factor)} ${unit}`;
}

/**
 * Seconds in a column whose largest value is `largest`: all have the unit that fits that one. `0.012 s` and `<0.001 s` below `4.56 s`; where it
 * is minutes or hours, all values are seconds with as many decimals: `2862.0 s` above `14.3 s` and `<0.1 s`. Without a largest value, each has
 * its own unit.
 */
export function formatSecondsUpTo(seconds: number, largest: number): string {
  const most = Math.abs(largest);
  if (!Number.isFinite(seconds) || !(most > 0) || most === Infinity) return formatSeconds(seconds);
  const [factor, unit] = timeSteps.find(([step]) => most >= step * 0.9995) ?? [1e-9, 'ns'];
  const decimals = decimalsUpTo(most / factor);
  const value = seconds / factor;
  const least = 10 ** -decimals;
  if (seconds === 0) return `0 ${unit}`;
  if (Math.abs(value) < least / 2) return `${value < 0 ? '>−' : '<'}${least} ${unit}`;
  const text = value.toFixed(decimals);
  return `${minusSign(most >= 119.5 ? text : String(Number(text)))} ${unit}`;
}

/** Decimals with which a column shows about a ten-thousandth of its largest value. */
function decimalsUpTo(largest: number): number {
  if (largest >= 10_000) return 0;
  if (largest >= 1000) return 1;
  return largest >= 100 ? 2 : 3;
}

function hours(seconds: number): string {
  const all = Math.round(seconds / 60);
  return `${Math.floor(all / 60)} h ${all % 60} min`;
}

function minutes(seconds: number): string {
  const all = Math.round(seconds);
  return `${Math.floor(all / 60)} min ${all % 60} s`;
}

/** Binary multiples: `512 B`, `1.5 KiB`, `3.25 GiB`. */
export function formatBytes(bytes: number): string {
  return scaled(bytes, 1024, ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'], ' ');
}

/** Whole counts up to 99999 in full, larger ones with a decimal multiple: `10635868` → `10.6 M`. */
export function formatCount(count: number): string {
  if (Number.isInteger(count) && Math.abs(count) < 100_000) return minusSign(String(count));
  return scaled(count, 1000, ['', ' k', ' M', ' G', ' T', ' P', ' E'], '');
}

/** A number of things with their noun: `1 function`, `2 functions`, `120 k functions`. */
export function counted(count: number, one: string, several = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : several}`;
}

/** A share (0…1): `12.3 %`, `100 %`, `<0.1 %` for what would look like nothing. */
export function formatPercent(share: number): string {
  if (!Number.isFinite(share)) return '–';
  const percent = share * 100;
  if (percent === 0) return '0 %';
  if (Math.abs(percent) < 0.1) return percent < 0 ? '>−0.1 %' : '<0.1 %';
  return `${minusSign(percent.toFixed(Math.abs(percent) >= 99.95 ? 0 : 1))} %`;
}

/** A hyphen at a number looks like a dash in `-8.3 % to 2.1 %`. */
function minusSign(text: string): string {
  return text.replace('-', '−');
}

/** A change as a share (0…1): `+18.0 %`, `−3.0 %`, `±0 %` for what would be shown as less than a tenth of a percent. */
export function formatChange(change: number): string {
  if (Math.abs(change) < 0.001) return '±0 %';
  return `${change > 0 ? '+' : ''}${formatPercent(change)}`;
}

/** A share with its standard deviation, where that is known: `12.3 % ± 0.4 %`. */
export function shareWithDeviation(share: number, deviation: number | undefined): string {
  return deviation === undefined
    ? formatPercent(share)
    : `${formatPercent(share)} ± ${formatPercent(deviation)}`;
}

/** A share (0…1) where only its size matters, beside source lines and in trees: `31 %`, `4.2 %`, `<0.1 %`. */
export function formatRoundPercent(share: number): string {
  return Number.isFinite(share) && Math.abs(share) >= 0.0995
    ? `${minusSign((share * 100).toFixed(0))} %`
    : formatPercent(share);
}

/** A value with the unit that Cube files give: `sec`, `bytes`, `occ`, anything else as it is. */
export function formatValue(value: number, unit: string): string {
  if (unit === 'sec') return formatSeconds(value);
  if (unit === 'bytes') return formatBytes(value);
  return unit === 'occ' || unit === '' ? formatCount(value) : `${formatCount(value)} ${unit}`;
}

/** As `formatValue`, in a column whose largest value is `largest`: times have one unit. */
export function formatValueUpTo(value: number, unit: string, largest: number): string {
  return unit === 'sec' ? formatSecondsUpTo(value, largest) : formatValue(value, unit);
}

function scaled(value: number, base: number, units: readonly string[], gap: string): string {
  if (!Number.isFinite(value)) return '–';
  if (value < 0) return `−${scaled(-value, base, units, gap)}`;
  let step = 0;
  let rest = value;
  // 999.5 would be shown as 1000: that is the next unit.
  while (rest >= base * 0.9995 && step < units.length - 1) {
    rest /= base;
    step++;
  }
  return `${digits(rest)}${gap}${units[step] ?? ''}`;
}

/** Three significant digits without trailing zeros, never as a power of ten: what is less than a millionth is what roundings leave. */
function digits(value: number): string {
  if (value > 0 && value < 1e-6) return '<0.000001';
  if (value >= 99.95) return value.toFixed(0);
  return String(Number(value.toPrecision(3)));
}
