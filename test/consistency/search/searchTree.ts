import { metricValueText } from '../../../src/core/diagnosis/hypotheses/metrics';
import type { SearchNode, SearchRecord } from '../../../src/core/diagnosis/search/searchRecord';
import { hypothesisOf, isBeyond, nameOf } from './searchNodes';
import { unless } from './unless';

const signs = { true: '+', false: '-', unknown: '?' } as const;

/** An experiment in the tree; without its mark and name, the rest. */
interface Line {
  readonly sign: string;
  readonly name: string;
  readonly rest: string;
}

/** Each experiment stands in the tree of `--tree` once, with its result and a relation of its numbers that is right. */
export function treeContradictions(record: SearchRecord, text: string): readonly string[] {
  const [, tree = ''] = text.split('\nSearch (+ true');
  const lines = tree.split('\n').flatMap((line): readonly Line[] => {
    const [, sign = '', name = '', rest = ''] = /^ *([+?-]) (\S+ < .*? >(?= |:|$))(.*)$/.exec(line) ?? [];
    return name === '' || rest.endsWith(' (above)') ? [] : [{ sign, name, rest }];
  });
  const byName = new Map(lines.map((line) => [line.name, line]));
  const { length } = record.nodes;
  return [
    ...unless(lines.length === length, `diagnosis: the tree has ${lines.length} of ${length} experiments`),
    ...record.nodes.flatMap((node) => {
      const line = byName.get(nameOf(node));
      if (line === undefined) return [`diagnosis: the tree lacks ${nameOf(node)}`];
      return [...ofResult(node, line), ...ofNumbers(node, line, record)].map(
        (what) => `diagnosis: “${line.name}${line.rest}” ${what}`,
      );
    }),
  ];
}

function ofResult({ truth, problem = '', stale }: SearchNode, { sign, rest }: Line): readonly string[] {
  return [
    ...unless(sign === signs[truth], `is ${truth}`),
    ...unless(
      rest.includes('(stale)') === (stale === true),
      'has not the mark of what is stale, or has it wrongly',
    ),
    ...unless(rest.includes(problem), `lacks ${problem}`),
  ];
}

const relations = new Map<string, (value: number, threshold: number) => boolean>([
  ['<', (value, threshold) => value < threshold],
  ['>', (value, threshold) => value > threshold],
  ['≤', (value, threshold) => value <= threshold],
  ['≥', (value, threshold) => value >= threshold],
]);

function ofNumbers(node: SearchNode, { rest }: Line, record: SearchRecord): readonly string[] {
  const { value, threshold, truth } = node;
  const [, shown, relation = '', limit] = /^ (\S.*?) ([<>≤≥]) (\S.*?)(?: \(|:|$)/.exec(rest) ?? [];
  if (value === undefined) return unless(relation === '', 'has numbers');
  const hypothesis = hypothesisOf(record, node);
  const text = (number: number): string => metricValueText(hypothesis?.metric, number);
  const saysMore = truth !== 'unknown' && isBeyond(hypothesis, value, threshold) !== (truth === 'true');
  return [
    ...unless(shown === text(value) && limit === text(threshold), `has ${value} and ${threshold}`),
    ...unless(
      relations.get(relation)?.(value, threshold) === true,
      `has ${value}, not ${relation} ${threshold}`,
    ),
    ...unless(
      rest.includes('(concluded from the last values') === saysMore,
      `does not say why it is ${truth}`,
    ),
  ];
}
