import type { OptionChoice } from '../../../../../core/scorepOptions/option';

/** Other ways to write `true` and `false` that Score-P takes. */
export const isOn = ['true', 'yes', 'on', '1'];
export const isOff = ['false', 'no', 'off', '0'];

type Choices = readonly [OptionChoice, ...OptionChoice[]];

/** Of a variable that is on unless it is switched off. */
export const usuallyOn: Choices = [
  { value: '', label: 'On (default)', aliases: isOn },
  { value: 'false', label: 'Off', aliases: isOff },
];

export const usuallyOff: Choices = [
  { value: '', label: 'Off (default)', aliases: isOff },
  { value: 'true', label: 'On', aliases: isOn },
];
