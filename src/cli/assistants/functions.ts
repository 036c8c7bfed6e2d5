import path from 'node:path';
import { LineMap } from '../../core/lines/lineMap';
import { unpackHunks } from '../../core/lines/lineHunks';
import { KymoError } from '../../core/errors';
import { baseText } from '../../core/functions/base';
import { decisionText, type FunctionRow } from '../../core/functions/functionRow';
import { getOrMake } from '../../core/getOrMake';
import { suggestion } from '../../core/nearest';
import { present } from '../../core/present';
import type { Property } from '../../core/properties/property';
import { readExperiment } from '../../measurement/experiments/experimentFile';
import { functionsCalled } from '../../workflows/filters/calledSo';
import { functionsHere } from '../../workflows/studies/functionsFile';
import { typicalProfileOf } from '../../workflows/studies/profileFiles';
import { runDoubts } from '../../workflows/studies/runDoubts';
import { studyProperties } from '../../workflows/studies/studyProperties';
import { mapFile } from '../../workflows/views/lineMaps';
import { profileFunctions, profileProperties } from '../../workflows/views/profileInSource';
import { findingAnswer, percent, placeText } from './answers';
import type { Chosen } from './results';
import type { ToolContext } from './tool';

/** The functions of a result and what was found, at the lines that their sources have today. */
export class ReadResult {
  private readonly maps = new Map<string, Promise<LineMap | undefined>>();

  private constructor(
    readonly functions: readonly FunctionRow[],
    readonly properties: readonly Property[],
    /** What makes its numbers doubtful, in sentences. */
    readonly notes: readonly string[],
    private readonly study: string | undefined,
    private readonly context: ToolContext,
  ) {}

  /** @throws KymoError `outside-folder`, and the errors of reading */
  static async of({ path: given, study }: Chosen, context: ToolContext): Promise<ReadResult> {
    const { served, signal } = context;
    const sources = { sourcePaths: [], folders: [served.folder] };
    if (study !== undefined) {
      const functions = await functionsHere(given, sources, { signal });
      const { properties, missing } = await studyProperties(given, sources, { signal });
      const notes = [...(missing === undefined ? [] : [missing]), ...(await doubtsOf(given, functions))];
      return new ReadResult(functions, properties, notes, given, context);
    }
    const file = await typicalProfileOf(given);
    served.require([file]);
    const { functions } = await profileFunctions({ ...sources, file }, { signal });
    const { properties } = await profileProperties({ ...sources, file }, { signal });
    return new ReadResult(functions, properties, await doubtsOf(given, functions), undefined, context);
  }

  /** Where the function is today; `changed`: its lines are not those that were measured. */
  async placed<Placed extends Placeable>(place: Placed): Promise<Placed & { readonly changed?: true }> {
    const { file, line, endLine } = place;
    const map = file === undefined ? undefined : await this.mapOf(file);
    if (line === undefined || map === undefined) return place;
    const now = map.placeOf(line, endLine);
    if (now === undefined) return { ...place, changed: true };
    return {
      ...place,
      line: now.line,
      ...present({ endLine: endLine === undefined ? undefined : now.endLine }),
      ...(now.stale ? { changed: true } : {}),
    };
  }

  /** A finding of these sources, or of a comparison with them, at the line of today. */
  async finding(property: Property): Promise<object> {
    const { region } = property;
    const { served } = this.context;
    if (region === undefined) return findingAnswer(property, served);
    const { changed, ...here } = await this.placed(region);
    return {
      ...findingAnswer({ ...property, region: here }, served),
      ...(changed === true ? { changedSinceMeasured: true } : {}),
    };
  }

  /** The line of the measured text that stands at a line of today. */
  async measuredLine(file: string, line: number): Promise<number> {
    return (await this.mapOf(file))?.toMeasured(line) ?? line;
  }

  /** The functions of a name. @throws KymoError `unknown-function` */
  named(name: string): readonly FunctionRow[] {
    const found = functionsCalled(this.functions, name);
    if (found.length > 0) return found;
    const names = this.functions.map((one) => one.name);
    throw new KymoError(
      'unknown-function',
      `This result has no function “${name}”${suggestion(name, names) || '. The tool hot_functions names those that were measured.'}`,
    );
  }

  /** The functions that contain a line of today. @throws KymoError `no-function` */
  async around(given: string, line: number | undefined): Promise<readonly FunctionRow[]> {
    const { served } = this.context;
    const shown = served.shown(served.existing(given));
    const inFile = this.functions.filter((one) => one.file !== undefined && served.shown(one.file) === shown);
    const [{ file } = {}] = inFile;
    if (file === undefined)
      throw new KymoError(
        'no-function',
        `This result has no function in ${shown}. The tool hot_functions names those that were measured, with their files.`,
      );
    if (line === undefined) return inFile;
    const measured = await this.measuredLine(file, line);
    const holding = inFile.filter(
      (one) => one.line !== undefined && one.line <= measured && measured <= (one.endLine ?? one.line),
    );
    if (holding.length > 0) return holding;
    const known = inFile.slice(0, 10).map((one) => `${one.name} (${one.line ?? '?'}–${one.endLine ?? '?'})`);
    throw new KymoError(
      'no-function',
      `Line ${line} of ${shown} is in no function of this result. Its functions are ${known.join(', ')}.`,
    );
  }

  private async mapOf(file: string): Promise<LineMap | undefined> {
    const { study, context } = this;
    if (study === undefined) return undefined;
    return getOrMake(this.maps, file, async () => {
      const { measured, current, hunks } = await mapFile(study, file, file, [], { signal: context.signal });
      return measured === undefined || current === undefined
        ? undefined
        : new LineMap(measured, current, unpackHunks(hunks));
    });
  }
}

interface Placeable {
  readonly file?: string;
  readonly line?: number;
  readonly endLine?: number;
}

async function doubtsOf(given: string, functions: readonly FunctionRow[]): Promise<readonly string[]> {
  const file = await typicalProfileOf(given).catch(() => undefined);
  if (file === undefined) return [];
  const experiment = await readExperiment(path.dirname(file)).catch(() => undefined);
  const base = functions.find((one) => one.earlier === undefined && one.base !== undefined)?.base;
  return runDoubts(experiment, base, (experiment?.ranks ?? 1) * (experiment?.threads ?? 1));
}

/** A function with its numbers; `percentOf` stands once in the answer, except for numbers of an earlier round. */
export async function functionAnswer(
  row: FunctionRow,
  read: ReadResult,
  { served }: ToolContext,
): Promise<object> {
  const { name, selected, exclusiveShare, inclusiveShare, base, earlier, visits, timedOneIn } = row;
  const { changed, ...place } = await read.placed(row);
  const seconds =
    base === undefined || exclusiveShare === undefined ? undefined : exclusiveShare * base.seconds;
  return {
    function: name,
    place: placeText(place, served),
    ...(changed === true ? { changedSinceMeasured: true } : {}),
    ...present({
      exclusivePercent: exclusiveShare === undefined ? undefined : percent(exclusiveShare),
      inclusivePercent: inclusiveShare === undefined ? undefined : percent(inclusiveShare),
      exclusiveSeconds: seconds,
      visits,
      timedOneVisitIn: timedOneIn,
      waitingSeconds: row.waitingSeconds,
    }),
    ...(earlier === undefined || base === undefined ? {} : { percentOf: baseText(base) }),
    recorded: selected,
  };
}

/** What else is known of a function: why it is recorded or not, what it costs, who calls it, and how ranks and threads differ in it. */
export async function functionDetails(
  row: FunctionRow,
  read: ReadResult,
  context: ToolContext,
): Promise<object> {
  const names = (positions: readonly number[] | undefined): readonly string[] | undefined =>
    positions?.slice(0, 10).flatMap((position) => read.functions[position]?.name ?? []);
  const { decision, overheadPercent, efficiency, ranks, callers, timeIn, contains, notRecorded } = row;
  return {
    ...(await functionAnswer(row, read, context)),
    ...present({
      percentOf: row.base === undefined ? undefined : baseText(row.base),
      why: decision === undefined ? undefined : decisionText(decision),
      notRecorded: notRecorded === undefined ? undefined : `${row.name} ${notRecorded}`,
      recordingCostPercent: overheadPercent,
      efficiency,
      computationOfRanks: ranks,
      callers: names(callers),
      itsTimeIsIn: names(timeIn),
      containsTimeOf: names(contains?.functions),
    }),
  };
}
