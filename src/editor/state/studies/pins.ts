import * as vscode from 'vscode';
import type { PinList, PinsChanged, PinState } from '../../../workflows/pins';
import type { EngineClient } from '../../../engine/client';

/** The pins of the workspace folders, read through the engine and cached until they change. */
export class Pins implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  /** The pins changed, here, in another window or by the command line. */
  readonly onDidChange = this.changed.event;
  private readonly lists = new Map<string, Promise<PinList>>();
  private readonly watcher = vscode.workspace.createFileSystemWatcher('**/.kymo/pins.json');

  constructor(
    private readonly engine: EngineClient,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.watcher.onDidChange(() => this.refresh());
    this.watcher.onDidCreate(() => this.refresh());
    this.watcher.onDidDelete(() => this.refresh());
  }

  /** Clears the cache and notifies listeners. */
  refresh(): void {
    this.lists.clear();
    this.changed.fire();
  }

  /** An unreadable file counts as no pins and is reported in `problems`. */
  of(folder: vscode.WorkspaceFolder): Promise<PinList> {
    const key = folder.uri.toString();
    const cached = this.lists.get(key);
    if (cached !== undefined) return cached;
    const list = this.read(folder);
    this.lists.set(key, list);
    return list;
  }

  /** State of each pinned function of the folder, by key. */
  async statesOf(folder: vscode.WorkspaceFolder): Promise<ReadonlyMap<string, PinState>> {
    const { pins } = await this.of(folder);
    return new Map(pins.map(({ key, state }) => [key, state]));
  }

  /**
   * Pins functions in or out, or takes their pins away.
   * @param studyDirectory the study that shows the functions; default: the newest with results
   * @throws EngineError
   */
  async set(
    folder: vscode.WorkspaceFolder,
    keys: readonly string[],
    state: PinState | 'none',
    studyDirectory?: string,
  ): Promise<PinsChanged> {
    const changed = await this.engine.query('setPin', {
      workspace: folder.uri.fsPath,
      keys,
      state,
      ...(studyDirectory === undefined ? {} : { studyDirectory }),
    });
    this.keep(folder, changed);
    return changed;
  }

  /** Takes back the last change. @throws EngineError */
  async undo(folder: vscode.WorkspaceFolder): Promise<PinsChanged> {
    const changed = await this.engine.query('undoPin', { workspace: folder.uri.fsPath });
    this.keep(folder, changed);
    return changed;
  }

  dispose(): void {
    this.watcher.dispose();
    this.changed.dispose();
  }

  private keep(folder: vscode.WorkspaceFolder, list: PinList): void {
    this.lists.set(folder.uri.toString(), Promise.resolve(list));
    this.changed.fire();
  }

  private async read(folder: vscode.WorkspaceFolder): Promise<PinList> {
    try {
      const list = await this.engine.query('pins', { workspace: folder.uri.fsPath });
      for (const problem of list.problems) this.log.warn(problem);
      return list;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.log.error(message);
      return { file: '', pins: [], problems: [message] };
    }
  }
}
