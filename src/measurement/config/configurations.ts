import { KymoError } from '../../core/errors';
import type { Target } from './config';
import { suggestion } from '../../core/nearest';

/** One point of measurement: a value for each parameter, and with an MPI launcher the number of ranks. */
export interface Configuration {
  readonly parameters: Readonly<Record<string, string>>;
  readonly ranks: number;
}

/** Every combination of the target's parameter values and rank counts; the last parameter changes fastest. */
export function configurations(target: Target): readonly Configuration[] {
  const { launcher } = target.run;
  let points: readonly Readonly<Record<string, string>>[] = [{}];
  for (const [name, values] of Object.entries(target.parameters))
    points = points.flatMap((point) => values.map((value) => ({ ...point, [name]: plainText(value) })));
  const rankCounts = launcher.kind === 'local' ? [1] : launcher.ranks;
  return rankCounts.flatMap((ranks) => points.map((parameters) => ({ parameters, ranks })));
}

/**
 * The point that a refinement or a single experiment measures: the requested value of each parameter, by default its first one, and the first
 * rank count.
 * @throws KymoError `usage` when the target has no such parameter
 */
export function onePoint(target: Target, values: Readonly<Record<string, string>> = {}): Configuration {
  const names = Object.keys(target.parameters);
  const unknown = Object.keys(values).find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new KymoError(
      'usage',
      `Target ${target.name} has no parameter ${JSON.stringify(unknown)}${suggestion(unknown, names) || '.'} It has: ${names.join(', ') || 'none'}.`,
    );
  const { launcher } = target.run;
  return {
    parameters: Object.fromEntries(
      Object.entries(target.parameters).map(([name, [first]]) => [
        name,
        values[name] ?? plainText(first ?? ''),
      ]),
    ),
    ranks: launcher.kind === 'local' ? 1 : (launcher.ranks[0] ?? 1),
  };
}

/** A number without exponent: most programs and Extra-P do not understand `1e+21`. */
export function plainText(value: string | number): string {
  if (typeof value === 'string') return value;
  const text = String(value);
  if (!text.includes('e')) return text;
  if (Number.isInteger(value)) return BigInt(value).toString();
  const [digits = '', exponent = '0'] = text.split('e');
  const decimals = (digits.split('.')[1]?.length ?? 0) - Number(exponent);
  return decimals > 100 ? text : value.toFixed(decimals);
}
