import { at } from '../../at';

/** Stands for what labels do not share. It never matches a star in a label. */
export const wildCard = '*';

const token = /\d+|[A-Za-z]+|[^A-Za-z\d]/gu;

/**
 * What all labels have in common, in their order: `c33.cs.wisc.edu` and `c34.cs.wisc.edu` are `c*.cs.wisc.edu`. The longest common subsequence of tokens (runs of
 * digits, runs of letters, other characters), with a star for each gap. Labels are taken in the order of their texts, so that the result depends on the set alone.
 */
export function generalise(labels: Iterable<string>): string {
  const [first, ...others] = [...new Set(labels)].sort();
  if (first === undefined) return wildCard;
  if (others.length === 0) return first;
  let common = tokensOf(first);
  for (const label of others) common = commonTokens(common, tokensOf(label));
  return common.map((own) => own ?? wildCard).join('');
}

/** Undefined is a gap. A star in a label is a gap too: nothing may look like one that is not. */
type Tokens = readonly (string | undefined)[];

function tokensOf(label: string): Tokens {
  return (label.match(token) ?? []).map((text) => (text === wildCard ? undefined : text));
}

/** By dynamic programming over the ends of both. */
function commonTokens(a: Tokens, b: Tokens): Tokens {
  const lengths = commonLengths(a, b);
  const width = b.length + 1;
  const length = (i: number, j: number): number => at(lengths, i * width + j);
  const common: (string | undefined)[] = [];
  let [i, j] = [0, 0];
  let isGap = false;
  while (i < a.length && j < b.length) {
    if (a[i] !== undefined && a[i] === b[j]) {
      if (isGap) common.push(undefined);
      isGap = false;
      common.push(a[i]);
      i++;
      j++;
    } else {
      isGap = true;
      if (length(i + 1, j) >= length(i, j + 1)) i++;
      else j++;
    }
  }
  if (isGap || i < a.length || j < b.length) common.push(undefined);
  return common;
}

/** Of the longest common subsequences of what begins at `i` in `a` and at `j` in `b`, row by row. */
function commonLengths(a: Tokens, b: Tokens): Uint16Array {
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--) {
      const isSame = a[i] !== undefined && a[i] === b[j];
      lengths[i * width + j] = isSame
        ? at(lengths, (i + 1) * width + j + 1) + 1
        : Math.max(at(lengths, (i + 1) * width + j), at(lengths, i * width + j + 1));
    }
  return lengths;
}
