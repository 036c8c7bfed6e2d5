import { JsonSchema } from '../../core/jsonSchema';
import { KymoError } from '../../core/errors';
import { standardMetrics } from '../../core/profile/metrics';
import type { Metric, Profile, SystemNode } from '../../core/profile/profile';
import { present } from '../../core/present';

interface Document {
  readonly regions: readonly { readonly name: string; readonly file?: string; readonly line?: number }[];
  readonly callTree: readonly { readonly parent: number; readonly region: number }[];
  readonly locations: readonly { readonly name: string; readonly rank: number; readonly thread: number }[];
  readonly values: Readonly<Record<string, { readonly exclusive: readonly (readonly number[])[] }>>;
}

const count = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
const readMetrics: readonly Metric[] = [standardMetrics.visits, standardMetrics.time];
const values = {
  type: 'object',
  required: ['exclusive'],
  properties: {
    exclusive: { type: 'array', items: { type: 'array', items: { type: 'number', minimum: 0 } } },
  },
};
const schema = {
  type: 'object',
  required: ['regions', 'callTree', 'locations', 'values'],
  properties: {
    regions: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string' }, file: { type: 'string' }, line: count },
      },
    },
    callTree: {
      type: 'array',
      items: {
        type: 'object',
        required: ['parent', 'region'],
        properties: { parent: { type: 'integer', minimum: -1 }, region: count },
      },
    },
    locations: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'rank', 'thread'],
        properties: { name: { type: 'string' }, rank: { type: 'integer' }, thread: { type: 'integer' } },
      },
    },
    values: { type: 'object', properties: { visits: values, time: values } },
  },
};
const documents = new JsonSchema<Document>(schema);

/**
 * Visits and times of a profile with values for each location.
 * @param file for messages
 * @throws KymoError `profile-invalid`, which says what was expected where
 */
export function readProfileJson(text: string, file: string): Profile {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (cause) {
    throw invalid(file, cause instanceof Error ? cause.message : String(cause));
  }
  if (!documents.describes(document)) {
    const { place, rule } = documents.mistake;
    const hint = /^\/values\/\w+\/exclusive\/\d+$/.test(place) ? ' (written without --per-location?)' : '';
    throw invalid(file, `${place === '' ? 'the document' : place} ${rule}${hint}`);
  }
  const { regions, callTree, locations } = document;
  callTree.forEach(({ parent, region }, path) => {
    let above = path - 1;
    while (above > parent) above = callTree[above]?.parent ?? -1;
    if (above !== parent)
      throw invalid(file, `/callTree/${path}/parent must be the call path before it, or one above that`);
    if (region >= regions.length)
      throw invalid(file, `/callTree/${path}/region must be less than ${regions.length}`);
  });
  const metrics = readMetrics.filter(({ name }) => Object.hasOwn(document.values, name));
  if (metrics.length === 0) throw invalid(file, '/values must have visits or time');
  const ranks = [...new Set(locations.map(({ rank }) => rank))];
  const processes = new Map(ranks.map((rank, position) => [rank, position]));
  return {
    attributes: new Map(),
    metrics: metrics.map((metric): Metric => ({ ...metric, stored: 'exclusive' })),
    regions: regions.map(({ name, file: source, line }) => ({
      name,
      ...present({ file: source, firstLine: line }),
      paradigm: 'unknown',
      role: 'function',
    })),
    callPaths: {
      count: callTree.length,
      parent: Int32Array.from(callTree, ({ parent }) => parent),
      region: Uint32Array.from(callTree, ({ region }) => region),
      fileId: Uint32Array.from(callTree, (_, path) => path),
    },
    system: ranks.map((rank): SystemNode => ({ name: `rank ${rank}`, kind: 'process', rank })),
    locations: locations.map(({ name, rank, thread }) => ({
      name,
      rank,
      thread,
      process: processes.get(rank) ?? 0,
      kind: 'thread',
    })),
    stored: new Map(metrics.map(({ name }) => [name, column(document, name, file)])),
  };
}

function column({ values: all, callTree, locations }: Document, metric: string, file: string): Float64Array {
  const { exclusive = [] } = all[metric] ?? {};
  const width = locations.length;
  const wrong = exclusive.findIndex((row) => row.length !== width);
  if (exclusive.length !== callTree.length || wrong >= 0)
    throw invalid(
      file,
      wrong >= 0
        ? `/values/${metric}/exclusive/${wrong} must have ${width} values, one for each location`
        : `/values/${metric}/exclusive must have ${callTree.length} rows, one for each call path`,
    );
  const cells = new Float64Array(callTree.length * width);
  exclusive.forEach((row, path) => cells.set(row, path * width));
  return cells;
}

function invalid(file: string, what: string): KymoError {
  return new KymoError(
    'profile-invalid',
    `${file} is no profile with values of each location: ${what}. Write it by “kymo profile show FILE --json --per-location”.`,
    { file },
  );
}
