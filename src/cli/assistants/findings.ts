import { KymoError } from '../../core/errors';
import type { FunctionRow } from '../../core/functions/functionRow';
import { bySeverity, type Property } from '../../core/properties/property';
import { functionDetails, ReadResult } from './functions';
import { chosen, chosenAnswer } from './results';
import { Inputs, inputs, tool } from './tool';

interface FindingsArguments {
  readonly target?: string;
  readonly result?: string;
  readonly function?: string;
  readonly file?: string;
  readonly line?: number;
  readonly most?: number;
}

/** Several functions have one name, or one line: instances of templates, lambdas. */
const mostFunctions = 5;

export const findings = tool(
  {
    name: 'findings',
    title: 'Findings and reasons',
    description:
      'What was found and why: each finding with its severity, the numbers that made it true, and its line. With “function”, or “file” and “line”: the findings there, the numbers of the function, and the reason why it is recorded or not.',
    readOnly: true,
  },
  new Inputs<FindingsArguments>({
    function: inputs.text(
      'name of a function, with or without its parameters; wildcards * and ? are allowed',
    ),
    file: inputs.text('source file, relative to the folder'),
    line: inputs.integer('line of the file as it is today, from 1; needs “file”', 100_000_000),
    target: inputs.target,
    result: inputs.result('default: the newest'),
    most: inputs.most,
  }),
  async ({ most = 10, function: name, file, line, ...which }, context) => {
    if (line !== undefined && file === undefined)
      throw new KymoError('usage', 'A line needs its file: give “file”, too.');
    const result = await chosen(which, context);
    const read = await ReadResult.of(result, context);
    const asked = await askedFor(read, { name, file, line });
    const found = (
      asked === undefined ? read.properties : read.properties.filter((one) => isOf(one, asked))
    ).toSorted(bySeverity);
    const shown = found.slice(0, most);
    return {
      ...chosenAnswer(result, context),
      ...(asked === undefined
        ? {}
        : {
            functions: await Promise.all(
              asked.slice(0, mostFunctions).map((row) => functionDetails(row, read, context)),
            ),
            ...(asked.length > mostFunctions ? { moreFunctions: asked.length - mostFunctions } : {}),
          }),
      findings: await Promise.all(shown.map((one) => read.finding(one))),
      ...(found.length > shown.length ? { moreFindings: found.length - shown.length } : {}),
      notes: read.notes,
    };
  },
);

interface Asked {
  readonly name: string | undefined;
  readonly file: string | undefined;
  readonly line: number | undefined;
}

/** Undefined: all. @throws KymoError `unknown-function`, `no-function` */
async function askedFor(
  read: ReadResult,
  { name, file, line }: Asked,
): Promise<readonly FunctionRow[] | undefined> {
  if (file === undefined) return name === undefined ? undefined : read.named(name);
  const around = await read.around(file, line);
  if (name === undefined) return around;
  const named = new Set(read.named(name));
  return around.filter((row) => named.has(row));
}

/** Also of what is inside of the function, such as an OpenMP region; another name at its own line is another instance of a template. */
function isOf({ region }: Property, rows: readonly FunctionRow[]): boolean {
  if (region === undefined) return false;
  return rows.some(({ name, file, line, endLine }) => {
    if (region.name === name) return region.file === file;
    if (region.file === undefined || region.line === undefined || line === undefined) return false;
    return region.file === file && line < region.line && region.line <= (endLine ?? line);
  });
}
