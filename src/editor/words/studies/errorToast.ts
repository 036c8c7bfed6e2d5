/** A notification shows about this many characters without a scroll bar. */
const maximumLength = 360;
const outputLength = 120;
const aboutError =
  /\b(error|fatal|fail(ed|ure)?|cannot|can't|could not|unable|invalid|illegal|abort(ed|ing)?|exception|assert(ion)?|no such|not found|denied|terminate)\b/i;

/**
 * The text of a notification about an error: its first line. Of a program's output, of which the message has the last lines, the last one about
 * an error, or else the very last one, comes before the advice, because it mostly says why the program failed. Of a build, the error comes first: the
 * command and its folder are in `kymo.json`, and the log has them too.
 */
export function errorToast(message: string): string {
  const [first = '', ...more] = message.split('\n');
  const [said, rest] = splitAt(first, ' It printed last:');
  const lines = more.slice(0, firstUnindented(more)).map((line) => line.trim());
  const printed = lines.filter((line) => line !== '');
  // What a program had in its buffer comes behind its message about an error, which is not buffered.
  const last = printed.filter((line) => aboutError.test(line)).at(-1) ?? printed.at(-1);
  if (rest === undefined || last === undefined) return cut(shortBuildError(first), maximumLength);
  const [what, advice] = splitAt(said, '. ');
  return cut(
    `${what.replace(/\.$/, '')}. It printed last: “${cut(last, outputLength)}”.${advice === undefined ? '' : ` ${advice}`}`,
    maximumLength,
  );
}

/** `The build command ended with status 2: main.c:6:10: …` */
function shortBuildError(message: string): string {
  const found = /^The build command “[^”]*” in (.+?) (?=ended with status \d+: )/.exec(message);
  const [head = '', folder = ''] = found ?? [];
  return head === ''
    ? message
    : `The build command ${message.slice(head.length).replaceAll(`${folder}/`, '')}`;
}

function splitAt(text: string, separator: string): readonly [string, string?] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + separator.length)];
}

/** The message indents the lines of the program. */
function firstUnindented(lines: readonly string[]): number {
  const at = lines.findIndex((line) => !line.startsWith('  '));
  return at < 0 ? lines.length : at;
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}
