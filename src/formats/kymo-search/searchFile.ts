import type { Hypothesis } from '../../core/diagnosis/hypotheses/hypothesis';
import { parseFocus, printFocus } from '../../core/diagnosis/resources/focusText';
import type { SearchNode, SearchRecord } from '../../core/diagnosis/search/searchRecord';
import { KymoError } from '../../core/errors';
import { laterVersion } from '../../core/fileVersion';
import { JsonSchema } from '../../core/jsonSchema';
import { present } from '../../core/present';
import { parsed, type Wrong } from './parsed';
import { readProgram, writeProgram, type FileProgram } from './programPart';
import { searchSchema } from './searchSchema';

/** The version that Kymo writes. */
const currentVersion = 1;

/** A search as it is in the file: foci and resources as texts. */
interface SearchFile extends Omit<SearchRecord, 'nodes' | 'program'> {
  readonly kymoSearch: typeof currentVersion;
  readonly nodes: readonly FileNode[];
  readonly program?: FileProgram;
}
type FileNode = Omit<SearchNode, 'focus'> & { readonly focus: string };

const searches = new JsonSchema<SearchFile>(searchSchema);

/** The whole history of a search as JSON: the same record can be read from it again. */
export function writeSearch(record: SearchRecord): string {
  const { program, ...rest } = record;
  const nodes = record.nodes.map((node): FileNode => ({ ...node, focus: printFocus(node.focus) }));
  const file: SearchFile = {
    ...{ kymoSearch: currentVersion, ...rest, nodes },
    ...present({ program: program && writeProgram(program) }),
  };
  return `${JSON.stringify(file, undefined, 1)}\n`;
}

/**
 * @param file for messages
 * @throws KymoError `search-invalid`, which names the place, or `search-newer`
 */
export function readSearch(text: string, file: string): SearchRecord {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (cause) {
    throw invalid(file, '', `is not valid JSON (${cause instanceof Error ? cause.message : String(cause)})`);
  }
  const later = laterVersion(content, 'kymoSearch', currentVersion);
  if (later !== undefined) throw new KymoError('search-newer', `${file} ${later}. Update Kymo.`, { file });
  if (!searches.describes(content)) {
    const { place, rule } = searches.mistake;
    throw invalid(file, place, rule);
  }
  const { strategy, run, clock, deepStart, costLimit, largestCost, end, state, hypotheses, notices } =
    content;
  const wrong = (place: string, rule: string): KymoError => invalid(file, place, rule);
  checkHypotheses(hypotheses, wrong);
  checkNodes(content, wrong);
  if (largestCost !== undefined && largestCost.time > end)
    throw wrong('/largestCost/time', `must be at most ${end}, the end of the search`);
  const nodes = readNodes(content.nodes, wrong);
  const program = content.program && readProgram(content.program, wrong);
  const about = { strategy, run, clock, deepStart, costLimit, end, state, hypotheses };
  return { ...about, nodes, notices, ...present({ largestCost, program }) };
}

function checkHypotheses(hypotheses: readonly Hypothesis[], wrong: Wrong): void {
  const known = new Map(hypotheses.map((hypothesis) => [hypothesis.id, hypothesis]));
  hypotheses.forEach((hypothesis, position) => {
    const place = `/hypotheses/${position}`;
    if (known.get(hypothesis.id) !== hypothesis)
      throw wrong(`${place}/id`, 'must not be that of another one');
    hypothesis.children.forEach((child, number) => {
      if (!known.has(child)) throw wrong(`${place}/children/${number}`, 'must be the id of a hypothesis');
    });
    if (leadsToItself(hypothesis, known)) throw wrong(`${place}/children`, 'must not lead back to it');
  });
}

function leadsToItself(hypothesis: Hypothesis, known: ReadonlyMap<string, Hypothesis>): boolean {
  const below = new Set(hypothesis.children);
  // Going through a set reaches what is added meanwhile.
  for (const id of below) for (const child of known.get(id)?.children ?? []) below.add(child);
  return below.has(hypothesis.id);
}

function checkNodes({ hypotheses, nodes, end }: SearchFile, wrong: Wrong): void {
  const known = new Set(hypotheses.map(({ id }) => id));
  nodes.forEach((node, position) => {
    const place = `/nodes/${position}`;
    if (node.id !== position) throw wrong(`${place}/id`, `must be ${position}, its position`);
    if (!known.has(node.hypothesis)) throw wrong(`${place}/hypothesis`, 'must be the id of a hypothesis');
    checkParents(node, nodes.length, place, wrong);
    checkTimes(node, end, place, wrong);
  });
}

function checkParents({ id, parents }: FileNode, count: number, place: string, wrong: Wrong): void {
  parents.forEach(({ node, by }, number) => {
    const at = `${place}/parents/${number}`;
    if ((node === undefined) !== (by === 'root'))
      throw wrong(at, 'must have a node unless it is reached by "root"');
    if (node === undefined) return;
    // The first one is how the node was made; others may be made later, as calls may go round in a circle.
    if (number === 0 && node >= id) throw wrong(`${at}/node`, `must be an earlier node than ${id}`);
    if (node >= count || node === id) throw wrong(`${at}/node`, 'must be another node');
  });
}

function checkTimes(
  { parents, conclusions, data, truth }: FileNode,
  end: number,
  place: string,
  wrong: Wrong,
): void {
  const lists = [
    ['parents', parents],
    ['conclusions', conclusions],
  ] as const;
  for (const [name, entries] of lists) {
    let last = 0;
    entries.forEach(({ time }, number) => {
      if (time < last || time > end)
        throw wrong(
          `${place}/${name}/${number}/time`,
          `must be from ${last} to ${end}, the end of the search`,
        );
      last = time;
    });
  }
  if (data !== undefined && data[0] > data[1]) throw wrong(`${place}/data`, 'must begin before it ends');
  const concluded = conclusions.at(-1)?.truth;
  if (concluded !== undefined && concluded !== truth)
    throw wrong(`${place}/truth`, `must be "${concluded}", its last conclusion`);
}

function readNodes(nodes: readonly FileNode[], wrong: Wrong): SearchNode[] {
  const seen = new Map<string, number>();
  return nodes.map((node, position) => {
    const place = `/nodes/${position}`;
    const focus = parsed(() => parseFocus(node.focus), `${place}/focus`, wrong);
    const key = `${node.hypothesis}\n${printFocus(focus)}`;
    const other = seen.get(key);
    if (other !== undefined) throw wrong(place, `must not have the hypothesis and focus of node ${other}`);
    seen.set(key, position);
    return { ...node, focus };
  });
}

function invalid(file: string, place: string, rule: string): KymoError {
  return new KymoError(
    'search-invalid',
    `${file} is no search that Kymo can show: ${place === '' ? 'the file' : place} ${rule}. Export the search again.`,
    { file },
  );
}
