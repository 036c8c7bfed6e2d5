import { formatCount } from '../format';

/** Smaller chances are no longer worth telling apart. */
const least = 1e-6;

/** `In 1 of 2000 series without a change the evidence is as strong.` */
export function chanceSentence(chance: number): string {
  return `In ${chance < least ? 'less than ' : ''}${chanceText(chance)} series without a change the evidence is as strong.`;
}

/** `1 of 2000`, with two significant digits. */
export function chanceText(chance: number): string {
  return `1 of ${formatCount(Number((1 / Math.max(chance, least)).toPrecision(2)))}`;
}
