import { stopSentence } from '../../core/selection/stopSentence';
import { present } from '../../core/present';
import { measure } from '../../workflows/measure';
import { refine } from '../../workflows/refine';
import { study } from '../../workflows/study';
import { hotAnswer } from './hotFunctions';
import { permitted } from './permission';
import { chosen } from './results';
import { scaling } from './scaling';
import { Inputs, inputs, tool, type ToolContext } from './tool';

const asks =
  'Builds and runs the program, so the user is asked first. It can take minutes; progress is reported, and it can be cancelled.';
const shownFunctions = 5;

type Values = Readonly<Record<string, string | number>>;

const asTexts = (values: Values | undefined): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(values ?? {}).map(([name, value]) => [name, String(value)]));

/** What the user reads of the assistant's choices. */
function choices(given: object): readonly string[] {
  return Object.entries(given).flatMap(([name, value]: readonly [string, unknown]) =>
    name === 'target' || value === undefined ? [] : [`${name} ${JSON.stringify(value)}`],
  );
}

interface RefineArguments {
  readonly target?: string;
  readonly overheadPercent?: number;
  readonly rounds?: number;
  readonly repetitions?: number;
  readonly budgetSeconds?: number;
  readonly parameters?: Values;
  readonly fresh?: boolean;
}

export const refineTool = tool(
  {
    name: 'refine',
    title: 'Refine what is recorded',
    description: `Finds which functions to record so that the overhead stays below a target, and measures them: builds once, then measures and decides in rounds. Goes on with a refinement that was stopped. ${asks}`,
    readOnly: false,
  },
  new Inputs<RefineArguments>({
    target: inputs.ownTarget,
    overheadPercent: inputs.number('target overhead; default: that of kymo.json, else 5', 1000),
    rounds: inputs.integer('most rounds; default: that of kymo.json, else 5', 100),
    repetitions: inputs.integer('runs in each round; default: those of kymo.json, else 3', 1000),
    budgetSeconds: inputs.number('wall time for all runs; default: that of kymo.json, else 600', 1e6),
    parameters: inputs.parameters,
    fresh: { type: 'boolean', description: 'start over instead of going on; default: false' },
  }),
  (given, context) =>
    permitted(
      { what: 'Refine what is recorded of', target: given.target, choices: choices(given) },
      context,
      async (target) => {
        const { overheadPercent, rounds, repetitions, budgetSeconds, parameters, fresh } = given;
        const result = await refine({
          workspace: context.served.folder,
          target,
          parameters: asTexts(parameters),
          resume: fresh !== true,
          ...present({ overheadPercent, maximumIterations: rounds, repetitions, budgetSeconds }),
          ...sinks(context),
        });
        return {
          stopped: stopSentence(result.stopReason),
          ...present({ verdict: result.verdict?.sentence }),
          rounds: result.iterations.length,
          recordedFunctions: result.final.instrumented,
          totalSeconds: result.totalSeconds,
          ...(await measuredAnswer(result, context)),
        };
      },
    ),
);

interface MeasureArguments {
  readonly target?: string;
  readonly repetitions?: number;
  readonly ranks?: number;
  readonly parameters?: Values;
}

export const measureTool = tool(
  {
    name: 'measure',
    title: 'Measure once',
    description: `One measurement with the functions that were accepted, with all its repetitions: before and after a change, to compare them with the tool changes (five repetitions show smaller changes than one). ${asks}`,
    readOnly: false,
  },
  new Inputs<MeasureArguments>({
    target: inputs.ownTarget,
    repetitions: inputs.integer('number of runs; default: that of kymo.json, else 3', 1000),
    ranks: inputs.integer('number of MPI ranks in place of the one in kymo.json', 1_000_000),
    parameters: inputs.parameters,
  }),
  (given, context) =>
    permitted({ what: 'Measure', target: given.target, choices: choices(given) }, context, async (target) => {
      const { repetitions, ranks, parameters } = given;
      const result = await measure({
        workspace: context.served.folder,
        target,
        parameters: asTexts(parameters),
        ...present({ repetitions, ranks }),
        ...sinks(context),
      });
      const { seconds, overheadPercent, noisePercent } = result;
      return {
        wallSeconds: seconds,
        overheadPercent,
        ...present({ noisePercent }),
        ...(await measuredAnswer(result, context)),
      };
    }),
);

interface StudyArguments {
  readonly target?: string;
  readonly values?: Readonly<Record<string, readonly (string | number)[]>>;
  readonly ranks?: readonly number[];
  readonly repetitions?: number;
  readonly next?: boolean;
}

export const studyTool = tool(
  {
    name: 'study',
    title: 'Measure at several sizes',
    description: `Measures the program with several values of its parameters and numbers of ranks, and makes models of how each function grows: five values of what changes are needed. Goes on with the last study of the target. ${asks}`,
    readOnly: false,
  },
  new Inputs<StudyArguments>({
    target: inputs.ownTarget,
    values: {
      type: 'object',
      description: 'lists of values of parameters of kymo.json, by name; default: “study” of kymo.json',
      maxProperties: 10,
      additionalProperties: {
        type: 'array',
        minItems: 1,
        maxItems: 100,
        items: {
          anyOf: [{ type: 'string', maxLength: 200, pattern: '^[^\\u0000-\\u001f]*$' }, { type: 'number' }],
        },
      },
    },
    ranks: {
      type: 'array',
      description: 'numbers of MPI ranks',
      minItems: 1,
      maxItems: 100,
      items: { type: 'integer', minimum: 1, maximum: 1_000_000 },
    },
    repetitions: inputs.integer('runs of each point; default: those of kymo.json, else 3', 1000),
    next: {
      type: 'boolean',
      description:
        'measure the one point that makes the predictions of the last study most certain; default: false',
    },
  }),
  (given, context) =>
    permitted(
      { what: 'Measure at several sizes', target: given.target, choices: choices(given) },
      context,
      async (target) => {
        const { values, ranks, repetitions, next } = given;
        const lists = Object.entries(values ?? {}).map(([name, list]) => [name, list.map(String)] as const);
        const { done, failed, remaining, runSeconds, directory, notes } = await study({
          workspace: context.served.folder,
          target,
          next: next === true,
          ...(lists.length === 0 ? {} : { values: Object.fromEntries(lists) }),
          ...present({ ranks, repetitions }),
          ...sinks(context),
        });
        return {
          points: { done, failed, remaining },
          runSeconds,
          notesOfStudy: notes,
          ...(await scaling.call({ result: directory, most: shownFunctions }, context)),
        };
      },
    ),
);

function sinks({ signal, progress }: ToolContext): Pick<ToolContext, 'signal' | 'progress'> {
  return { signal, progress };
}

/** The hottest functions of what was measured just now. */
async function measuredAnswer(
  { directory, notes }: { readonly directory: string; readonly notes: readonly string[] },
  context: ToolContext,
): Promise<object> {
  const later = { ...context, now: Date.now() };
  return {
    ...(await hotAnswer(await chosen({ result: directory }, later), later, shownFunctions)),
    notesOfMeasurement: notes,
  };
}
