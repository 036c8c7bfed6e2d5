import type { Base } from '../../functions/base';
import { shareOf, type Share } from '../../functions/share';
import type { Property } from '../../properties/property';
import { staticRule } from '../../rules/catalogue';
import { holds, withLets } from '../../rules/evaluateRule';
import { evaluate, type Quantities } from '../../rules/expression/evaluate';

/** A run without iterations is one burst: its sums are what a static rule is tried on. */
export interface RunSums {
  /** Id of the rule in the catalogue. */
  readonly rule: string;
  /** Seconds by metric. */
  readonly sums: Readonly<Record<string, number>>;
  /** 100 %: the `phaseTime` of the rule. */
  readonly base: Base;
  /** Thresholds by the names that rules use. */
  readonly settings: Readonly<Record<string, number>>;
}

/** What a finder adds to the verdict of the rule. */
type Description = Pick<Property, 'id' | 'title' | 'evidence'> & Partial<Property>;

export function isProblem(run: RunSums): boolean {
  const rule = staticRule.get(run.rule);
  return rule !== undefined && holds(rule, quantitiesOf(run));
}

/** The property of a run for which the rule holds, as a list of one; otherwise an empty list. */
export function problem(run: RunSums, describe: (severity: Share) => Description): readonly Property[] {
  const rule = staticRule.get(run.rule);
  const quantities = quantitiesOf(run);
  if (rule === undefined || !holds(rule, quantities)) return [];
  const severity = shareOf(evaluate(rule.severity, withLets(rule, quantities)), { seconds: 1 });
  const { id, title, ...others } = describe(severity);
  return [{ id, kind: rule.definition.kind, title, severity, confidence: 1, ...others, base: run.base }];
}

function quantitiesOf({ sums, base, settings }: RunSums): Quantities {
  return {
    name: (name) => (name === 'phaseTime' ? base.seconds : (settings[name] ?? 0)),
    figure: (_, metric) => sums[metric] ?? 0,
  };
}
