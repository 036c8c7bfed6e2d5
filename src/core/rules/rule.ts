import { present } from '../present';
import type { SeriesRegion } from '../series/series';
import { KymoError } from '../errors';
import type { PropertyKind } from '../properties/kinds';
import { partsOf } from './expression/evaluate';
import { ExpressionError, parseExpression, type Expression } from './expression/syntax';

/**
 * A rule as it is written, in the catalogue or in a user's file (specification of performance dynamics, §10 and §20): what must hold, how sure
 * and how bad it is then, and what is looked at next. All texts but ids and titles are expressions (README).
 */
export type RuleDefinition = StaticRuleDefinition | DynamicRuleDefinition;

interface CommonDefinition {
  readonly id: string;
  /** Name of the finding, as the beginning of a sentence. */
  readonly title: string;
  readonly kind: PropertyKind;
  /** Names for parts of the expressions, in order; each may use those before it. */
  readonly let?: Readonly<Record<string, string>>;
  readonly condition: string;
  /** 0…1; 1 where it is not given. */
  readonly confidence?: string;
  /** Share of the phase time; without it the property has none. */
  readonly severity?: string;
  /** Dynamic rules that are tried where this one holds. */
  readonly next?: readonly string[];
}

/** Looks at sums over the whole run, and says with `severity` how much of an iteration's time the problem takes. */
export interface StaticRuleDefinition extends CommonDefinition {
  readonly level: 'static';
  readonly severity: string;
  /** The quantity in excess, where `title` names the problem: `Communication time` of `Excessive communication time`. */
  readonly quantity?: string;
  /** Regions that it is about; all but the phase where it is not given. */
  readonly regions?: readonly SeriesRegion['kind'][];
  /** Names of such regions, with `*` for any characters. */
  readonly names?: string;
  /** Time lost in an iteration; `severity * phaseTime` where it is not given. */
  readonly impact?: string;
  /** Metric of the place whose sum is its `phaseTime`, of which shares are, where it is measured. */
  readonly base?: string;
  /**
   * `ranks`: a matter of all ranks together. `slowest` and `average` are then the metrics that a rule sees: time of the slowest rank, and mean over the
   * ranks, of each iteration.
   */
  readonly across?: 'ranks';
  /** How bursts are put together: times are added and the rule is tried again (`sum`), or it is enough that it held in one of them (`any`). */
  readonly group?: 'sum' | 'any';
}

/** Looks at the impact of a static property over time. */
export interface DynamicRuleDefinition extends CommonDefinition {
  readonly level: 'dynamic';
  /** Tried on each of these instead of once; what it finds extends over that pattern only. */
  readonly each?: PatternSet;
  /** A gate for what is in `next`: not reported itself. */
  readonly gate?: boolean;
}

export function quantityOf({ title, quantity }: StaticRuleDefinition): string {
  return quantity ?? title;
}

export type PatternSet = 'peaks' | 'trends' | 'patterns' | 'improvements';

export const patternSets: readonly PatternSet[] = ['peaks', 'trends', 'patterns', 'improvements'];

interface Compiled {
  readonly let: readonly (readonly [name: string, expression: Expression])[];
  readonly condition: Expression;
  readonly confidence: Expression;
  readonly severity?: Expression;
}

export interface StaticRule extends Compiled {
  readonly definition: StaticRuleDefinition;
  readonly severity: Expression;
  readonly impact?: Expression;
  /** Metrics that the expressions name, and so a region must have. */
  readonly metrics: readonly string[];
}

export interface DynamicRule extends Compiled {
  readonly definition: DynamicRuleDefinition;
}

export type Rule = StaticRule | DynamicRule;

export function isStatic(rule: Rule): rule is StaticRule {
  return rule.definition.level === 'static';
}

export type RuleFault = 'bad-rule';

/** A rule that cannot be used: which, in which of its fields, and at which character of the field's text (from 0). */
export class RuleError extends KymoError<RuleFault> {
  constructor(
    readonly rule: string,
    readonly field: string,
    readonly at: number,
    message: string,
  ) {
    super(
      'bad-rule',
      `Rule '${rule}', ${field}: ${message} (character ${at + 1}). Correct the rule or leave it out.`,
    );
  }
}

const settingNames = [
  ...['reportThreshold', 'overheadThreshold', 'thresholdEnergy', 'thresholdTime'],
  ...['shortGate', 'wideGate'],
] as const;
const staticNames = [...settingNames, 'phaseTime', 'iterations', 'rank', 'thread'];
const dynamicNames = [
  ...staticNames,
  ...['impact', 'totalEnergy', 'dynamicEnergy', 'shortEnergy', 'wideEnergy', 'noise'],
];
const patternNames = [
  ...['patternSum', 'patternExcess', 'patternAftermath', 'patternLength', 'patternFirst', 'patternLast'],
  ...['levelBefore', 'levelAfter', 'fit', 'stability'],
];
const staticFigures = ['sum', 'mean', 'stddev', 'largest'];
const dynamicFigures = ['sum', 'count', 'excess', 'aftermath'];

/** @throws RuleError */
export function compileRule(definition: RuleDefinition): Rule {
  return definition.level === 'static' ? compileStatic(definition) : compileDynamic(definition);
}

function compileStatic(definition: StaticRuleDefinition): StaticRule {
  const metrics = new Set<string>();
  const parts = compileParts(definition, staticNames, (figure, of) => {
    if (!staticFigures.includes(figure))
      return `${figure}(…) is about patterns, which only rules of the level dynamic know`;
    metrics.add(of);
    return undefined;
  });
  const { impact, severity } = definition;
  const fields = parts.field;
  return {
    definition,
    ...parts.compiled,
    severity: fields('severity', severity),
    ...present({ impact: impact === undefined ? undefined : fields('impact', impact) }),
    metrics: [...metrics],
  };
}

function compileDynamic(definition: DynamicRuleDefinition): DynamicRule {
  const names = definition.each === undefined ? dynamicNames : [...dynamicNames, ...patternNames];
  const parts = compileParts(definition, names, (figure, of) => {
    if (!dynamicFigures.includes(figure)) return `there is no ${figure}(…) of patterns`;
    return patternSets.some((one) => one === of)
      ? undefined
      : `there are no patterns '${of}'; there are ${patternSets.join(', ')}`;
  });
  const { severity } = definition;
  return {
    definition,
    ...parts.compiled,
    ...present({ severity: severity === undefined ? undefined : parts.field('severity', severity) }),
  };
}

/** The fields that both levels have; `field` compiles another one with the same names. */
function compileParts(
  definition: RuleDefinition,
  names: readonly string[],
  faultOfFigure: (figure: string, of: string) => string | undefined,
): { readonly compiled: Compiled; readonly field: (field: string, text: string) => Expression } {
  const known = new Set(names);
  const field = (where: string, text: string): Expression => {
    try {
      const expression = parseExpression(text);
      for (const part of partsOf(expression)) {
        if (part.kind === 'name' && !known.has(part.name))
          throw new ExpressionError(
            `there is no '${part.name}'; there are ${[...known].join(', ')}`,
            part.at,
          );
        const fault = part.kind === 'figure' ? faultOfFigure(part.figure, part.of) : undefined;
        if (fault !== undefined) throw new ExpressionError(fault, part.at);
      }
      return expression;
    } catch (error) {
      if (error instanceof ExpressionError)
        throw new RuleError(definition.id, where, error.at, error.message);
      throw error;
    }
  };
  const lets = Object.entries(definition.let ?? {}).map(([name, text]) => {
    const expression = field(`let ${name}`, text);
    known.add(name);
    return [name, expression] as const;
  });
  return {
    compiled: {
      let: lets,
      condition: field('condition', definition.condition),
      confidence: field('confidence', definition.confidence ?? '1'),
    },
    field,
  };
}

/**
 * Rules that may be used together.
 * @throws RuleError when an id is there twice, or `next` names a rule that is not there, is static, or leads back
 */
export function checkTogether(rules: readonly Rule[]): readonly Rule[] {
  const byId = new Map<string, Rule>();
  for (const rule of rules) {
    const { id } = rule.definition;
    if (byId.has(id)) throw new RuleError(id, 'id', 0, 'there are two rules of this name');
    byId.set(id, rule);
  }
  for (const { definition } of rules)
    for (const next of definition.next ?? []) {
      const there = byId.get(next);
      if (there === undefined) throw new RuleError(definition.id, 'next', 0, `there is no rule '${next}'`);
      if (isStatic(there)) throw new RuleError(definition.id, 'next', 0, `'${next}' is a static rule`);
      if (reaches(byId, next, definition.id))
        throw new RuleError(definition.id, 'next', 0, `'${next}' leads back to this rule`);
    }
  return rules;
}

function reaches(rules: ReadonlyMap<string, Rule>, from: string, target: string): boolean {
  const open = [from];
  const seen = new Set<string>();
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (id === target) return true;
    if (seen.has(id)) continue;
    seen.add(id);
    open.push(...(rules.get(id)?.definition.next ?? []));
  }
  return false;
}
