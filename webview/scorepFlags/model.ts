import { adviceFor } from '../../src/core/scorepOptions/advice';
import { valueProblem } from '../../src/core/scorepOptions/checkValue';
import { commandLines, type CommandLines } from '../../src/core/scorepOptions/commandLines';
import type { AdviceRule, OfferedScorep, OptionValues } from '../../src/core/scorepOptions/option';
import { environmentOf, flagsOf, readSettings, type ReadSettings } from '../../src/core/scorepOptions/values';
import type { ScorepFlagsShown, ShownTarget } from '../../src/protocol/scorepFlags';

/** The state of the view that all its parts show. */
export interface Moment {
  readonly shown: ScorepFlagsShown;
  readonly target: ShownTarget | undefined;
  /** Settings of the target in `kymo.json`, or Score-P's defaults. */
  readonly base: ReadSettings;
  readonly values: OptionValues;
  readonly offered: OfferedScorep | undefined;
  readonly advice: readonly AdviceRule[];
  /** By option: the reason why its value is invalid. */
  readonly problems: Readonly<Record<string, string>>;
  /** Options whose values differ from those in `kymo.json`. */
  readonly changed: readonly string[];
  readonly lines: readonly CommandLines[];
}

export function baseOf(shown: ScorepFlagsShown, target: ShownTarget | undefined): ReadSettings {
  return target === undefined
    ? { values: {}, otherFlags: [], otherEnvironment: {} }
    : readSettings(shown.catalogue.options, target.settings);
}

export function momentOf(
  shown: ScorepFlagsShown,
  target: ShownTarget | undefined,
  values: OptionValues,
): Moment {
  const { options, advice } = shown.catalogue;
  const base = baseOf(shown, target);
  const instrumenter = target?.instrumenter ?? 'scorep';
  const installation = shown.installations[instrumenter];
  const problems = options.flatMap((option): [string, string][] => {
    const problem = valueProblem(option, values[option.id] ?? '');
    return problem === undefined ? [] : [[option.id, problem]];
  });
  return {
    shown,
    target,
    base,
    values,
    offered: installation !== undefined && 'offered' in installation ? installation.offered : undefined,
    advice: adviceFor(advice, values, shown.facts),
    problems: Object.fromEntries(problems),
    changed: options.map(({ id }) => id).filter((id) => (values[id] ?? '') !== (base.values[id] ?? '')),
    lines: commandLines({
      flags: [...flagsOf(options, values), ...base.otherFlags],
      environment: { ...environmentOf(options, values), ...base.otherEnvironment },
      instrumenter,
      languages: shown.languages,
    }),
  };
}

/** Changed options that `kymo.json` can contain: Kymo's own settings are not written there. */
export function unwritten({ shown, changed }: Moment): readonly string[] {
  const own = new Set(shown.catalogue.options.filter(({ kymo }) => kymo?.kind === 'own').map(({ id }) => id));
  return changed.filter((id) => !own.has(id));
}

/** Sets the value of an option; an empty value is Score-P's default and is removed. */
export function withValue(values: OptionValues, id: string, value: string): OptionValues {
  const entries = Object.entries(values).filter(([other]) => other !== id);
  return Object.fromEntries(value === '' ? entries : [...entries, [id, value]]);
}

/** Whether two sets of values are equal. */
export function sameValues(a: OptionValues, b: OptionValues): boolean {
  const ids = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...ids].every((id) => (a[id] ?? '') === (b[id] ?? ''));
}
