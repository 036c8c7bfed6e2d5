import { KymoError } from '../../core/errors';
import { visibleControls } from '../../core/names/visibleControls';
import { targetCommands } from '../../engine/requests/targetCommands';
import { loadConfig, selectTarget } from '../../measurement/config/loadConfig';
import { distrustWorkspace, trustWorkspace } from '../../measurement/launch/trust';
import type { ToolContext } from './tool';

/** What an assistant wants to have built and run. */
export interface WantedWork {
  /** `Kymo refines`, `Kymo measures` */
  readonly what: string;
  readonly target: string | undefined;
  /** What the assistant chose, such as `5 repetitions`. */
  readonly choices: readonly string[];
}

/** One build at a time: others would take its processors, and falsify what it measures. */
let isRunning = false;

/**
 * Builds and runs only what the user allowed: asks in the client, with every command that `kymo.json` defines, or relies on `--allow-run` where
 * the client cannot ask.
 * @throws KymoError `busy`, `not-allowed`, `declined`, `commands-changed`
 */
export async function permitted<Result>(
  work: WantedWork,
  context: ToolContext,
  run: (target: string) => Promise<Result>,
): Promise<Result> {
  if (isRunning)
    throw new KymoError(
      'busy',
      'Kymo is building or measuring for an earlier call. Wait until it has ended, or cancel it.',
    );
  isRunning = true;
  try {
    const asked = await questionFor(work, context);
    await requireConsent(asked.question, context);
    // While the user decided, the file could be changed.
    const now = await questionFor(work, context);
    if (now.question !== asked.question)
      throw new KymoError(
        'commands-changed',
        'kymo.json was changed while the user was asked, so nothing was run. Call the tool again.',
      );
    return await trusted(() => run(asked.target));
  } finally {
    isRunning = false;
  }
}

async function trusted<Result>(run: () => Promise<Result>): Promise<Result> {
  trustWorkspace();
  try {
    return await run();
  } finally {
    distrustWorkspace();
  }
}

async function questionFor(
  { what, target: wanted, choices }: WantedWork,
  { served }: ToolContext,
): Promise<{ readonly target: string; readonly question: string }> {
  const { config } = await loadConfig(served.folder);
  const target = selectTarget(config, wanted);
  const commands = targetCommands(target).map(({ purpose, line }) => `${purpose}:  ${visibleControls(line)}`);
  const question = [
    `${what} the target ${visibleControls(target.name)}. This builds and runs programs with these commands of kymo.json:`,
    ...commands,
    `in ${visibleControls(served.folder)}.`,
    ...(choices.length === 0 ? [] : [`Chosen by the assistant: ${choices.map(visibleControls).join(', ')}.`]),
    'Allow it?',
  ].join('\n');
  return { target: target.name, question };
}

async function requireConsent(
  question: string,
  { permission: { ask, isAllowed }, signal, progress }: ToolContext,
): Promise<void> {
  if (ask === undefined) {
    if (isAllowed) return;
    throw new KymoError(
      'not-allowed',
      'Kymo builds and runs programs only with the user’s consent, and this client cannot ask its user (it has no elicitation). The user can run the command themselves (kymo refine, kymo measure, kymo study), or start this server with “kymo mcp --allow-run” if they trust the folder.',
    );
  }
  progress.report({ message: 'Waiting for the user’s consent' });
  const answer = await ask(question, signal);
  signal.throwIfAborted();
  if (answer !== 'accept')
    throw new KymoError(
      'declined',
      `The user ${answer === 'decline' ? 'declined' : 'dismissed the question'}: nothing was built or run. Call the tool again only if the user asks for it.`,
    );
}
