import { present } from '../../core/present';
import type { Node } from 'jsonc-parser';
import { catalogue } from '../../core/rules/catalogue';
import {
  checkTogether,
  compileRule,
  patternSets,
  RuleError,
  type Rule,
  type RuleDefinition,
  type StaticRuleDefinition,
} from '../../core/rules/rule';
import { codeKinds } from '../../formats/series/contexts';
import { ConfigSource } from '../../measurement/config/configSource';
import { ObjectReader, readString, typeName } from '../../measurement/config/configReader';

/** The file with rules of a workspace, unless another one is named. */
export const rulesFileName = 'kymo.rules.json';

const staticKinds = [
  ...(['hot-spot', 'communication', 'synchronisation', 'io', 'memory', 'imbalance'] as const),
  'excessive-overhead' as const,
];
const dynamicKinds = [
  ...(['degradation-trend', 'degradation-peak', 'degradation-step', 'degradation-trends'] as const),
  ...(['degradation-peaks', 'significant-variability', 'improvement'] as const),
];
const common = ['id', 'level', 'title', 'kind', 'let', 'condition', 'confidence', 'severity', 'next'];
const staticKeys = [...common, 'quantity', 'regions', 'names', 'impact', 'across', 'group'];
const dynamicKeys = [...common, 'each', 'gate'];

/**
 * The catalogue with the rules of a user's file (`{"kymoRules": 1, "rules": [{"id", "level", "title", "condition", …}]}`; docs/dynamics.md;
 * `media/kymo.rules.schema.json` is the same for editors, and a test holds both together). A rule with the id of one of the catalogue takes its place.
 *
 * @throws KymoError `config-invalid` with line and column
 */
export function readRules(text: string, file: string): readonly Rule[] {
  const source = new ConfigSource(text, file);
  const root = new ObjectReader(source, source.root(), 'the file', ['kymoRules', 'rules', '$schema']);
  if (root.required('kymoRules').value !== 1)
    source.fail(root.required('kymoRules'), '"kymoRules" must be 1: this is the version of the format.');
  root.required('rules');
  const places = new Map<string, Node>();
  const own = root.list('rules', 'rules').map((node) => {
    const definition = definitionOf(source, node);
    places.set(definition.id, node);
    return located(source, node, () => compileRule(definition));
  });
  source.failOnWarning();
  const ids = new Set(own.map(({ definition }) => definition.id));
  const others = catalogue.filter(({ definition }) => !ids.has(definition.id));
  try {
    return checkTogether([...others, ...own]);
  } catch (error) {
    if (error instanceof RuleError) source.fail(places.get(error.rule) ?? root.node, error.message);
    throw error;
  }
}

function definitionOf(source: ConfigSource, node: Node): RuleDefinition {
  const level = new ObjectReader(source, node, 'a rule').oneOf('level', ['static', 'dynamic'] as const);
  if (level === undefined) source.fail(node, 'a rule needs the key "level": "static" or "dynamic".');
  const reader = new ObjectReader(source, node, 'a rule', level === 'static' ? staticKeys : dynamicKeys);
  source.failOnWarning();
  const text = (key: string): string => {
    reader.required(key);
    return reader.text(key) ?? '';
  };
  const shared = { id: text('id'), title: text('title'), condition: text('condition'), ...optional(reader) };
  if (level === 'dynamic') {
    const each = reader.oneOf('each', patternSets);
    return {
      ...shared,
      level,
      kind: reader.oneOf('kind', dynamicKinds) ?? 'significant-variability',
      ...(each === undefined ? {} : { each }),
      ...(isGate(source, reader) ? { gate: true } : {}),
    };
  }
  return {
    ...shared,
    level,
    kind: reader.oneOf('kind', staticKinds) ?? 'hot-spot',
    severity: text('severity'),
    next: shared.next ?? ['significant-variability'],
    ...optionalStatic(source, reader),
  };
}

function isGate(source: ConfigSource, reader: ObjectReader): boolean {
  const node = reader.nodeOf('gate');
  if (node === undefined) return false;
  const value: unknown = node.value;
  return typeof value === 'boolean'
    ? value
    : source.fail(node, `"gate" must be true or false, found ${typeName(node)}.`);
}

function optionalStatic(
  source: ConfigSource,
  reader: ObjectReader,
): Pick<StaticRuleDefinition, 'quantity' | 'regions' | 'names' | 'impact' | 'across' | 'group'> {
  const quantity = reader.text('quantity');
  const names = reader.text('names');
  const impact = reader.text('impact');
  const across = reader.oneOf('across', ['ranks'] as const);
  const group = reader.oneOf('group', ['sum', 'any'] as const);
  return {
    ...(reader.nodeOf('regions') === undefined ? {} : { regions: regionsOf(source, reader) }),
    ...present({ quantity, names, impact, across, group }),
  };
}

function optional(reader: ObjectReader): Pick<RuleDefinition, 'let' | 'confidence' | 'severity' | 'next'> {
  const confidence = reader.text('confidence');
  const severity = reader.text('severity');
  const lets = reader.object('let');
  const named = lets?.keys().map((key) => [key, lets.text(key) ?? ''] as const);
  return {
    ...present({ confidence, severity }),
    ...(reader.nodeOf('next') === undefined ? {} : { next: reader.strings('next') }),
    ...(named === undefined ? {} : { let: Object.fromEntries(named) }),
  };
}

function regionsOf(source: ConfigSource, reader: ObjectReader): (typeof codeKinds)[number][] {
  return reader.list('regions', 'kinds of regions').map((node) => {
    const value = readString(source, node, 'each item of "regions"');
    const kind = codeKinds.find((name) => name === value);
    return (
      kind ?? source.fail(node, `there is no kind of regions "${value}"; there are ${codeKinds.join(', ')}.`)
    );
  });
}

/** Locates an error in an expression at its character in the file. */
function located<T>(source: ConfigSource, node: Node, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof RuleError)) throw error;
    const [key = '', inside] = error.field.split(' ');
    const value = memberOf(inside === undefined ? node : memberOf(node, key), inside ?? key);
    // The position counts from the opening quote; escaped characters make it slightly too early.
    return source.fail(
      { offset: (value ?? node).offset + (value === undefined ? 0 : 1 + error.at) },
      error.message,
    );
  }
}

function memberOf(node: Node | undefined, key: string): Node | undefined {
  return node?.children?.find((member) => member.children?.[0]?.value === key)?.children?.[1];
}
