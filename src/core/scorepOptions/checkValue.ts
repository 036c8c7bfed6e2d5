import type { ScorepOption, TextFormat } from './option';

/** Maximum length of a value, which also bounds messages of the webview. */
export const longestValue = 1000;

/** Why a value cannot be used, as a sentence; undefined: it can. Values of `kymo.json` that are no choice are Score-P's to judge. */
export function valueProblem({ input }: ScorepOption, value: string): string | undefined {
  if (value === '') return undefined;
  if (value.length > longestValue) return `At most ${longestValue} characters.`;
  if (/\p{Cc}/u.test(value)) return 'Control characters cannot be used.';
  return input.kind === 'text' ? formatProblem(input.format, value) : undefined;
}

function formatProblem(format: TextFormat, value: string): string | undefined {
  switch (format.kind) {
    case 'size':
      return sizeProblem(value, format.below);
    case 'count': {
      const { least, most } = format;
      const count = /^\d{1,12}$/.test(value) ? Number(value) : Number.NaN;
      return count >= least && count <= most
        ? undefined
        : `A whole number from ${least} to ${most}, such as ${Math.min(most, 200)}.`;
    }
    case 'names':
      return namesProblem(value, format.known);
    case 'file':
      return value.startsWith('/') || !format.absolute
        ? undefined
        : 'An absolute path: builds change folders.';
  }
}

const units: Readonly<Record<string, number>> = { '': 1, k: 1 << 10, m: 1 << 20, g: 1 << 30 };

function sizeProblem(value: string, below: number): string | undefined {
  const [, number = '', unit = ''] = /^(\d{1,12})([kmg]?)b?$/i.exec(value) ?? [];
  if (number === '') return 'Bytes, with k, M or G for more: such as 200M.';
  const bytes = Number(number) * (units[unit.toLowerCase()] ?? 1);
  if (bytes === 0) return 'More than nothing.';
  return bytes < below ? undefined : `Less than ${below / 2 ** 30} GB: Score-P takes no more per process.`;
}

function namesProblem(value: string, known: readonly string[] | undefined): string | undefined {
  const names = value.split(',').map((name) => name.trim());
  if (names.includes('')) return 'Names with one comma between, such as a,b.';
  const unknown = known === undefined ? undefined : names.find((name) => !known.includes(name.toLowerCase()));
  return unknown === undefined || known === undefined
    ? undefined
    : `“${unknown}” is none of ${known.join(', ')}.`;
}
