import { KymoError } from '../../../core/errors';
import {
  childRelevances,
  defaultImbalanceOptions,
  defaultImbalanceThreshold,
  imbalanceContexts,
  imbalanceMetrics,
  type ImbalanceOptions,
} from '../../../core/selection/imbalanceOptions';

const words = {
  metric: imbalanceMetrics,
  childRelevance: childRelevances,
  context: imbalanceContexts,
} as const;

const numbers = [
  'imbalanceThreshold',
  'relevanceThreshold',
  'childConstantThreshold',
  'childFraction',
  'contextSteps',
] as const satisfies readonly (keyof ImbalanceOptions)[];

/** Names and defaults for the help text. */
export const imbalanceSettingNames = [...Object.keys(words), ...numbers]
  .map(
    (name) => `${name}=${String(Object.entries(defaultImbalanceOptions).find(([key]) => key === name)?.[1])}`,
  )
  .join(', ');

/**
 * The parameters of the strategy `imbalance` with those that a user gives. A metric without a threshold has its own default.
 * @throws KymoError `usage` with the names or the accepted values
 */
export function imbalanceSettings(
  given: Readonly<Record<string, string>>,
  base: ImbalanceOptions = defaultImbalanceOptions,
): ImbalanceOptions {
  const changes: Record<string, string | number> = {};
  for (const [name, text] of Object.entries(given)) changes[name] = valueOf(name, text);
  const { metric } = given;
  const own = imbalanceMetrics.find((known) => known === metric);
  return {
    ...base,
    ...(own === undefined || own === base.metric
      ? {}
      : { imbalanceThreshold: defaultImbalanceThreshold(own) }),
    ...changes,
  };
}

function valueOf(name: string, text: string): string | number {
  if (isWord(name)) {
    const choices: readonly string[] = words[name];
    if (choices.includes(text)) return text;
    throw new KymoError('usage', `--imbalance ${name} is one of ${choices.join(', ')}, not “${text}”.`);
  }
  if (!numbers.some((known) => known === name))
    throw new KymoError('usage', `--imbalance knows no “${name}”. There are: ${imbalanceSettingNames}.`);
  const value = Number(text);
  const isWhole = name !== 'contextSteps' || Number.isSafeInteger(value);
  if (text.trim() !== '' && Number.isFinite(value) && value > 0 && isWhole) return value;
  const kind = name === 'contextSteps' ? 'a whole number' : 'a number';
  throw new KymoError('usage', `--imbalance ${name} is ${kind} above 0, not “${text}”.`);
}

function isWord(name: string): name is keyof typeof words {
  return Object.hasOwn(words, name);
}
