import type { AdviceCondition, AdviceRule, OptionValues, SourceFacts } from './option';

/** The rules that hold. A rule about unknown facts does not hold. */
export function adviceFor(
  rules: readonly AdviceRule[],
  values: OptionValues,
  facts?: SourceFacts,
): readonly AdviceRule[] {
  return rules.filter(({ when }) => when.every((condition) => holds(condition, values, facts)));
}

function holds(condition: AdviceCondition, values: OptionValues, facts: SourceFacts | undefined): boolean {
  if ('fact' in condition) return facts?.[condition.fact] === condition.is;
  const value = values[condition.option] ?? '';
  return 'is' in condition ? condition.is.includes(value) : !condition.isNot.includes(value);
}
