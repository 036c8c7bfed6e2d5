import { baseText } from '../../core/functions/base';
import { byShare } from '../../core/functions/shareOrder';
import { present } from '../../core/present';
import { percent } from './answers';
import { functionAnswer, ReadResult } from './functions';
import { chosen, chosenAnswer, resultInputs, type Chosen } from './results';
import { tool, type ToolContext } from './tool';

const usualMost = 10;

export const hotFunctions = tool(
  {
    name: 'hot_functions',
    title: 'Hot functions',
    description:
      'Which functions take most time, with file and line: exclusive and inclusive percent of the time in “percentOf”, seconds, visits, and whether the function is recorded. Without “result” of the newest refinement or measurement. Begin here.',
    readOnly: true,
  },
  resultInputs,
  async ({ most, ...which }, context) => hotAnswer(await chosen(which, context), context, most),
);

/** The functions with the most exclusive time; also the end of what measures. */
export async function hotAnswer(which: Chosen, context: ToolContext, most = usualMost): Promise<object> {
  const read = await ReadResult.of(which, context);
  const measured = read.functions.filter(({ exclusiveShare }) => exclusiveShare !== undefined);
  const shown = [...measured].sort(byShare('exclusiveShare')).slice(0, most);
  const last = shown.filter(({ earlier }) => earlier === undefined);
  const base = last[0]?.base;
  const rest = 1 - last.reduce((sum, { exclusiveShare = 0 }) => sum + exclusiveShare, 0);
  return {
    ...chosenAnswer(which, context),
    ...present({ percentOf: base === undefined ? undefined : baseText(base) }),
    functions: await Promise.all(shown.map((row) => functionAnswer(row, read, context))),
    ...(base === undefined ? {} : { percentOutsideOfThese: percent(Math.max(0, rest)) }),
    ...(measured.length > shown.length ? { moreFunctions: measured.length - shown.length } : {}),
    notes: read.notes,
  };
}
