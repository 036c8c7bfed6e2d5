import { createHash } from 'node:crypto';

/** Folder names end at 255 bytes on all usual file systems; the rest is room for suffixes of temporary names. */
const longestName = 200;

/**
 * The folder of an experiment as Extra-P reads it: `<prefix>.<param><value>….r<rep>`, the parameters in the given order and
 * without dots between them (for Extra-P, the parameters end at the first ".r").
 * Characters that a folder's name cannot contain are replaced, and a hash keeps different names different.
 * @param repetition from 1
 */
export function experimentName(
  prefix: string,
  parameters: Readonly<Record<string, string>>,
  repetition: number,
): string {
  const pairs = Object.entries(parameters);
  const exact = pairs.map(([name, value]) => `${name}${value}`).join('');
  // For Extra-P, parameters follow the first dot.
  const safePrefix = harmless(prefix).replaceAll('.', '_') || 'run';
  const safe = harmless(exact);
  const tail = `.r${repetition}`;
  const plain = `${safePrefix}${safe === '' ? '' : `.${safe}`}${tail}`;
  const unchanged = safePrefix === prefix && safe === exact && Buffer.byteLength(plain) <= longestName;
  if (unchanged && !mayRepeat(pairs)) return plain;
  const hash = createHash('sha256')
    .update(JSON.stringify([prefix, pairs]))
    .digest('hex')
    .slice(0, 8);
  return `${safePrefix.slice(0, 40)}${safe === '' ? '' : `.${safe.slice(0, 100)}`}_${hash}${tail}`;
}

/** Text values and names with digits could give two configurations the same name: `n1`+`2` and `n`+`12`. */
function mayRepeat(pairs: readonly (readonly [string, string])[]): boolean {
  return pairs.some(
    ([name, value]) => /[0-9]/.test(name) || (pairs.length > 1 && !/^-?[0-9]+(\.[0-9]+)?$/.test(value)),
  );
}

function harmless(text: string): string {
  return text.replace(/[^A-Za-z0-9._+-]/g, '_');
}
