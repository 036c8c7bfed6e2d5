import { baseText } from '../../core/functions/base';
import { present } from '../../core/present';
import { diagnose } from '../../workflows/diagnose';
import { asMeasured } from '../../workflows/studies/profileOrigin';
import { typicalProfileOf } from '../../workflows/studies/profileFiles';
import { runDoubts } from '../../workflows/studies/runDoubts';
import { readProfileInput } from '../arguments/inputs';
import { ReadResult } from './functions';
import { chosen, chosenAnswer, resultInputs } from './results';
import { tool } from './tool';

export const diagnosis = tool(
  {
    name: 'diagnosis',
    title: 'Why is it slow?',
    description:
      'Searches a measurement for the reasons why and where the program is slow: computation, waiting in MPI and OpenMP, locks, file access, imbalance. Each finding has its share, function, line and ranks, and advice.',
    readOnly: true,
  },
  resultInputs,
  async ({ most = 10, ...which }, context) => {
    const result = await chosen(which, context);
    context.served.require([await typicalProfileOf(result.path)]);
    const { profile, origin } = await readProfileInput(result.path);
    const { findings, base, processes, threads } = diagnose({ inputs: [asMeasured(profile, origin)] });
    const read = await ReadResult.of(result, context);
    const shown = findings.slice(0, most);
    return {
      ...chosenAnswer(result, context),
      ...present({ percentOf: base === undefined ? undefined : baseText(base) }),
      processes,
      threads,
      findings: await Promise.all(
        shown.map(async ({ property, label, advice }) => ({
          reason: label,
          ...(await read.finding(property)),
          advice,
        })),
      ),
      ...(findings.length > shown.length ? { moreFindings: findings.length - shown.length } : {}),
      notes: runDoubts(origin.experiment, base, threads),
    };
  },
);
