/**
 * How programs are made to run longer: the position of the argument that does it, its usual value, and the power of it that the time grows with. For
 * bzip2 it is the number of times that its input is named.
 */
export const lengths = new Map([
  ['nbody', { at: 3, length: 150 }],
  ['stencil', { at: 1, length: 4000 }],
  // It has converged after fewer iterations than it may do: it takes longer with more cells.
  ['solver', { at: 0, length: 1500, power: 2 }],
  ['treecode', { at: 1, length: 40 }],
  ['channel', { at: 2, length: 1000 }],
  // Its steps become longer.
  ['degrading', { at: 1, length: 160, power: 2 }],
  ['growth', { at: 0, length: 2048, power: 2 }],
  ['heat', { at: 1, length: 1250 }],
  ['roles', { at: 0, length: 30 }],
  ['metis', { at: 0, length: 4, text: (n) => `-ncuts=${n}` }],
  ['bzip2', { at: 2, length: 2, many: (n) => Array(n).fill('words') }],
]);

/** The program with this length, and time enough for it. */
export function longer(program, length) {
  const { at, text = String, many = (n) => [text(n)] } = lengths.get(program.name);
  const { run } = program.target;
  const words = [...run.arguments.slice(0, at), ...many(length), ...run.arguments.slice(at + 1)];
  return {
    ...program,
    target: { ...program.target, run: { ...run, arguments: words, timeoutSeconds: 1800 } },
  };
}
