import { KymoError } from '../../../core/errors';
import {
  aggregations,
  constantRules,
  defaultModelOptions,
  defaultModelThreshold,
  extrapolations,
  keepRules,
  type Extrapolation,
  type ModelOptions,
} from '../../../core/selection/modelOptions';

const words = { keep: keepRules, constants: constantRules, aggregate: aggregations } as const;
const numbers = ['threshold', 'statements'] as const satisfies readonly (keyof ModelOptions)[];
const extrapolated = 'extrapolate.';

/** Names and defaults for the help text. */
export const modelSettingNames = `keep=share, threshold=0.02 (of seconds 2.1), growth=O(1), constants=keep, aggregate=sum, statements=10, ${extrapolated}NAME=linear (of ranks and threads geometric)`;

/**
 * The parameters of the strategy `model` with those that a user gives. A rule of keeping without a threshold has its own default.
 * @throws KymoError `usage` with the names or the accepted values
 */
export function modelSettings(
  given: Readonly<Record<string, string>>,
  base: ModelOptions = defaultModelOptions,
): ModelOptions {
  const changes: Record<string, string | number> = {};
  const extrapolate: Record<string, Extrapolation> = { ...base.extrapolate };
  for (const [name, text] of Object.entries(given)) {
    if (name.startsWith(extrapolated))
      extrapolate[name.slice(extrapolated.length)] = extrapolation(name, text);
    else changes[name] = valueOf(name, text);
  }
  const keep = keepRules.find((known) => known === given.keep) ?? base.keep;
  return {
    ...base,
    ...(keep === base.keep ? {} : { threshold: defaultModelThreshold(keep) }),
    ...changes,
    extrapolate,
  };
}

function extrapolation(name: string, text: string): Extrapolation {
  return (
    extrapolations.find((known) => known === text) ??
    positive(name, text, `one of ${extrapolations.join(', ')}, or `)
  );
}

function valueOf(name: string, text: string): string | number {
  if (name === 'growth') return text;
  if (isWord(name)) {
    const choices: readonly string[] = words[name];
    if (choices.includes(text)) return text;
    throw new KymoError('usage', `--model ${name} is one of ${choices.join(', ')}, not “${text}”.`);
  }
  if (!numbers.some((known) => known === name))
    throw new KymoError('usage', `--model knows no “${name}”. There are: ${modelSettingNames}.`);
  return positive(name, text);
}

function positive(name: string, text: string, otherwise = ''): number {
  const value = Number(text);
  const isWhole = name !== 'statements' || Number.isSafeInteger(value);
  if (text.trim() !== '' && Number.isFinite(value) && value > 0 && isWhole) return value;
  const kind = name === 'statements' ? 'a whole number' : 'a number';
  throw new KymoError('usage', `--model ${name} is ${otherwise}${kind} above 0, not “${text}”.`);
}

function isWord(name: string): name is keyof typeof words {
  return Object.hasOwn(words, name);
}
