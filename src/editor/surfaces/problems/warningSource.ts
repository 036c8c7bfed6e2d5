/** Source of this extension's problems in the Problems view. */
export const warningSource = 'Kymo';

/** Of a file that was opened by itself: its name follows. */
export function warningSourceOf(file: string): string {
  return `${warningSource}: ${file}`;
}

export function isWarningSource(source: string | undefined): boolean {
  return source !== undefined && (source === warningSource || source.startsWith(warningSourceOf('')));
}
