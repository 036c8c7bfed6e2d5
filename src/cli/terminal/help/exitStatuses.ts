/** What the exit status of each command means: status and meaning. */
export const exitStatuses: readonly (readonly [status: string, meaning: string])[] = [
  ['0', 'Done.'],
  ['1', 'Failed, or done with errors found (kymo filter check, kymo doctor).'],
  ['2', 'Wrong usage or configuration.'],
  ['3', 'Done, and a limit was exceeded that was given with --fail-above.'],
  ['4', 'Done, but points of a study failed.'],
  ['130', 'Cancelled. What was measured until then is complete, and the same command resumes it.'],
];
