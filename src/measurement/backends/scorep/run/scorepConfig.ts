/** Longer values are cut; a path may have 4096 bytes. */
const longestValue = 8192;
const mostVariables = 1000;

/**
 * The variables of a run as Score-P writes them into `scorep.cfg`: lines `NAME=value` that a shell can read, with single quotes around values
 * that contain more than letters. Other lines are ignored.
 */
export function readScorepConfig(text: string): Readonly<Record<string, string>> {
  const variables = new Map<string, string>();
  const line = /^(SCOREP_[A-Z0-9_]{1,100})=(?:'((?:[^']|'\\''){0,8192})'|([^\s'"`$;&|<>()\\]*))[ \t\r]*$/gm;
  for (const [, name, quoted, plain] of text.slice(0, 1_000_000).matchAll(line)) {
    if (name === undefined || variables.size >= mostVariables) continue;
    const value = quoted?.replaceAll("'\\''", "'") ?? plain ?? '';
    variables.set(name, value.replace(/\p{Cc}/gu, '').slice(0, longestValue));
  }
  return Object.fromEntries(variables);
}
