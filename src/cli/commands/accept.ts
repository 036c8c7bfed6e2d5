import { acceptOfTarget } from '../../workflows/accept';
import { wholeNumber } from '../arguments/options';
import type { RegisterCommand } from '../execution/context';

interface AcceptFlags {
  readonly study?: string;
  readonly iteration?: number;
}

/** `kymo accept`: accepts the selection of a refinement. */
export const registerAccept: RegisterCommand = (program, run) => {
  program
    .command('accept')
    .description(
      "makes the selection of a round the target's own; measure records it unless a filter is given",
    )
    .option('--study <name>', 'folder name of the study (default: the newest)')
    .option('--iteration <number>', 'number of the round (default: the last)', wholeNumber)
    .action((flags: AcceptFlags) =>
      run(async ({ workspace, target }) => {
        const {
          target: name,
          study,
          iteration,
        } = await acceptOfTarget({
          workspace,
          ...(target === undefined ? {} : { target }),
          ...flags,
        });
        return {
          result: { target: name, study, iteration },
          text: `Accepted round ${iteration} of ${study} for ${name}: "kymo measure" records it unless a filter is given.\n`,
        };
      }),
    );
};
