import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import manifest from '../../../../../package.json';
import { buildFiles } from '../../../../../src/editor/words/settings/buildFiles';

const window = vi.hoisted(() => {
  type Listener = () => void;
  const listeners: Listener[] = [];
  const on = (listener: Listener) => {
    listeners.push(listener);
    return { dispose: () => undefined };
  };
  return {
    ...{ isTrusted: true, files: [] as string[], scheme: 'file', isShown: false, listeners, on },
    item: { command: '' },
  };
});
vi.mock('vscode', () => ({
  StatusBarAlignment: { Left: 1 },
  l10n: { t: (text: string) => text },
  window: {
    createStatusBarItem: () =>
      Object.assign(window.item, {
        show: () => (window.isShown = true),
        hide: () => (window.isShown = false),
        dispose: () => undefined,
      }),
  },
  workspace: {
    get isTrusted() {
      return window.isTrusted;
    },
    get workspaceFolders() {
      return [{ name: 'w', uri: { scheme: window.scheme, fsPath: '/w' } }];
    },
    fs: { readDirectory: () => Promise.resolve(window.files.map((name) => [name, 1])) },
    createFileSystemWatcher: () => ({
      onDidCreate: window.on,
      onDidDelete: window.on,
      dispose: () => undefined,
    }),
    onDidGrantWorkspaceTrust: window.on,
    onDidChangeWorkspaceFolders: window.on,
  },
}));
const { StartStatus } = await import('../../../../../src/editor/surfaces/status/startStatus');

/** Whether the window offers the first refinement once something has happened. */
async function isOffered(change: Partial<Pick<typeof window, 'isTrusted' | 'files' | 'scheme'>>) {
  Object.assign(window, change);
  for (const listener of window.listeners) listener();
  await setImmediate();
  return window.isShown;
}

beforeEach(() => {
  Object.assign(window, { isTrusted: true, files: [], scheme: 'file', isShown: false });
  window.listeners.length = 0;
  new StartStatus();
});

describe('the first refinement in the status bar', () => {
  it('is offered with each build system, until there is a kymo.json', async () => {
    for (const file of buildFiles) {
      expect(await isOffered({ files: ['main.c', file] }), file).toBe(true);
      expect(await isOffered({ files: ['main.c', file, 'kymo.json'] }), file).toBe(false);
    }
    expect(window.item.command).toBe('kymo.refine');
  });

  it('is not offered where nothing can be built', async () => {
    expect(await isOffered({ files: ['main.c', 'README.md'] })).toBe(false);
    expect(await isOffered({ files: ['Makefile'], scheme: 'vscode-vfs' })).toBe(false);
  });

  it('is offered once the workspace is trusted, and not before', async () => {
    expect(await isOffered({ files: ['Makefile'], isTrusted: false })).toBe(false);
    expect(await isOffered({ isTrusted: true })).toBe(true);
  });

  it('is there from the start: these files start the extension', () => {
    const contained = manifest.activationEvents.flatMap(
      (event) => event.split('workspaceContains:')[1] ?? [],
    );
    expect(contained.sort()).toEqual(['kymo.json', ...buildFiles].sort());
  });
});
