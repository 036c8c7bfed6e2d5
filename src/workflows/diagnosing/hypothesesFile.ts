import type { ExpansionPolicy, Hypothesis } from '../../core/diagnosis/hypotheses/hypothesis';
import { metricIds } from '../../core/diagnosis/hypotheses/metrics';
import { usualHypotheses } from '../../core/diagnosis/hypotheses/usual';
import { resourceTrees, type ResourceTree } from '../../core/diagnosis/resources/focus';
import { suggestion } from '../../core/nearest';
import { present } from '../../core/present';
import { ConfigSource } from '../../measurement/config/configSource';
import { ObjectReader, readNumber, readText, typeName } from '../../measurement/config/configReader';

/** The file with hypotheses of a workspace, unless another one is named. */
export const hypothesesFileName = 'kymo.hypotheses.json';

const keys = ['id', 'label', 'metric', 'holds', 'threshold', 'pruned', 'expansion', 'children', 'advice'];
const policies = [
  'why-and-where',
  'where-and-why',
  'why-before-where',
  'where-before-why',
  'why-only',
  'where-only',
] as const satisfies readonly ExpansionPolicy[];

/**
 * The usual hypotheses with those of a user's file (`{"kymoHypotheses": 1, "hypotheses": [{"id", "label", "metric", "threshold", "advice", …}]}`; docs/diagnosis.md;
 * `media/kymo.hypotheses.schema.json` is the same for editors, and a test holds both together). One with the id of a usual one changes what it gives; a new one needs a label, a threshold (unless it has no metric) and advice.
 *
 * @throws KymoError `config-invalid` with line and column
 */
export function readHypotheses(text: string, file: string): readonly Hypothesis[] {
  const source = new ConfigSource(text, file);
  const root = new ObjectReader(source, source.root(), 'the file', [
    'kymoHypotheses',
    'hypotheses',
    '$schema',
  ]);
  if (root.required('kymoHypotheses').value !== 1)
    source.fail(
      root.required('kymoHypotheses'),
      '"kymoHypotheses" must be 1: this is the version of the format.',
    );
  root.required('hypotheses');
  const readers = root
    .list('hypotheses', 'hypotheses')
    .map((node) => new ObjectReader(source, node, 'a hypothesis', keys));
  source.failOnWarning();
  const own = new Map<string, Hypothesis>();
  for (const reader of readers) {
    const id = idOf(reader);
    if (own.has(id)) source.fail(reader.required('id'), `the hypothesis "${id}" is given twice.`);
    own.set(id, hypothesisOf(reader, id));
  }
  const all = [...usualHypotheses.filter(({ id }) => !own.has(id)), ...own.values()];
  checkChildren(source, readers, all);
  return all;
}

function idOf(reader: ObjectReader): string {
  const node = reader.required('id');
  const id = readText(reader.source, node, '"id"');
  return /^[A-Za-z][\w-]*$/.test(id)
    ? id
    : reader.source.fail(node, `"id" must be a name of letters, digits, _ and -, found ${typeName(node)}.`);
}

/** What a hypothesis is where a file does not say it. */
const usually = {
  holds: 'above',
  threshold: 0,
  pruned: [],
  expansion: 'why-and-where',
  children: [],
} as const;

function hypothesisOf(reader: ObjectReader, id: string): Hypothesis {
  const known = usualHypotheses.find((one) => one.id === id);
  if (known === undefined) {
    for (const key of ['label', 'advice']) reader.required(key);
    if (reader.nodeOf('metric') !== undefined) reader.required('threshold');
  }
  const given = present({
    label: reader.text('label'),
    metric: reader.oneOf('metric', metricIds),
    holds: reader.oneOf('holds', ['above', 'below'] as const),
    threshold: thresholdOf(reader),
    pruned: prunedOf(reader),
    expansion: reader.oneOf('expansion', policies),
    children: reader.nodeOf('children') === undefined ? undefined : reader.strings('children'),
    advice: reader.text('advice'),
  });
  const hypothesis: Hypothesis = { ...usually, id, label: id, advice: '', ...known, ...given };
  if (hypothesis.metric === undefined && hypothesis.children.length === 0)
    reader.source.fail(
      reader.node,
      'a hypothesis without "metric" holds if one of its "children" does, and needs some.',
    );
  return hypothesis;
}

function thresholdOf(reader: ObjectReader): number | undefined {
  const node = reader.nodeOf('threshold');
  if (node === undefined) return undefined;
  const value = readNumber(node);
  return value !== undefined && value >= 0
    ? value
    : reader.source.fail(node, `"threshold" must be a number from 0 on, found ${typeName(node)}.`);
}

function prunedOf(reader: ObjectReader): readonly ResourceTree[] | undefined {
  if (reader.nodeOf('pruned') === undefined) return undefined;
  return reader.list('pruned', 'trees').map((node) => {
    const tree = resourceTrees.find((one) => one === node.value);
    const hint = typeof node.value === 'string' ? suggestion(node.value, resourceTrees) : '';
    return (
      tree ??
      reader.source.fail(
        node,
        `"pruned" has trees of resources (${resourceTrees.join(', ')}), found ${typeName(node)}${hint || '.'}`,
      )
    );
  });
}

/** Children exist, and no hypothesis makes itself more precise: the search would never begin with it. */
function checkChildren(
  source: ConfigSource,
  readers: readonly ObjectReader[],
  all: readonly Hypothesis[],
): void {
  const byId = new Map(all.map((hypothesis) => [hypothesis.id, hypothesis]));
  for (const reader of readers)
    for (const node of reader.list('children', 'ids of hypotheses')) {
      const id = String(node.value);
      if (!byId.has(id))
        source.fail(
          node,
          `there is no hypothesis ${JSON.stringify(id)}${suggestion(id, [...byId.keys()]) || '.'}`,
        );
      if (leadsTo(byId, id, String(reader.required('id').value)))
        source.fail(
          node,
          `the hypothesis "${id}" cannot make one more precise that makes it more precise itself.`,
        );
    }
}

function leadsTo(byId: ReadonlyMap<string, Hypothesis>, from: string, to: string): boolean {
  const open = [from];
  const seen = new Set<string>();
  for (const id of open) {
    if (id === to) return true;
    if (seen.has(id)) continue;
    seen.add(id);
    open.push(...(byId.get(id)?.children ?? []));
  }
  return false;
}
