import { beforeEach, describe, expect, it, vi } from 'vitest';
import manifest from '../../../../../package.json';

interface Provider {
  readonly provideMcpServerDefinitions: () => Promise<readonly { readonly given: readonly unknown[] }[]>;
}

const state = vi.hoisted(() => ({
  trusted: true,
  configured: new Set<string>(),
  providers: new Map<string, Provider>(),
  changes: 0,
  granted: [] as (() => void)[],
}));

vi.mock('vscode', () => {
  const idle = () => ({ dispose: () => undefined });
  class Definition {
    readonly given: readonly unknown[];
    constructor(...given: readonly unknown[]) {
      this.given = given;
    }
  }
  const uri = (fsPath: string) => ({ fsPath, scheme: 'file' });
  return {
    EventEmitter: class {
      event = idle;
      fire = () => {
        state.changes++;
      };
      dispose = () => undefined;
    },
    Uri: {
      joinPath: ({ fsPath }: { readonly fsPath: string }, ...parts: readonly string[]) =>
        uri([fsPath, ...parts].join('/')),
    },
    McpStdioServerDefinition: Definition,
    lm: {
      registerMcpServerDefinitionProvider: (id: string, provider: Provider) => {
        state.providers.set(id, provider);
        return { dispose: () => state.providers.delete(id) };
      },
    },
    workspace: {
      get isTrusted() {
        return state.trusted;
      },
      workspaceFolders: ['a', 'b'].map((name) => ({ name, uri: uri(`/work/${name}`) })),
      createFileSystemWatcher: () => ({ onDidCreate: idle, onDidDelete: idle, ...idle() }),
      onDidGrantWorkspaceTrust: (then: () => void) => {
        state.granted.push(then);
        return idle();
      },
      onDidChangeWorkspaceFolders: idle,
      fs: {
        stat: ({ fsPath }: { readonly fsPath: string }) =>
          state.configured.has(fsPath) ? Promise.resolve({}) : Promise.reject(new Error('missing')),
      },
    },
  };
});
const { AssistantServers, assistantServers } =
  await import('../../../../../src/editor/surfaces/assistants/assistantServers');
const { hasAssistants } = await import('../../../../../src/editor/surfaces/assistants/assistantApi');

const kymo = {
  extension: { extensionUri: { fsPath: '/extension' }, extension: { packageJSON: { version: '1.2.3' } } },
};
const offered = async (): Promise<readonly unknown[]> =>
  ((await state.providers.get(assistantServers)?.provideMcpServerDefinitions()) ?? []).map(
    ({ given }) => given,
  );

describe('servers for the language models of VS Code', () => {
  beforeEach(() => {
    state.trusted = true;
    state.configured = new Set(['/work/b/kymo.json']);
  });

  it('are offered for folders with a kymo.json, with what package.json declares', async () => {
    const servers = new AssistantServers(kymo as never);
    expect(await offered()).toEqual([
      [
        'Kymo: b',
        process.execPath,
        ['/extension/dist/cli.js', 'mcp', '--workspace', '/work/b'],
        { ELECTRON_RUN_AS_NODE: '1' },
        '1.2.3',
      ],
    ]);
    expect(manifest.contributes.mcpServerDefinitionProviders.map(({ id }) => id)).toEqual([assistantServers]);
    servers.dispose();
    expect(state.providers.size).toBe(0);
  });

  it('are not offered in an untrusted workspace, until it is trusted', async () => {
    state.trusted = false;
    new AssistantServers(kymo as never);
    expect(await offered()).toEqual([]);
    const before = state.changes;
    state.trusted = true;
    for (const then of state.granted) then();
    expect(state.changes).toBeGreaterThan(before);
    expect(await offered()).toHaveLength(1);
  });

  it('need a VS Code that knows them', () => {
    expect(hasAssistants({})).toBe(false);
    expect(hasAssistants({ lm: { registerTool: () => undefined } })).toBe(false);
  });
});
