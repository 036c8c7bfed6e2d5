const text = { type: 'string', maxLength: 65_536 } as const;
const count = { type: 'integer', minimum: 0 } as const;
const amount = { type: 'number', minimum: 0 } as const;
const amounts = { type: 'array', items: amount } as const;
const words = { type: 'array', items: text } as const;

const facts = {
  type: 'object',
  required: ['target', 'command', 'parameters', 'ranks', 'compiler', 'host'],
  properties: {
    ...{
      target: text,
      command: words,
      ranks: { type: 'integer', minimum: 1 },
      threads: { type: 'integer', minimum: 1 },
    },
    parameters: { type: 'object', additionalProperties: text },
    ...{ compiler: text, host: text },
    git: {
      type: 'object',
      required: ['commit', 'dirty'],
      properties: { commit: text, dirty: { type: 'boolean' } },
    },
  },
} as const;

const ofFunction = {
  type: 'object',
  required: ['key', 'name', 'paradigm', 'role'],
  properties: {
    key: text,
    name: text,
    mangledName: text,
    file: text,
    line: count,
    paradigm: text,
    role: text,
  },
} as const;

const base = {
  type: 'object',
  required: ['run', 'clock', 'seconds', 'leftOut'],
  properties: {
    run: text,
    clock: { enum: ['cpu', 'wall'] },
    seconds: amount,
    leftOut: {
      type: 'array',
      items: { type: 'object', required: ['what', 'seconds'], properties: { what: text, seconds: amount } },
    },
  },
} as const;

const measured = {
  type: 'object',
  required: ['buildId', 'host', 'command', 'startedAt', 'wallSeconds'],
  properties: {
    buildId: text,
    host: text,
    command: words,
    startedAt: text,
    wallSeconds: amount,
    cpuSeconds: amount,
  },
} as const;

const growth = {
  type: 'object',
  required: ['whole', 'functions'],
  properties: {
    whole: amount,
    functions: { type: 'array', items: { anyOf: [amount, { type: 'null' }] } },
  },
} as const;

const run = {
  type: 'object',
  required: ['measured', 'base', 'processes', 'locations', 'visits', 'seconds', 'doubts'],
  properties: {
    ...{
      measured,
      base,
      processes: { type: 'integer', minimum: 1 },
      locations: { type: 'integer', minimum: 1 },
    },
    ...{ memoryBytes: amount, imbalance: amount, overhead: amount, growth },
    ...{ visits: amounts, seconds: amounts, doubts: amounts },
  },
} as const;

/** What `readBaseline` checks by itself is not in it: the lengths of the columns. */
export const baselineSchema = {
  type: 'object',
  required: ['kymoBaseline', 'facts', 'functions', 'runs'],
  properties: {
    kymoBaseline: { const: 1 },
    facts,
    functions: { type: 'array', items: ofFunction },
    recorded: words,
    runs: { type: 'array', minItems: 1, items: run },
  },
} as const;
