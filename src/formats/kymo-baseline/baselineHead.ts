/**
 * Recognises a baseline file by its first bytes, also one of a newer version or one that was cut.
 * @returns undefined: it is none; the target may be missing where the file was written in another way
 */
export function baselineHead(text: string): { readonly target?: string } | undefined {
  if (!/^\{\s*"kymoBaseline"\s*:/.test(text)) return undefined;
  const [, quoted] = /"facts"\s*:\s*\{\s*"target"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(text) ?? [];
  if (quoted === undefined) return {};
  try {
    return { target: String(JSON.parse(quoted)) };
  } catch {
    return {};
  }
}
