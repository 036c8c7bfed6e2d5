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
  let points: readonly Readonly<Record<string, string>>[] = [{}];
  for (const [name, values] of Object.entries(target.parameters))
    points = points.flatMap((point) => values.map((value) => ({ ...point, [name]: plainText(value) })));
  return rankCounts(target).flatMap((ranks) => points.map((parameters) => ({ parameters, ranks })));
}

/** The numbers of ranks of the target's launcher, each once and in its order; one without a launcher. */
export function rankCounts({ run: { launcher } }: Target): readonly number[] {
  return launcher.kind === 'local' ? [1] : [...new Set(launcher.ranks)];
}

/**
 * The target with other numbers of ranks; undefined: with its own.
 * @throws KymoError `usage` when nothing starts several processes
 */
export function withRanks(target: Target, ranks: readonly number[] | undefined): Target {
  if (ranks === undefined) return target;
  const { launcher } = target.run;
  if (launcher.kind === 'local')
    throw new KymoError(
      'usage',
      `Target ${target.name} is started directly, so that it has no number of ranks. Set "launcher" in "run" of kymo.json, such as {"kind": "mpirun", "ranks": ${String(ranks[0] ?? 2)}}.`,
    );
  return { ...target, run: { ...target.run, launcher: { ...launcher, ranks } } };
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
  return {
    parameters: Object.fromEntries(
      Object.entries(target.parameters).map(([name, [first]]) => [
        name,
        values[name] ?? plainText(first ?? ''),
      ]),
    ),
    ranks: rankCounts(target)[0] ?? 1,
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
