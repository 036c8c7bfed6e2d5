/** Where the text under test pretends to be. */
export const file = '/home/ada/my program/kymo.json';

/** The keys that a target must have. */
export const minimal = { name: 'nbody', build: { command: 'make CC=${cc}' }, executable: './nbody' };

/** A file with one target that has more than it must have. */
export const withTarget = (more: object): string =>
  JSON.stringify({ version: 1, targets: [{ ...minimal, ...more }] });
