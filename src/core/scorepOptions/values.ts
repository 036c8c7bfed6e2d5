import type { OptionValues, ScorepOption, ScorepTargetSettings } from './option';

/** A target's settings as values of options. */
export interface ReadSettings {
  readonly values: OptionValues;
  /** Flags and variables of no known option; they are written back unchanged. */
  readonly otherFlags: readonly string[];
  readonly otherEnvironment: Readonly<Record<string, string>>;
}

/** `hybrid` is what `kymo.json` means when it says nothing. */
const usualFiltering = 'hybrid';

/** Reads settings. The last of repeated flags counts, as for `scorep`. */
export function readSettings(options: readonly ScorepOption[], settings: ScorepTargetSettings): ReadSettings {
  const values: Record<string, string> = {};
  const otherFlags: string[] = [];
  for (const flag of settings.flags) {
    const found = options.map((option) => valueOfFlag(option, flag)).find((one) => one !== undefined);
    if (found === undefined) otherFlags.push(flag);
    else values[found.id] = found.value;
  }
  const otherEnvironment: Record<string, string> = {};
  for (const [name, value] of Object.entries(settings.environment)) {
    const option = options.find(({ place }) => place.kind === 'variable' && place.name === name);
    if (option === undefined || value === '') otherEnvironment[name] = value;
    else values[option.id] = canonical(option, value);
  }
  const filtering = options.find(({ place }) => place.kind === 'filtering');
  if (filtering !== undefined && settings.filtering !== usualFiltering)
    values[filtering.id] = settings.filtering;
  return {
    values: Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '')),
    otherFlags,
    otherEnvironment,
  };
}

function valueOfFlag(
  option: ScorepOption,
  flag: string,
): { readonly id: string; readonly value: string } | undefined {
  if (option.place.kind !== 'flag') return undefined;
  const { id, input } = option;
  if (input.kind === 'text') {
    const { prefix } = option.place;
    return prefix !== undefined && flag.startsWith(prefix)
      ? { id, value: flag.slice(prefix.length) }
      : undefined;
  }
  const choice = input.choices.find(
    ({ value, aliases }) => value === flag || aliases?.includes(flag) === true,
  );
  return choice === undefined ? undefined : { id, value: choice.value };
}

/** The choice that means the same: Score-P takes `yes` and `on` for `true`. */
function canonical({ input }: ScorepOption, value: string): string {
  if (input.kind === 'text') return value;
  const choice = input.choices.find(({ aliases }) => aliases?.includes(value.toLowerCase()) === true);
  return choice?.value ?? value;
}

/** The flags of `scorep`, in the order of the options. */
export function flagsOf(options: readonly ScorepOption[], values: OptionValues): string[] {
  return options.flatMap(({ id, place }) => {
    const value = values[id] ?? '';
    return place.kind !== 'flag' || value === '' ? [] : [`${place.prefix ?? ''}${value}`];
  });
}

/** Variables of the measured run, in the order of the options. */
export function environmentOf(
  options: readonly ScorepOption[],
  values: OptionValues,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    options.flatMap(({ id, place }) => {
      const value = values[id] ?? '';
      return place.kind !== 'variable' || value === '' ? [] : [[place.name, value]];
    }),
  );
}

/** Settings of `kymo.json` from values, without those that Kymo sets itself; unknown flags and variables come last. */
export function writeSettings(
  options: readonly ScorepOption[],
  { values, otherFlags, otherEnvironment }: ReadSettings,
): ScorepTargetSettings {
  const written = options.filter(({ kymo }) => kymo?.kind !== 'own');
  const filtering = options.find(({ place }) => place.kind === 'filtering');
  return {
    flags: [...flagsOf(written, values), ...otherFlags],
    filtering: values[filtering?.id ?? ''] ?? usualFiltering,
    environment: { ...environmentOf(written, values), ...otherEnvironment },
  };
}

/** Whether two settings of a target mean the same to Score-P. */
export function sameSettings(a: ScorepTargetSettings, b: ScorepTargetSettings): boolean {
  const ofVariables = ({ environment }: ScorepTargetSettings): string =>
    JSON.stringify(
      Object.keys(environment)
        .sort()
        .map((name) => [name, environment[name]]),
    );
  return (
    a.filtering === b.filtering &&
    JSON.stringify(a.flags) === JSON.stringify(b.flags) &&
    ofVariables(a) === ofVariables(b)
  );
}
