import { resourceTrees } from '../../core/diagnosis/resources/focus';
import { priorities } from '../../core/diagnosis/search/searchRecord';

const text = { type: 'string' };
const time = { type: 'number', minimum: 0 };
const share = { type: 'number', minimum: 0, maximum: 1 };
const id = { type: 'integer', minimum: 0 };
const truth = { enum: ['unknown', 'true', 'false'] };

/** An object with these fields and no other ones. */
const fields = (required: object, optional: object = {}): object => ({
  type: 'object',
  required: Object.keys(required),
  properties: { ...required, ...optional },
  additionalProperties: false,
});
const list = (items: object): object => ({ type: 'array', items });

const hypothesis = fields(
  {
    id: text,
    label: text,
    holds: { enum: ['above', 'below'] },
    threshold: { type: 'number' },
    pruned: list({ enum: resourceTrees }),
    expansion: {
      enum: [
        'why-and-where',
        'where-and-why',
        'why-before-where',
        'where-before-why',
        'why-only',
        'where-only',
      ],
    },
    children: list(text),
    advice: text,
  },
  { metric: text },
);

const node = fields(
  {
    id,
    hypothesis: text,
    focus: text,
    parents: {
      ...list(
        fields({ by: { enum: ['root', 'why', 'where', 'deep starter', 'connecting'] }, time }, { node: id }),
      ),
      minItems: 1,
    },
    truth,
    activity: { enum: ['inactive', 'waiting', 'requested', 'deferred', 'active'] },
    priority: { enum: priorities },
    threshold: { type: 'number' },
    conclusions: list(fields({ time, truth, value: { type: 'number' } })),
    predictedCost: share,
  },
  {
    value: { type: 'number' },
    data: { type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 2 },
    problem: text,
    stale: { const: true },
    runs: { ...list({ type: 'number' }), minItems: 2 },
    ranks: { ...list(id), minItems: 1 },
  },
);

/** Longer than any run, and still a number when many are added up. */
const seconds = { type: 'number', minimum: 0, maximum: 1e12 };

const program = fields({
  base: fields(
    {
      run: text,
      clock: { enum: ['cpu', 'wall'] },
      seconds,
      leftOut: list(fields({ what: { enum: ['waiting', 'recording', 'MPI start and end'] }, seconds })),
    },
    { processes: text, partlyRecorded: id },
  ),
  threads: list(fields({ machine: text, rank: id, seconds })),
  functions: list(
    fields({
      code: text,
      key: text,
      name: text,
      place: fields({ name: text }, { file: text, line: { type: 'integer', minimum: 1 } }),
    }),
  ),
});

/** The shape of a search file; what refers to what is checked apart. */
export const searchSchema = fields(
  {
    kymoSearch: { const: 1 },
    strategy: { enum: ['centralised', 'partially distributed', 'truly distributed', 'recorded'] },
    run: text,
    clock: { enum: ['recorded', 'wall', 'virtual'] },
    deepStart: { type: 'boolean' },
    costLimit: { type: 'number', minimum: 1 },
    end: time,
    state: { enum: ['searching', 'paused', 'steady', 'complete', 'ended', 'stopped'] },
    // Nobody has so many; checking more against each other would take long.
    hypotheses: { ...list(hypothesis), maxItems: 1000 },
    nodes: list(node),
    notices: list(fields({ time, message: text })),
  },
  { largestCost: fields({ share, time }), program },
);
