import { equalFractions, fraction, numberOf, parseFraction, zero, type Fraction } from './fraction';

/** The growth of one parameter: x^exponent · log2(x)^logExponent. */
export interface Growth {
  readonly exponent: Fraction;
  readonly logExponent: Fraction;
}

/** Which growths are tried, as Extra-P names its options. */
export interface SearchSpaceOptions {
  /** Whether growths with logarithms are tried; the default is true. */
  readonly logTerms?: boolean;
  /** Whether growths that fall are tried; the default is false. */
  readonly negativeExponents?: boolean;
  /** Exponents in place of the default list, separated by commas. */
  readonly exponents?: string;
  /** Exponents of logarithms in place of the default list, separated by commas. */
  readonly logExponents?: string;
  /** Only products of own exponents and own exponents of logarithms. */
  readonly onlyCombinations?: boolean;
  /** The default list follows the own ones. */
  readonly keepDefaults?: boolean;
}

/** The 42 pairs of exponents of Extra-P's performance model normal form, in the order of its search: of equal ones the first wins. */
const defaultPairs =
  '0,1 0,2 1/4,0 1/3,0 1/4,1 1/3,1 1/4,2 1/3,2 1/2,0 1/2,1 1/2,2 2/3,0 3/4,0 2/3,1 3/4,1 4/5,0 2/3,2 3/4,2 1,0 1,1 1,2 5/4,0 5/4,1 4/3,0 ' +
  '4/3,1 3/2,0 3/2,1 3/2,2 5/3,0 7/4,0 2,0 2,1 2,2 9/4,0 7/3,0 5/2,0 5/2,1 5/2,2 8/3,0 11/4,0 3,0 3,1';
const negativeLogPairs =
  '0,-1 0,-2 -1/4,-1 -1/3,-1 -1/4,-2 -1/3,-2 -1/2,-1 -1/2,-2 -2/3,-1 -3/4,-1 -2/3,-2 -3/4,-2 -1,-1 -1,-2 -5/4,-1 -4/3,-1 -3/2,-1 -3/2,-2 ' +
  '-2,-1 -2,-2 -5/2,-1 -5/2,-2 -3,-1';

/** The growths that a search tries, in its order. */
export function searchSpace(options: SearchSpaceOptions = {}): readonly Growth[] {
  const own = ownGrowths(options);
  if (own === undefined) return defaultGrowths(options);
  return options.keepDefaults === true ? [...own, ...defaultGrowths(options)] : own;
}

function defaultGrowths({
  logTerms = true,
  negativeExponents = false,
}: SearchSpaceOptions): readonly Growth[] {
  const all = pairs(defaultPairs);
  const powers = all.filter(isPower);
  const growths = logTerms ? all : [...powers].sort((a, b) => numberOf(a.exponent) - numberOf(b.exponent));
  if (!negativeExponents) return growths;
  const falling = [...powers]
    .sort((a, b) => numberOf(a.exponent) - numberOf(b.exponent))
    .map(({ exponent }) => ({
      exponent: fraction(-exponent.numerator, exponent.denominator),
      logExponent: zero,
    }));
  return [...growths, ...(logTerms ? pairs(negativeLogPairs) : []), ...falling];
}

/** Growths from the user's own lists; undefined when both lists are empty. Pieces that are no numbers do not count. */
function ownGrowths({
  exponents,
  logExponents,
  onlyCombinations,
}: SearchSpaceOptions): readonly Growth[] | undefined {
  const powers = fractions(exponents);
  const logarithms = fractions(logExponents);
  if (powers.length + logarithms.length === 0) return undefined;
  const products = powers.flatMap((exponent) => logarithms.map((logExponent) => ({ exponent, logExponent })));
  const growths =
    onlyCombinations === true
      ? products
      : [
          ...powers.map((exponent) => ({ exponent, logExponent: zero })),
          ...logarithms.map((logExponent) => ({ exponent: zero, logExponent })),
          ...products,
        ];
  return growths.filter((growth) => !isConstant(growth));
}

function pairs(text: string): readonly Growth[] {
  return text.split(' ').map((pair) => {
    const [exponent = zero, logExponent = zero] = fractions(pair);
    return { exponent, logExponent };
  });
}

function fractions(list = ''): readonly Fraction[] {
  return list.split(',').flatMap((piece) => parseFraction(piece) ?? []);
}

/** Whether a growth has no logarithm. */
export function isPower({ logExponent }: Growth): boolean {
  return equalFractions(logExponent, zero);
}

function isConstant({ exponent, logExponent }: Growth): boolean {
  return equalFractions(exponent, zero) && equalFractions(logExponent, zero);
}
