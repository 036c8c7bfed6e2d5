import { KymoError } from '../../core/errors';
import { compareInputs, type CompareInput } from '../../workflows/compare';
import { compareInput, readRuns } from '../../workflows/comparing/readRuns';
import { profilesOf } from '../../workflows/studies/profileFiles';
import { ReadResult } from './functions';
import { chosen, chosenAnswer, measuredStudies, nothing, type Chosen } from './results';
import { Inputs, inputs, tool, type ToolContext } from './tool';

interface ChangesArguments {
  readonly target?: string;
  readonly before?: string;
  readonly after?: string;
  readonly leastPercent?: number;
  readonly most?: number;
}

export const changes = tool(
  {
    name: 'changes',
    title: 'What changed between two measurements',
    description:
      'Functions that became slower or faster beyond the noise of the repetitions, and calls that are new, gone or more frequent, each with its line; the most important first. Without arguments: the newest result of a target compared with the one before it.',
    readOnly: true,
  },
  new Inputs<ChangesArguments>({
    before: inputs.result('default: the one of the same target before “after”'),
    after: inputs.result('default: the newest'),
    target: inputs.target,
    leastPercent: inputs.number('smaller changes are none; default: 5', 1000),
    most: inputs.most,
  }),
  async ({ most = 10, leastPercent = 5, ...which }, context) => {
    const [before, after] = await sides(which, context);
    const report = compareInputs([await inputOf(before, context), await inputOf(after, context)], {
      sensitivity: leastPercent / 100,
    });
    const read = await ReadResult.of(after, context);
    const shown = report.properties.slice(0, most);
    return {
      before: { ...chosenAnswer(before, context), runs: report.inputs[0]?.runs },
      after: { ...chosenAnswer(after, context), runs: report.inputs[1]?.runs },
      notes: report.notes,
      changes: await Promise.all(shown.map((one) => read.finding(one))),
      ...(report.properties.length > shown.length
        ? { moreChanges: report.properties.length - shown.length }
        : {}),
    };
  },
);

/** @throws KymoError `no-result` where there is nothing to compare with */
async function sides(
  { before, after, target }: Pick<ChangesArguments, 'before' | 'after' | 'target'>,
  context: ToolContext,
): Promise<readonly [Chosen, Chosen]> {
  const second = await chosen(
    { ...(target === undefined ? {} : { target }), ...(after === undefined ? {} : { result: after }) },
    context,
  );
  if (before !== undefined) return [await chosen({ result: before }, context), second];
  const { study } = second;
  if (study === undefined)
    throw new KymoError(
      'usage',
      'Give “before”, too: “after” is not the folder of a refinement or measurement, so that no earlier one is known.',
    );
  const earlier = (await measuredStudies(context, study.target)).filter(
    (one) => one.startedAt < study.startedAt,
  );
  // What was measured in the same way is what can be compared best.
  const first = earlier.find(({ kind }) => kind === study.kind) ?? earlier[0];
  if (first === undefined) throw await nothing(context, study.target, 'measure, and again after a change');
  context.served.existing(first.directory);
  return [{ path: first.directory, study: first }, second];
}

async function inputOf({ path, study }: Chosen, { served, signal }: ToolContext): Promise<CompareInput> {
  served.require(await profilesOf(path));
  return compareInput(study?.study ?? served.shown(path), await readRuns(path, { signal }));
}
