import { setImmediate } from 'node:timers/promises';
import { isKymoError } from '../../core/errors';
import type { ProgressSink } from '../../core/progress';
import { distrustWorkspace } from '../../measurement/launch/trust';
import { version } from '../../../package.json';
import type { CliContext } from '../execution/context';
import { cleaned, cleanMessage } from './answers';
import { ProgressNotes, type SendProgress } from './progressNotes';
import { ServedFolder } from './servedFolder';
import type { Permission, ToolContext } from './tool';
import { instructions, toolNamed, tools } from './tools';

/** A user may think about a question for this long. */
const longestQuestionMilliseconds = 30 * 60_000;

/**
 * Serves one client over standard input and output until it closes the connection, or until the command is cancelled. Nothing of the workspace
 * starts before the user allowed it.
 */
export async function serve({ workspace, signal, progress }: CliContext, isAllowed: boolean): Promise<void> {
  const protocol = await import('./protocol');
  distrustWorkspace();
  const served = new ServedFolder(workspace);
  // oxlint-disable-next-line typescript/no-deprecated
  const server = new protocol.Server(
    { name: 'kymo', title: 'Kymo', version },
    { capabilities: { tools: {} }, instructions },
  );
  const permission = (): Permission => ({
    isAllowed,
    ask:
      server.getClientCapabilities()?.elicitation?.form === undefined
        ? undefined
        : async (message, asked) => {
            const { action } = await server.elicitInput(
              { message, requestedSchema: { type: 'object', properties: {} } },
              { signal: asked, timeout: longestQuestionMilliseconds },
            );
            return action;
          },
  });
  server.setRequestHandler(protocol.ListToolsRequestSchema, () => ({ tools: tools.map(listed) }));
  server.setRequestHandler(protocol.CallToolRequestSchema, async ({ params }, extra) => {
    const token = params._meta?.progressToken;
    const send: SendProgress | undefined =
      token === undefined
        ? undefined
        : (step) =>
            extra.sendNotification({
              method: 'notifications/progress',
              params: { progressToken: token, ...step },
            });
    const notes = new ProgressNotes(send, progress);
    try {
      const context = {
        served,
        signal: extra.signal,
        progress: notes,
        now: Date.now(),
        permission: permission(),
      };
      return await answer(params.name, params.arguments, context, progress);
    } finally {
      notes.end();
    }
  });
  const closed = new Promise<void>((resolve) => (server.onclose = resolve));
  server.onerror = (error) => {
    progress.log(`Protocol: ${cleanMessage(error.message)}`);
    // The transport answers nothing to a line that is no JSON.
    if (error instanceof SyntaxError) process.stdout.write(`${JSON.stringify(parseError)}\n`);
  };
  await server.connect(new protocol.StdioServerTransport());
  const close = (): void => void server.close();
  // A client that goes away ends its input; the transport does not look at that. What it asked is answered first, and what runs is ended.
  const end = (): void => void answersSent().then(close);
  process.stdin.once('end', end).once('close', end);
  signal.addEventListener('abort', close, { once: true });
  progress.log(`Kymo serves ${served.folder} to an assistant.`);
  await closed;
  await ended();
}

interface Answered {
  readonly [name: string]: unknown;
  readonly content: { readonly type: 'text'; readonly text: string }[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: true;
}

/** JSON-RPC 2.0, section 5.1. */
const parseError = { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } };

/** Calls of tools that only read, which take seconds. */
const reading = new Set<Promise<unknown>>();

/** Requests are begun and answered in microtasks. */
async function answersSent(): Promise<void> {
  await setImmediate();
  await Promise.allSettled(reading);
  await setImmediate();
}

const unfinished = new Set<Promise<unknown>>();

/** What was cancelled has ended its programs by then. */
async function ended(): Promise<void> {
  await Promise.allSettled([...reading, ...unfinished]);
}

async function answer(
  name: string,
  given: unknown,
  context: ToolContext,
  log: ProgressSink,
): Promise<Answered> {
  try {
    const tool = toolNamed(name);
    const work = tool.call(given, context);
    const open = tool.readOnly ? reading : unfinished;
    open.add(work);
    const result = await work.finally(() => open.delete(work));
    const structuredContent = cleaned(result) as Record<string, unknown>;
    return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
  } catch (error) {
    if (!isKymoError(error) && error instanceof Error && !context.signal.aborted)
      log.log(error.stack ?? error.message);
    return { content: [{ type: 'text', text: cleanMessage(messageOf(error)) }], isError: true };
  }
}

function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (!isKymoError(error)) return message;
  const { file, line } = error.where;
  const place =
    file === undefined || message.includes(file) ? '' : `\n${file}${line === undefined ? '' : `:${line}`}`;
  return `${message}${place}`;
}

function listed({ name, title, description, readOnly, input }: (typeof tools)[number]): {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: { type: 'object'; properties: Record<string, object> };
  readonly annotations: object;
} {
  return {
    name,
    title,
    description,
    inputSchema: { ...input, properties: { ...input.properties } },
    annotations: {
      title,
      readOnlyHint: readOnly,
      destructiveHint: false,
      idempotentHint: readOnly,
      openWorldHint: false,
    },
  };
}
