import { which } from '../../scripts/lib/system.mjs';

/** Those of the programs that this machine has; prints a message for each of the others. */
export function installed(programs) {
  return programs.filter((program) => {
    if (which(program) !== undefined) return true;
    console.log(`left out: ${program} is not installed`);
    return false;
  });
}
