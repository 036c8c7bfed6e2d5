/**
 * The forms in which Extra-P combines the growths of several parameters, in the order of its search: each a sum of terms, each term a product of the
 * parameters in it, by their positions.
 */
export type Form = readonly (readonly number[])[];

const forms: Readonly<Record<number, string>> = {
  2: 'xy x+y x+xy y+xy',
  3:
    'xyz x+y+z xyz+x xyz+y xyz+z xyz+xy xyz+yz xyz+xz xyz+xy+z xyz+yz+x xyz+xz+y xyz+x+y xyz+x+z xyz+y+z xy+z xy+z+y xy+z+x xz+y xz+y+x ' +
    'xz+y+z yz+x yz+x+y yz+x+z',
};

/** The forms for a number of parameters; `sumsAndProducts`: also those that mix both, which exist for two and three. */
export function combinations(parameters: number, sumsAndProducts = true): readonly Form[] {
  const all = Array.from({ length: parameters }, (_, i) => i);
  const text = sumsAndProducts ? forms[parameters] : undefined;
  return text === undefined
    ? [[all], all.map((i) => [i])]
    : text
        .split(' ')
        .map((form) => form.split('+').map((term) => Array.from(term, (name) => 'xyz'.indexOf(name))));
}
