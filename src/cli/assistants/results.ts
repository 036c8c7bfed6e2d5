import { KymoError } from '../../core/errors';
import { present } from '../../core/present';
import { loadConfig, selectTarget } from '../../measurement/config/loadConfig';
import { listParameterStudies, type ParameterStudySummary } from '../../workflows/study/listParameterStudies';
import { listStudies, type StudySummary } from '../../workflows/studies/studies';
import { ageText } from './answers';
import { Inputs, inputs, tool, type ToolContext } from './tool';

/** What a tool reads: a named file or folder, or the newest result. */
export interface Chosen {
  /** Absolute. */
  readonly path: string;
  /** The refinement or measurement whose folder it is. */
  readonly study?: StudySummary;
}

export interface ChoiceArguments {
  readonly target?: string;
  readonly result?: string;
}

/** Of tools that list something of one result. */
export const resultInputs = new Inputs<ChoiceArguments & { readonly most?: number }>({
  target: inputs.target,
  result: inputs.result('default: the newest'),
  most: inputs.most,
});

/** Refinements and measurements with results, the newest first. @param target only its own */
export async function measuredStudies(
  { served, signal }: ToolContext,
  target?: string,
): Promise<readonly StudySummary[]> {
  const studies = await listStudies(served.folder, { signal });
  return studies.filter(
    (one) => one.iterations.length > 0 && (target === undefined || one.target === target),
  );
}

/** @throws KymoError `outside-folder`, `no-result`, and what is wrong with `kymo.json` where there is no result at all */
export async function chosen({ target, result }: ChoiceArguments, context: ToolContext): Promise<Chosen> {
  const { served } = context;
  if (result === undefined) {
    const [newest] = await measuredStudies(context, target);
    if (newest === undefined) throw await nothing(context, target, 'refine or measure');
    served.existing(newest.directory);
    return { path: newest.directory, study: newest };
  }
  const path = served.existing(result);
  const study = (await measuredStudies(context)).find(({ directory }) => directory === path);
  return { path, ...present({ study }) };
}

/** Why there is no result, and which tools make one. */
export async function nothing(
  { served }: ToolContext,
  target: string | undefined,
  tools: string,
): Promise<KymoError> {
  const { config } = await loadConfig(served.folder);
  const { name } = selectTarget(config, target);
  const of = target === undefined ? '' : ` of ${name}`;
  return new KymoError(
    'no-result',
    `There is no such result${of} in ${served.folder} yet. Ask the user whether to make one: call the tool ${tools}.`,
  );
}

/** The result, with when it was measured. */
export function chosenAnswer({ path, study }: Chosen, { served, now }: ToolContext): object {
  return {
    result: served.shown(path),
    ...(study === undefined
      ? {}
      : { target: study.target, measuredAt: study.startedAt, age: ageText(study.startedAt, now) }),
  };
}

const mostResults = 20;

export const listResults = tool(
  {
    name: 'list_results',
    title: 'Results and targets',
    description:
      'Lists the targets of kymo.json and the results that exist: refinements (which functions are recorded, at what overhead), measurements, and studies over parameters, the newest first, with their age and state. Other tools take the value of “result”.',
    readOnly: true,
  },
  new Inputs<{ readonly target?: string; readonly most?: number }>({
    target: inputs.target,
    most: inputs.most,
  }),
  async ({ target, most = 10 }, context) => {
    const { served, signal } = context;
    const isWanted = (one: { readonly target: string }): boolean =>
      target === undefined || one.target === target;
    const studies = (await listStudies(served.folder, { signal })).filter(isWanted);
    const { studies: over, damaged } = await listParameterStudies(served.folder, { signal });
    const all = [
      ...studies.map((one) => ({ at: one.startedAt, answer: studyAnswer(one, context) })),
      ...over.filter(isWanted).map((one) => ({ at: one.startedAt, answer: parameterAnswer(one, context) })),
    ].sort((a, b) => b.at.localeCompare(a.at));
    const shown = all.slice(0, Math.min(most, mostResults)).map(({ answer }) => answer);
    return {
      folder: served.folder,
      ...(await targetsAnswer(served.folder)),
      results: shown,
      ...(all.length > shown.length ? { older: all.length - shown.length } : {}),
      ...(damaged.length > 0 ? { damaged: damaged.map(({ message }) => message).slice(0, 3) } : {}),
    };
  },
);

/** Without a `kymo.json`, results can be read all the same. */
async function targetsAnswer(folder: string): Promise<object> {
  try {
    const { config } = await loadConfig(folder);
    return {
      targets: config.targets.slice(0, mostResults).map(({ name, parameters, phase }) => ({
        name,
        ...(Object.keys(parameters).length === 0 ? {} : { parameters }),
        ...present({ phase }),
      })),
    };
  } catch (error) {
    if (!(error instanceof KymoError)) throw error;
    return { targets: [], problem: error.message };
  }
}

function studyAnswer(study: StudySummary, { served, now }: ToolContext): object {
  const { kind, directory, target, startedAt, state, iterations, failure, targetPercent, accepted } = study;
  const last = iterations.at(-1);
  return {
    result: served.shown(directory),
    kind: kind === 'study' ? 'refinement' : 'measurement',
    target,
    startedAt,
    age: ageText(startedAt, now),
    state,
    ...present({ failure, acceptedRound: accepted }),
    ...(kind === 'study'
      ? { rounds: iterations.length, ...present({ targetOverheadPercent: targetPercent }) }
      : {}),
    ...(last === undefined
      ? {}
      : {
          recordedFunctions: last.instrumented,
          overheadPercent: last.overheadPercent,
          wallSeconds: last.medianSeconds,
          ...present({ runs: last.runs }),
        }),
  };
}

function parameterAnswer(study: ParameterStudySummary, { served, now }: ToolContext): object {
  const { directory, target, startedAt, state, done, failed, remaining, points } = study;
  return {
    result: served.shown(directory),
    kind: 'study over parameters',
    target,
    startedAt,
    age: ageText(startedAt, now),
    state,
    points: { done, failed, remaining },
    parameters: Object.keys(points[0]?.coordinates ?? {}),
  };
}
