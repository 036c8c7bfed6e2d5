import { statSync } from 'node:fs';
import path from 'node:path';
import { readExperiment } from '../../measurement/experiments/experimentFile';
import { recordedOf } from './readRuns';
import type { TraceInput } from './traceInputs';

/** Traces with what their measurements were to record, where Kymo made them. */
export function withRecorded(inputs: readonly TraceInput[]): Promise<readonly TraceInput[]> {
  return Promise.all(
    inputs.map(async (input) => {
      const isFolder = statSync(input.given, { throwIfNoEntry: false })?.isDirectory() === true;
      const folder = path.resolve(isFolder ? input.given : path.dirname(input.given));
      const experiment = await readExperiment(folder).catch(() => undefined);
      if (experiment === undefined) return input;
      const isRecorded = await recordedOf({ experiment, studyDirectory: path.dirname(path.dirname(folder)) });
      return isRecorded === undefined ? input : { ...input, isRecorded };
    }),
  );
}
