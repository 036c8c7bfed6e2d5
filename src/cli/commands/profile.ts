import type { Command } from 'commander';
import path from 'node:path';
import { KymoError } from '../../core/errors';
import { profileFunctions } from '../../core/problems/profileFunctions';
import { hasTime } from '../../core/profile/metrics';
import type { Profile } from '../../core/profile/profile';
import { makeContext } from '../../core/problems/context/makeContext';
import type { PropertyContext } from '../../core/problems/context/propertyContext';
import { workGroups } from '../../core/profile/workGroups';
import { present } from '../../core/present';
import { readWhole } from '../../formats/cube4/read';
import { cubeChunks } from '../../formats/cube4/write';
import { csvLines } from '../../formats/exports/csv';
import { profileJson } from '../../formats/exports/json';
import { speedscopeFile } from '../../formats/exports/speedscope';
import { typicalProfileOf } from '../../workflows/studies/profileFiles';
import { asMeasured, profileOrigin } from '../../workflows/studies/profileOrigin';
import { openProfileFile } from '../../measurement/experiments/profileFile';
import { ranksReport, type RanksReport } from '../../workflows/ranks';
import { profileText } from '../terminal/profileText';
import { ranksText } from '../terminal/ranksText';
import type { CommandResult, RegisterCommand } from '../execution/context';
import { writeWhole } from '../arguments/inputs';

/** `kymo profile show` and `kymo profile convert`. */
export const registerProfile: RegisterCommand = (program: Command, run) => {
  const profile = program.command('profile').description('shows and converts profiles');
  profile
    .command('show <input>')
    .description(
      'prints the values of a profile: regions as a table, call paths with --json; of a folder, the typical run of its last measured round',
    )
    .option('--per-location', 'values per location instead of combined values')
    .option(
      '--ranks',
      'what each rank spends its time for, and which ranks compute least and most in each function',
    )
    .option('--top <regions>', 'rows of the table', '20')
    .action((file: string, options: ShowFlags) => run(() => show(file, options)));
  profile
    .command('convert <input> <out>')
    .description('writes a profile in another format: .cubex, .json, .speedscope.json or .csv')
    .action((from: string, to: string) => run(() => convert(from, to)));
};

interface ShowFlags {
  readonly perLocation?: boolean;
  readonly ranks?: boolean;
  readonly top: string;
}

async function show(given: string, flags: ShowFlags): Promise<CommandResult> {
  const { file, profile } = await readProfile(given);
  const perLocation = flags.perLocation === true;
  const rows = rowsOf(flags.top);
  const context = hasTime(profile)
    ? makeContext(asMeasured(profile, await profileOrigin(path.resolve(file), profile)))
    : undefined;
  const ranks = flags.ranks === true ? ranksOf(profile, context, given) : undefined;
  return {
    get result() {
      return { ...profileJson(profile, { perLocation }), ...flatResult(context, ranks) };
    },
    get text() {
      const folder = process.cwd();
      const title = path.join(given, path.relative(path.resolve(given), path.resolve(file)));
      const flat = profileText(profile, context, { title, perLocation, rows, folder });
      return ranks === undefined || context === undefined
        ? flat
        : `${flat}\n${ranksText(ranks, profileFunctions(context), rows)}`;
    },
  };
}

function flatResult(context: PropertyContext | undefined, report: RanksReport | undefined): object {
  if (context === undefined) return {};
  const functions = profileFunctions(context).map((own) => ({
    ...own,
    ...present({ ranks: report?.spreads.get(own.key) }),
  }));
  return { base: context.base, functions, ...present({ ranks: report?.ranks }) };
}

/** @throws KymoError `no-ranks` for a profile of one process, or without time */
function ranksOf({ locations }: Profile, context: PropertyContext | undefined, file: string): RanksReport {
  if (context !== undefined && workGroups(locations).ranks.length > 1) return ranksReport(context);
  throw new KymoError(
    'no-ranks',
    context === undefined
      ? `${file} has no time, so there are no times of ranks.`
      : `${file} is the profile of one process: there are no ranks to compare.`,
    { file },
  );
}

function rowsOf(text: string): number {
  const rows = Number(text);
  if (Number.isInteger(rows) && rows > 0) return rows;
  throw new KymoError('usage', `--top needs a whole number from 1 on, not “${text}”.`);
}

/** Writers by the ending of the file name, the longest first. */
const writers: readonly (readonly [ending: string, write: (profile: Profile, name: string) => Chunks])[] = [
  ['.speedscope.json', (profile, name) => [JSON.stringify(speedscopeFile(profile, name))]],
  ['.json', (profile) => [JSON.stringify(profileJson(profile))]],
  ['.cubex', (profile) => cubeChunks(profile)],
  ['.csv', (profile) => csvLines(profile)],
];

type Chunks = Iterable<string | Uint8Array>;

async function convert(from: string, to: string): Promise<CommandResult> {
  const [ending, write] = writers.find(([candidate]) => to.toLowerCase().endsWith(candidate)) ?? [];
  if (ending === undefined || write === undefined)
    throw new KymoError(
      'usage',
      `The ending of “${to}” names no format. Use ${writers.map(([extension]) => extension).join(', ')}.`,
      { file: to },
    );
  if (path.resolve(from) === path.resolve(to))
    throw new KymoError('usage', `“${to}” is the input itself; give another file to write to.`, { file: to });
  const { profile } = await readProfile(from);
  const bytes = writeWhole(to, write(profile, path.basename(from)));
  const { count } = profile.callPaths;
  const result = { in: from, out: to, format: ending.slice(1), callPaths: count, bytes };
  return { result, text: `${to}: ${count} call paths, ${bytes} bytes` };
}

/** Reads a `.cubex`, or the typical profile of a folder. */
async function readProfile(given: string): Promise<{ readonly file: string; readonly profile: Profile }> {
  const file = await typicalProfileOf(given);
  if (!file.toLowerCase().endsWith('.cubex'))
    throw new KymoError(
      'no-profile',
      `“${file}” is not a profile that can be read; give a .cubex file, or the folder of a study, a round or an experiment.`,
      { file },
    );
  const opened = openProfileFile(file);
  try {
    return { file, profile: readWhole(opened.source, file) };
  } finally {
    opened.close();
  }
}
