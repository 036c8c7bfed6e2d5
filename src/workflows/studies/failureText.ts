/** Longer messages are cut; the log has them. */
const maximumLength = 300;

/** The error that ended a study, as its files store it: one line. */
export function failureText(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const [first = ''] = message.split('\n');
  return first.length <= maximumLength ? first : `${first.slice(0, maximumLength - 1)}…`;
}
