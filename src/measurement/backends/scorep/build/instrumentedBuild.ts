import { KymoError } from '../../../../core/errors';
import { BuildError } from '../../../build/buildError';
import { buildTarget, type BuildResult } from '../../../build/buildTarget';
import type { PrepareOptions } from '../../common/backend';
import { cleanBuild, commandsOf, storeOf } from '../../common/buildSteps';
import type { InstrumenterCommand } from './instrumenterCommand';
import { explainScorepProblem, type ScorepProblem } from '../installation/explainScorepProblem';

/** A successful build by Score-P, or the mark of a crash of its plug-in. */
export type InstrumentedBuild = BuildResult | { readonly pluginCrashed: true };

/**
 * Builds the target anew with an instrumenter before each command of the compilers.
 * @returns `pluginCrashed` when gcc crashed in the plug-in, as Score-P 8.4 does for constructors and destructors with -flto
 * @throws KymoError `build-failed`, or the reason of a `ScorepProblem`; `cancelled`
 */
export async function instrumentedBuild(
  options: PrepareOptions,
  { always, atLink }: InstrumenterCommand,
): Promise<InstrumentedBuild> {
  await cleanBuild(options);
  try {
    return await buildTarget({
      ...commandsOf(options, storeOf(options)),
      kind: 'instrumenting',
      instrumenter: always,
      instrumenterAtLink: atLink,
    });
  } catch (error) {
    if (!(error instanceof BuildError)) throw error;
    const problem = explainScorepProblem(error.output);
    if (problem === undefined) throw error;
    if (problem.reason === 'scorep-lto-constructor') return { pluginCrashed: true };
    throw explained(problem, error);
  }
}

function explained(problem: ScorepProblem, cause: BuildError): KymoError {
  return new KymoError(
    problem.reason,
    `The build with Score-P (“${cause.command}”) did not succeed. ${problem.message}`,
    problem.where ?? cause.where,
    { cause },
  );
}
