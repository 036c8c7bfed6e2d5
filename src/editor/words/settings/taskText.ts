import { counted, formatCount, formatSeconds } from '../../../core/format';
import { overheadWords } from '../../../core/cost/overheadWords';
import type { BuildProgramResult } from '../../../workflows/build';
import type { MeasureResult } from '../../../workflows/measure';

/** A line of text for a terminal, with the terminal's line ends and without control sequences. */
export function terminalLine(text: string): string {
  return `${text.replace(unsafe, '').replace(/\r?\n/g, '\r\n')}\r\n`;
}

/** Control sequences, and all control characters but tab and newline, because programs and file names must not move the cursor. */
const unsafe = new RegExp(['\\x1b\\[[0-9;?]*[ -/]*[@-~]', '[^\\t\\n\\r -~\\u00a0-\\uffff]'].join('|'), 'g');

export function measuredSentence(result: MeasureResult): string {
  const trace = result.trace === undefined ? '' : `. Trace: ${result.trace.file}`;
  return `${result.target}: median ${formatSeconds(result.medianSeconds)} of ${result.seconds.length}, ${overheadWords(result)}, ${counted(result.instrumented, 'function')} recorded. Profile: ${result.profile}${trace}`;
}

export function builtSentence(result: BuildProgramResult): string {
  return `${result.target}: built in ${formatSeconds(result.buildSeconds)}, ${formatCount(result.functionsWithSites)} of ${formatCount(result.functionsKnown)} functions can be recorded. Executable: ${result.executable}`;
}
