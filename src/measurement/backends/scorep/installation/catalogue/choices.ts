import type { OptionChoice, ScorepGroup, ScorepOption } from '../../../../../core/scorepOptions/option';

/** Other spellings of `true` and `false` that Score-P accepts. */
export const isOn = ['true', 'yes', 'on', '1'];
export const isOff = ['false', 'no', 'off', '0'];

type Choices = readonly [OptionChoice, ...OptionChoice[]];

/** Choices of a variable that is on by default. */
export const usuallyOn: Choices = [
  { value: '', label: 'On (default)', aliases: isOn },
  { value: 'false', label: 'Off', aliases: isOff },
];

export const usuallyOff: Choices = [
  { value: '', label: 'Off (default)', aliases: isOff },
  { value: 'true', label: 'On', aliases: isOn },
];

/** Options that are environment variables of a run, named by their ids. */
export function variables(
  group: ScorepGroup,
  options: readonly Omit<ScorepOption, 'group' | 'place'>[],
): readonly ScorepOption[] {
  return options.map((option) => ({ ...option, group, place: { kind: 'variable', name: option.id } }));
}
