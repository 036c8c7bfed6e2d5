import type { OfferedScorep } from '../../../../core/scorepOptions/option';
import { runProcess, succeeded } from '../../../launch/process';
import { findScorep, isOfMachine, type FindScorepOptions } from './findScorep';

/** A file system of a cluster can be slow at first. */
const patienceSeconds = 30;

/**
 * The options that the Score-P of this machine lists itself: versions and builds differ. Undefined when there is none.
 * @throws KymoError `scorep-broken` when there is one that does not start, `cancelled`
 */
export async function readOffered(options: FindScorepOptions): Promise<OfferedScorep | undefined> {
  const installation = await findScorep(options);
  if (installation === undefined) return undefined;
  const { path, version, features, tools } = installation;
  const { names, threads, mpps } = installation.options;
  return {
    path,
    version,
    flags: names,
    paradigms: [...threads, ...mpps, ...(features.known && !features.io ? [] : ['posix'])],
    variables: tools.info === undefined ? {} : await configVariables(tools.info, options),
  };
}

/** Empty when they cannot be read; then no variable counts as missing. */
async function configVariables(
  info: string,
  { environment = process.env, instrumenter, signal }: FindScorepOptions,
): Promise<OfferedScorep['variables']> {
  const result = await runProcess(
    { argv: [info, 'config-vars', '--full'] },
    {
      timeoutSeconds: patienceSeconds,
      env: { ...environment, LC_ALL: 'C' },
      asksMachine: isOfMachine(instrumenter),
      signal,
    },
  );
  return succeeded(result) ? parseConfigVariables(result.stdout) : {};
}

/**
 * Reads `scorep-info config-vars --full`: a variable's name is a line, its values are indented and end with a colon.
 * @param text may be hostile or empty
 */
export function parseConfigVariables(text: string): OfferedScorep['variables'] {
  const variables = new Map<string, string[]>();
  let current: string[] = [];
  for (const line of text.slice(0, 1_000_000).split('\n')) {
    const name = /^(SCOREP_\w+)\s*$/.exec(line)?.[1];
    if (name !== undefined) {
      current = [];
      variables.set(name, current);
    } else current.push(...(/^ {4}([a-z]\w*(?:\/\w+)*):(?: |$)/.exec(line)?.[1]?.split('/') ?? []));
  }
  return Object.fromEntries(variables);
}
