import { printResource } from '../../../src/core/diagnosis/resources/focusText';
import type { SearchNode, SearchRecord } from '../../../src/core/diagnosis/search/searchRecord';
import { rankSet } from '../../../src/core/properties/rankSet';
import type { Property } from '../../../src/core/properties/property';
import { relative, sameNumber } from '../numbers';
import { isLive, nameOf } from './searchNodes';
import { unless } from './unless';
import type { SearchOutput } from './searchOutput';

interface Found {
  readonly finding: SearchOutput['findings'][number];
  readonly property: Property;
  readonly nodes: readonly SearchNode[];
}

/** The findings that `kymo diagnose --json` prints against the search that they are of, and each other. */
export function foundContradictions(record: SearchRecord, output: SearchOutput): readonly string[] {
  const { findings, properties } = output;
  if (findings.length !== properties.length)
    return [`diagnosis: ${findings.length} findings, and ${properties.length} properties`];
  const all = properties.flatMap((property, at): readonly Found[] => {
    const finding = findings[at];
    if (finding === undefined) return [];
    return [{ finding, property, nodes: finding.nodes.flatMap((id) => record.nodes[id] ?? []) }];
  });
  return [
    ...all.flatMap((found) =>
      [
        ...ofNodes(found),
        ...ofRecord(found, record),
        ...ofRanks(found, record),
        ...ofWhole(found, all),
        ...ofInterval(found, record),
      ].map((what) => `diagnosis: ${found.property.title}: ${what}`),
    ),
    ...onlyOnce(all),
    ...ofOrder(properties),
    ...ofLeftOut(output, record),
  ];
}

function ofNodes({ finding, property, nodes }: Found): readonly string[] {
  const values = nodes.flatMap(({ value }) => value ?? []);
  const [value] = Object.values(property.evidence);
  return [
    ...(finding.property === property.id ? [] : [`its finding is ${finding.property}`]),
    ...(nodes.length === finding.nodes.length && nodes.length > 0
      ? []
      : ['it is of experiments that the search has not']),
    ...nodes.flatMap((node) => [
      ...(node.hypothesis === finding.hypothesis ? [] : [`it is of ${nameOf(node)}`]),
      ...(node.truth === 'true' ? [] : [`${nameOf(node)} is ${node.truth}`]),
    ]),
    ...(value !== undefined &&
    (value < Math.min(...values) * (1 - relative) || value > Math.max(...values) * (1 + relative))
      ? [`its value ${value} is not between those of its experiments, ${values.join(', ')}`]
      : []),
  ];
}

/** Hypothesis, threshold and run are those of the search. */
function ofRecord(found: Found, record: SearchRecord): readonly string[] {
  const { finding, property, nodes } = found;
  const hypothesis = record.hypotheses.find(({ id }) => id === finding.hypothesis);
  const threshold = Object.keys(property.evidence).find((name) => name.startsWith('threshold')) ?? '';
  const run = property.origin?.run ?? 'none';
  return [
    ...unless(hypothesis !== undefined, `the search has no hypothesis ${finding.hypothesis}`),
    ...unless(hypothesis?.label === finding.label, 'its label is not that of its hypothesis'),
    ...unless(hypothesis?.advice === finding.advice, 'its advice is not that of its hypothesis'),
    ...sameNumber(
      'its threshold, and that of its experiments',
      property.evidence[threshold],
      nodes[0]?.threshold,
    ),
    ...unless(run === record.run, `it is of run ${run}, and the search of ${record.run}`),
    ...ofFunction(found, record),
  ];
}

/** Function and place are those of its experiments, as the program has them. */
function ofFunction({ property, nodes }: Found, { program }: SearchRecord): readonly string[] {
  const codes = new Set(nodes.map(({ focus }) => printResource('Code', focus.Code)));
  const own = program?.functions.find(({ code }) => codes.has(printResource('Code', code)));
  const shown = property.region?.name;
  return [
    ...unless(codes.size === 1, 'it is of several functions'),
    ...unless(
      program === undefined || shown === own?.place.name,
      `its function is ${shown ?? 'none'}, and that of its experiments ${own?.name ?? 'none'}`,
    ),
    ...unless(own === undefined || property.title.includes(own.name), `it does not name ${own?.name ?? ''}`),
  ];
}

/** Ranks are those of its experiments, and of the run. */
function ofRanks({ property, nodes }: Found, { program }: SearchRecord): readonly string[] {
  if (program === undefined) return [];
  const all = new Set(program.threads.map(({ rank }) => rank));
  const own = new Set(
    nodes.flatMap(
      ({ focus: { Machine }, ranks }) =>
        ranks ??
        program.threads
          .filter(({ machine }) => Machine.every((name, level) => machine[level] === name))
          .map(({ rank }) => rank),
    ),
  );
  const expected = own.size < all.size ? rankSet(own) : undefined;
  return [
    ...(property.ranks === expected
      ? []
      : [`its ranks are ${property.ranks ?? 'all'}, and those of its experiments ${expected ?? 'all'}`]),
    ...sameNumber('its processes, and its ranks', property.evidence.processes, own.size),
  ];
}

/** A part has no more than its whole, as far as both are of the same time. */
function ofWhole({ finding, property }: Found, all: readonly Found[]): readonly string[] {
  const { refines, severity = 0 } = property;
  if (refines === undefined) return [];
  const whole = all.find((one) => one.property.id === refines);
  if (whole === undefined) return [`it refines ${refines}, which is not found`];
  const isAtOnce = JSON.stringify(finding.data) === JSON.stringify(whole.finding.data);
  const isPart =
    property.base?.seconds === whole.property.base?.seconds &&
    isAtOnce &&
    finding.hypothesis === whole.finding.hypothesis;
  const isLoss = property.title.includes(' costs ');
  return isPart &&
    !isLoss &&
    severity > (whole.property.severity ?? 0) * (1 + relative) + (finding.data === undefined ? 0 : 0.02)
    ? [`it has ${severity}, more than “${whole.property.title}”`]
    : [];
}

/** Values of a running program say when they were measured. */
function ofInterval({ finding: { data }, nodes }: Found, record: SearchRecord): readonly string[] {
  if (!isLive(record)) return data === undefined ? [] : ['it has a time, and the search takes none'];
  if (data === undefined) return ['it does not say when it was measured'];
  return [
    ...(data[0] >= 0 && data[0] <= data[1] && data[1] <= record.end
      ? []
      : [`it is of ${data.join(' to ')} s`]),
    ...nodes.flatMap(({ data: own }) =>
      own === undefined || (own[0] >= data[0] && own[1] <= data[1])
        ? []
        : [`one of its experiments is of ${own.join(' to ')} s`],
    ),
  ];
}

function onlyOnce(all: readonly Found[]): readonly string[] {
  const keys = (of: (found: Found) => readonly string[]): readonly string[] => {
    const seen = new Set<string>();
    return all.flatMap((found) => of(found).flatMap((key) => (seen.has(key) ? [key] : (seen.add(key), []))));
  };
  return [
    ...keys(({ property }) => [property.title]).map((title) => `diagnosis: “${title}” is found twice`),
    ...keys(({ property }) => [property.id]).map((id) => `diagnosis: ${id} is the id of two findings`),
    ...keys(({ finding }) => finding.nodes.map(String)).map(
      (node) => `diagnosis: experiment ${node} is found twice`,
    ),
  ];
}

function ofOrder(properties: readonly Property[]): readonly string[] {
  return properties.flatMap(({ severity = 0, title }, at) =>
    severity <= (properties[at - 1]?.severity ?? Infinity)
      ? []
      : [`diagnosis: ${title} is more severe than the one before it`],
  );
}

/** What was left out is not found. */
function ofLeftOut({ findings, notSearched, notes }: SearchOutput, record: SearchRecord): readonly string[] {
  const noted = notes.flatMap((note) => /^(\S+) was not searched\. /.exec(note)?.[1] ?? []);
  const left = [...notSearched.map(({ hypothesis }) => hypothesis), ...noted];
  return left.flatMap((id) => [
    ...(findings.some(({ hypothesis }) => hypothesis === id)
      ? [`diagnosis: ${id} is found, and was not searched`]
      : []),
    ...(record.nodes.some(({ hypothesis, value }) => hypothesis === id && value !== undefined)
      ? [`diagnosis: ${id} has values, and was not searched`]
      : []),
  ]);
}
