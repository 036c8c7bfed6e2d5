import { existsSync, readdirSync, statSync } from 'node:fs';
import { KymoError } from '../../../core/errors';
import { counted, formatChange, formatCount, formatValue } from '../../../core/format';
import type { ComparedPer } from '../../../core/compare/sides';
import { present } from '../../../core/present';
import type { Part } from '../../../workflows/comparing/part';
import { withRecorded } from '../../../workflows/comparing/withRecorded';
import { traceOf } from '../../../workflows/comparing/traceInputs';
import {
  compareTraceInputs,
  type ReportedTraceDifference,
  type TraceCompareReport,
} from '../../../workflows/compareTraces';
import type { CommandResult } from '../../execution/context';
import { nameAmong } from '../../arguments/inputs';
import { partsOf } from '../../arguments/partOptions';
import { shortened, table } from '../table';
import { inTurns, type Told } from '../../../workflows/running/turn';

interface TraceFlags {
  readonly sensitivity: number;
  readonly metric: string;
  readonly isMetricGiven: boolean;
  readonly per?: ComparedPer;
  readonly ranks?: readonly NonNullable<Part['ranks']>[];
  readonly iterations?: Part['iterations'][];
  readonly phase?: string;
  readonly relativePartners?: true;
}

const mostRows = 40;

/** Whether traces are to be compared. @throws KymoError `mixed-inputs` for traces together with profiles */
export function hasTraces(inputs: readonly string[]): boolean {
  const traces = inputs.filter((input) => traceOf(input) !== undefined);
  if (traces.length === 0 || traces.length === inputs.length) return traces.length > 0;
  const joined = inputs.find(
    (input) => !existsSync(input) && input.split(',').some((one) => traceOf(one) !== undefined),
  );
  if (joined !== undefined)
    throw new KymoError('usage', `“${joined}”: only profiles are joined by commas, not traces.`);
  const missing = inputs.find((input) => !existsSync(input) && !input.includes(','));
  if (missing !== undefined) throw new KymoError('usage', `There is no “${missing}”.`, { file: missing });
  const profile = inputs.find((input) => !traces.includes(input)) ?? '';
  if (isEmptyFolder(profile))
    throw new KymoError('usage', `“${profile}” is an empty folder: give a trace.`, { file: profile });
  throw new KymoError(
    'mixed-inputs',
    `“${traces[0] ?? ''}” is a trace, and “${profile}” is none: compare traces with traces, and profiles with profiles.`,
    { file: profile },
  );
}

function isEmptyFolder(file: string): boolean {
  const isFolder = statSync(file, { throwIfNoEntry: false })?.isDirectory() === true;
  return isFolder && readdirSync(file).length === 0;
}

/** `kymo compare` of traces. */
export async function comparedTraces(
  given: readonly string[],
  flags: TraceFlags,
  context: Told,
): Promise<CommandResult> {
  const { sensitivity, metric, isMetricGiven, per, phase, relativePartners } = flags;
  if (per !== undefined)
    throw new KymoError(
      'usage',
      'Traces of different numbers of processes are compared per process always: leave out --per.',
    );
  const parts = partsOf(given, flags);
  if (parts.length < 2)
    throw new KymoError(
      'usage',
      'Give two traces at least: kymo compare BEFORE AFTER. Of one trace, two parts can be compared: --ranks 1:2 or --iterations 10:12.',
    );
  const steps = compareTraceInputs(
    await withRecorded(
      parts.map(({ input, part }) => ({ given: input, name: nameAmong(input, [...new Set(given)]), part })),
    ),
    {
      sensitivity: sensitivity / 100,
      ...present({ metric: isMetricGiven ? metric : undefined, phase, isRelative: relativePartners }),
    },
  );
  const report = await inTurns(steps, 'Comparing traces', context);
  return { result: report, text: text(report) };
}

function text(report: TraceCompareReport): string {
  const { inputs, pairs, differences, notes, metric } = report;
  return [
    ...notes,
    ...pairs.map(({ a, b, matched, added, deleted, changed, totals: [before, after] }) => {
      const of = pairs.length === 1 ? 'both' : `${inputs[a]?.name ?? ''} and ${inputs[b]?.name ?? ''}`;
      const ratio = before === 0 ? 1 : after / before;
      const isSame = Math.abs(ratio - 1) < 0.0005;
      const change = isSame ? '' : ` (${formatChange(ratio - 1)})`;
      const whole = `${metric.name}: ${formatValue(before, metric.unit)} → ${formatValue(after, metric.unit)}${change}`;
      return `${counted(matched, 'call path')} in ${of} (${formatCount(changed)} changed), ${formatCount(added)} added, ${formatCount(deleted)} removed; ${whole}.`;
    }),
    '',
    differences.length === 0
      ? pairs.every(({ totals: [before, after] }) => before === after)
        ? 'Nothing differs.'
        : 'Nothing differs beyond the noise.'
      : table(
          ['at stake', 'kind', 'where', 'what'],
          differences.slice(0, mostRows).map((difference) => row(report, difference)),
          1,
        ),
    ...(differences.length > mostRows
      ? [`${counted(differences.length - mostRows, 'more difference')}: --json`]
      : []),
  ].join('\n');
}

function row({ metric }: TraceCompareReport, difference: ReportedTraceDifference): readonly string[] {
  const { kind, consequence, stake, region, sentence } = difference;
  const file = region.file?.slice(region.file.lastIndexOf('/') + 1);
  return [
    kind === 'changed-order' ? '' : formatValue(stake, metric.unit),
    kind,
    file === undefined ? '' : `${file}${region.line === undefined ? '' : `:${region.line}`}`,
    `${consequence === true ? '↳ ' : ''}${shortened(sentence, 200)}`,
  ];
}
