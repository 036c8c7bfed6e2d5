import { runDynamics } from '../../workflows/dynamics';
import { inputFiles } from '../../workflows/dynamics/inputFile';
import { bySeverity } from '../../core/properties/property';
import { ReadResult } from './functions';
import { chosen, chosenAnswer, resultInputs } from './results';
import { tool } from './tool';

export const dynamics = tool(
  {
    name: 'dynamics',
    title: 'What gets worse while it runs?',
    description:
      'What changes over the iterations of the program’s phase (its time steps): trends, steps, peaks, periods and late ranks, with their iterations, cost, function and line. Needs “phase” in kymo.json.',
    readOnly: true,
  },
  resultInputs,
  async ({ most = 10, ...which }, context) => {
    const { served, signal, progress } = context;
    const result = await chosen(which, context);
    served.require(await inputFiles(result.path));
    const { result: found } = await runDynamics(
      { inputs: [result.path] },
      { workspace: served.folder, signal, progress },
    );
    const read = await ReadResult.of(result, context);
    const all = found.properties.toSorted(bySeverity);
    const shown = all.slice(0, most);
    return {
      ...chosenAnswer(result, context),
      iterations: found.iterations,
      findings: await Promise.all(shown.map((one) => read.finding(one))),
      ...(all.length > shown.length ? { moreFindings: all.length - shown.length } : {}),
      notes: found.notes,
    };
  },
);
