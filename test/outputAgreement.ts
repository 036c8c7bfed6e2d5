import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Base } from '../src/core/functions/base';
import type { Property } from '../src/core/properties/property';
import type { ProfileJson } from '../src/formats/exports/json';
import type { RefineResult } from '../src/workflows/studies/refine.types';
import type { StoredRow } from '../src/workflows/studies/functionsFile';

/** What the outputs of one refinement say; whatever is there is compared with everything else. */
export interface Outputs {
  /** `kymo refine --json` */
  readonly refine?: Pick<RefineResult, 'hotFunctions' | 'properties'>;
  /** `kymo properties --json` of the study, or of the run that its shares are of. */
  readonly properties?: { readonly properties: readonly Property[] };
  /** `kymo profile show --json` of that run. */
  readonly profile?: Pick<ProfileJson, 'functions' | 'callTree' | 'base'>;
  /** `functions.json` */
  readonly functions?: { readonly functions: readonly StoredRow[] };
}

/** One share that some output states. */
interface Statement {
  readonly where: string;
  readonly key: string;
  readonly measure: 'inclusive' | 'exclusive';
  readonly share: number;
  readonly base?: Base;
}

/** The files hold all digits. */
const rounding = 1e-6;

/** What the command line prints of a finished refinement, and what lies in its folder. `kymo` runs it with `--json`. */
export function outputsOf(
  refine: Pick<RefineResult, 'directory' | 'hotFunctions' | 'properties'>,
  kymo: (args: readonly string[]) => unknown,
): Outputs {
  const { directory } = refine;
  const run = refine.hotFunctions.find(({ earlier }) => earlier === undefined)?.base.run;
  const profile = run === undefined ? undefined : profileOf(directory, run);
  const functions: unknown = JSON.parse(readFileSync(path.join(directory, 'functions.json'), 'utf8'));
  return {
    refine,
    functions: functions as Required<Outputs>['functions'],
    properties: kymo(['properties', profile ?? directory]) as Required<Outputs>['properties'],
    ...(profile === undefined
      ? {}
      : { profile: kymo(['profile', 'show', profile]) as Required<Outputs>['profile'] }),
  };
}

/** The profile of a run such as `i3.r1`: `i3/<target>.….r1/profile.cubex`. */
function profileOf(studyDirectory: string, run: string): string | undefined {
  const [round = '', repetition = ''] = run.split('.');
  const folder = path.join(studyDirectory, round);
  // Runs with nothing recorded stand beside the measured ones and have no profile.
  return readdirSync(folder)
    .filter((name) => name.endsWith(`.${repetition}`))
    .map((name) => path.join(folder, name, 'profile.cubex'))
    .find((file) => existsSync(file));
}

/** Every contradiction between and within the outputs, a sentence each; nothing: they agree. */
export function contradictions(outputs: Outputs): readonly string[] {
  const statements = statementsOf(outputs);
  return [
    ...statements.flatMap(impossible),
    ...exclusiveAboveInclusive(statements),
    ...disagreements(statements),
    ...sumsAboveAll(statements),
    ...oneRunWithTwoBases(statements),
    ...moreThanCallers(outputs),
    ...(outputs.functions?.functions ?? []).flatMap(reasonBesideShare),
  ];
}

function statementsOf({ refine, properties, profile, functions }: Outputs): readonly Statement[] {
  return [
    ...(refine?.hotFunctions ?? []).flatMap((row) => ofRow('hotFunctions', row)),
    ...(refine?.properties ?? []).flatMap((property) => ofProperty('refine properties', property)),
    ...(properties?.properties ?? []).flatMap((property) => ofProperty('properties', property)),
    ...(profile?.functions ?? []).flatMap((row) =>
      ofRow('profile', { ...row, ...(profile?.base === undefined ? {} : { base: profile.base }) }),
    ),
    ...(functions?.functions ?? []).flatMap((row) => ofRow('functions.json', row)),
  ];
}

interface Row {
  readonly key: string;
  readonly inclusiveShare?: number;
  readonly exclusiveShare?: number;
  readonly base?: Base;
}

function ofRow(where: string, { key, inclusiveShare, exclusiveShare, base }: Row): readonly Statement[] {
  const of = { where, key, ...(base === undefined ? {} : { base }) };
  return [
    ...(inclusiveShare === undefined
      ? []
      : [{ ...of, measure: 'inclusive' as const, share: inclusiveShare }]),
    ...(exclusiveShare === undefined
      ? []
      : [{ ...of, measure: 'exclusive' as const, share: exclusiveShare }]),
  ];
}

/** Of hot spots as a whole; what refines one is a share of some call paths. */
function ofProperty(where: string, { id, kind, refines, evidence, base }: Property): readonly Statement[] {
  if (kind !== 'hot-spot' || refines !== undefined) return [];
  const { inclusiveShare, exclusiveShare } = evidence;
  return ofRow(where, {
    key: id.slice(id.indexOf(':') + 1),
    ...(inclusiveShare === undefined ? {} : { inclusiveShare }),
    ...(exclusiveShare === undefined ? {} : { exclusiveShare }),
    ...(base === undefined ? {} : { base }),
  });
}

function impossible(statement: Statement): readonly string[] {
  const { where, key, measure, share, base } = statement;
  const what = `${where}: the ${measure} share of ${key} is ${share}`;
  if (!(share >= 0 && share <= 1 + rounding)) return [`${what}, which no share can be`];
  return base === undefined ? [`${what} of nothing that is named`] : [];
}

function exclusiveAboveInclusive(statements: readonly Statement[]): readonly string[] {
  const inclusive = new Map(
    statements
      .filter(({ measure }) => measure === 'inclusive')
      .map((one) => [`${one.where}\n${one.key}`, one]),
  );
  return statements.flatMap(({ where, key, measure, share }) => {
    const whole = inclusive.get(`${where}\n${key}`)?.share ?? Infinity;
    return measure === 'exclusive' && share > whole + rounding
      ? [`${where}: ${key} has ${share} itself and ${whole} with everything that it calls`]
      : [];
  });
}

function disagreements(statements: readonly Statement[]): readonly string[] {
  const first = new Map<string, Statement>();
  return statements.flatMap((statement) => {
    const { where, key, measure, share, base } = statement;
    if (base === undefined) return [];
    const id = [key, measure, base.run, base.clock].join('\n');
    const other = first.get(id);
    first.set(id, other ?? statement);
    return other !== undefined && Math.abs(other.share - share) > rounding
      ? [
          `the ${measure} share of ${key} in ${base.run} is ${other.share} in ${other.where} and ${share} in ${where}`,
        ]
      : [];
  });
}

function sumsAboveAll(statements: readonly Statement[]): readonly string[] {
  const sums = new Map<string, number>();
  for (const { where, measure, share, base } of statements) {
    if (measure !== 'exclusive' || base === undefined) continue;
    const id = `${where}: exclusive shares of ${base.run}`;
    sums.set(id, (sums.get(id) ?? 0) + share);
  }
  return [...sums].flatMap(([id, sum]) => (sum > 1 + rounding ? [`${id} add up to ${sum}`] : []));
}

function oneRunWithTwoBases(statements: readonly Statement[]): readonly string[] {
  const first = new Map<string, Statement>();
  return statements.flatMap((statement) => {
    const { base, where } = statement;
    if (base === undefined) return [];
    const id = `${base.run}\n${base.clock}`;
    const other = first.get(id)?.base;
    first.set(id, first.get(id) ?? statement);
    return other !== undefined && Math.abs(other.seconds - base.seconds) > rounding * other.seconds
      ? [`${base.run} has ${other.seconds} s in ${first.get(id)?.where} and ${base.seconds} s in ${where}`]
      : [];
  });
}

/** By the calls that the profile shows: a function that is no root has at most what its callers have together. */
function moreThanCallers({ profile }: Outputs): readonly string[] {
  if (profile?.functions === undefined) return [];
  const { functions, callTree } = profile;
  const functionOf = new Map(functions.flatMap((one, index) => one.regions.map((region) => [region, index])));
  const callers = functions.map(() => new Set<number>());
  for (const { parent, region } of callTree) {
    const own = functionOf.get(region);
    const caller = functionOf.get(callTree[parent]?.region ?? -1) ?? -1;
    if (own !== undefined && own !== caller) callers[own]?.add(caller);
  }
  return functions.flatMap(({ key, inclusiveShare }, index) => {
    const above = callers[index] ?? new Set();
    if (above.has(-1) || above.size === 0) return [];
    const sum = [...above].reduce((all, caller) => all + (functions[caller]?.inclusiveShare ?? 0), 0);
    return inclusiveShare > sum + rounding
      ? [`profile: ${key} has ${inclusiveShare}, and the functions that call it ${sum} together`]
      : [];
  });
}

/** A sentence that says nothing of another round speaks of the row's own shares. */
function reasonBesideShare({ key, reason, inclusiveShare, exclusiveShare }: StoredRow): readonly string[] {
  const [, percent, where] =
    /: (<?[\d.]+) % of the (?:computing|run) time is spent in (itself|it and its callees)/.exec(reason) ?? [];
  const share = where === 'itself' ? exclusiveShare : inclusiveShare;
  if (percent === undefined || share === undefined) return [];
  const said = percent.startsWith('<') ? 0 : Number(percent);
  return Math.abs(said - 100 * share) > 0.1
    ? [`functions.json: ${key} has ${share} in its row, and “${reason}”`]
    : [];
}
