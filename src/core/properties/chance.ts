import { formatCount } from '../format';

/** Smaller chances are no longer worth telling apart. */
const least = 1e-6;

/** `In 1 of 2000 series without a change the evidence is as strong.` */
export function chanceSentence(chance: number): string {
  const share = chance < least ? 'less than 1 of a million' : chanceText(chance);
  return `In ${share} series without a change the evidence is as strong.`;
}

/** `1 of 2000`, with two significant digits; `<1 of 1 M`. */
export function chanceText(chance: number): string {
  if (chance < least) return `<${chanceText(least)}`;
  return `1 of ${formatCount(Number((1 / chance).toPrecision(2)))}`;
}
