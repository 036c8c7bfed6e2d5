import { KymoError } from '../../core/errors';
import { JsonSchema } from '../../core/jsonSchema';
import { isRecord } from '../../core/present';
import type { ProgressSink } from '../../core/progress';
import { printable } from '../terminal/table';
import type { ServedFolder } from './servedFolder';

/** What every tool has: the folder, its cancellation, and where it reports. */
export interface ToolContext {
  readonly served: ServedFolder;
  readonly signal: AbortSignal;
  readonly progress: ProgressSink;
  /** Milliseconds since 1970: answers give the age of results. */
  readonly now: number;
  readonly permission: Permission;
}

/** How the user is asked before something is built or run. */
export interface Permission {
  /** Undefined where the client cannot ask its user. */
  readonly ask:
    | ((message: string, signal: AbortSignal) => Promise<'accept' | 'decline' | 'cancel'>)
    | undefined;
  /** The server was started with `--allow-run`. */
  readonly isAllowed: boolean;
}

/** A tool of the server. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  /** For models: what it answers, and when to use it. */
  readonly description: string;
  /** Reads results that exist: starts nothing and writes nothing. */
  readonly readOnly: boolean;
  /** JSON schema of its arguments. */
  readonly input: InputSchema;
  /** @throws KymoError for what the assistant or its user can correct */
  readonly call: (given: unknown, context: ToolContext) => Promise<object>;
}

interface InputSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, object>>;
  readonly required?: string[];
  readonly additionalProperties: false;
}

/** The arguments of a tool: none is required. */
export class Inputs<Arguments> {
  readonly schema: InputSchema;
  private readonly checked: JsonSchema<Arguments>;

  constructor(properties: InputSchema['properties']) {
    this.schema = { type: 'object', properties, additionalProperties: false };
    this.checked = new JsonSchema(this.schema);
  }

  /** @throws KymoError `usage` */
  check(tool: string, given: unknown): Arguments {
    if (this.checked.describes(given)) return given;
    throw wrongArguments(tool, this.schema.properties, given, this.checked.mistake);
  }
}

export function tool<Arguments>(
  facts: Omit<Tool, 'input' | 'call'>,
  input: Inputs<Arguments>,
  call: (given: Arguments, context: ToolContext) => Promise<object>,
): Tool {
  return {
    ...facts,
    input: input.schema,
    call: async (given = {}, context) => call(input.check(facts.name, given), context),
  };
}

function wrongArguments(
  name: string,
  properties: InputSchema['properties'],
  given: unknown,
  { place, rule }: JsonSchema<unknown>['mistake'],
): KymoError {
  const known = Object.keys(properties);
  const unknown = isRecord(given) ? Object.keys(given).find((key) => !known.includes(key)) : undefined;
  const [, argument] = place.split('/');
  const what =
    unknown !== undefined
      ? `it has no argument “${printable(unknown).slice(0, 40)}”`
      : `${argument === undefined ? 'its arguments' : `its argument “${printable(argument).slice(0, 40)}”`} ${rule}`;
  return new KymoError(
    'usage',
    `The tool ${name} was called wrongly: ${what}. Its arguments are ${known.join(', ')}.`,
  );
}

const noControls = '^[^\\u0000-\\u001f\\u007f]*$';
const text = (description: string, maxLength: number): object => ({
  type: 'string',
  description,
  minLength: 1,
  maxLength,
  pattern: noControls,
});

/** Arguments that several tools have. */
export const inputs = {
  text: (description: string) => text(description, 1000),
  integer: (description: string, most: number, least = 1) => ({
    type: 'integer',
    description,
    minimum: least,
    maximum: most,
  }),
  number: (description: string, most: number) => ({
    type: 'number',
    description,
    minimum: 0,
    maximum: most,
  }),
  target: text('name of a target of kymo.json; default: that of the newest result', 200),
  ownTarget: text('name of a target of kymo.json; default: the first', 200),
  result: (what: string) =>
    text(
      `${what}: the folder of a result as list_results names it, of one of its rounds (…/i0), or a .cubex file`,
      4000,
    ),
  most: { type: 'integer', description: 'most entries of the answer; default: 10', minimum: 1, maximum: 50 },
  parameters: {
    type: 'object',
    description: 'values of parameters of kymo.json, by name; default: the first value of each',
    maxProperties: 20,
    additionalProperties: {
      anyOf: [{ type: 'string', maxLength: 1000, pattern: noControls }, { type: 'number' }],
    },
  },
} as const;
