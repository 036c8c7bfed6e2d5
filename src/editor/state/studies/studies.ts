import { realpath } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { ProcessRanges } from '../../../core/views/ranks/processRanges';
import type { FunctionRow } from '../../../core/functions/functionRow';
import type { StudySummary } from '../../../workflows/studies/studies';
import type { EngineClient } from '../../../engine/client';
import { sourcesHere } from '../settings/sourcePaths';
import { MovedSources } from './movedSources';
import { FunctionIndex, type FunctionsAtLine } from './functionIndex';
import { OpenedProfile } from './openedProfile';
import { linesOf, type Shown, type ShownMeasurement, type ShownStudy } from './shown';

/** Contents of one workspace folder's `.kymo`. */
export interface FolderStudies {
  readonly folder: vscode.WorkspaceFolder;
  /** Newest first. */
  readonly studies: readonly StudySummary[];
  /** Why the studies could not be read. */
  readonly error?: string;
}

/** A document in the shown study, measurement or profile. */
export interface MeasuredFile {
  readonly folder: vscode.WorkspaceFolder;
  readonly shown: Shown;
  /** The folder of the study that stored the lines of its sources. */
  readonly linesOf: string;
  /** Absolute, as measured, with links resolved. */
  readonly file: string;
  /** The document was moved or renamed since the measurement. */
  readonly moved: boolean;
  /** Ascending by measured line. */
  readonly groups: readonly FunctionsAtLine[];
}

/** The studies on disk, read through the engine on demand and cached until `refresh`. */
export class Studies implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.changed.event;
  private readonly folders = new Map<string, Promise<FolderStudies>>();
  private readonly last = new Map<string, Promise<ShownStudy | ShownMeasurement>>();
  private readonly physical = new Map<string, Promise<string>>();
  private readonly moved: MovedSources;
  private readonly subscriptions: readonly vscode.Disposable[];
  private opened: OpenedProfile | undefined;
  /** The profile that was shown before some processes of one were. */
  private before: vscode.Uri | undefined;
  /** Number of the last `showProfile`; an older one that is still reading shows nothing. */
  private question = 0;

  constructor(
    private readonly engine: EngineClient,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.moved = new MovedSources(engine);
    this.subscriptions = [
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.refresh()),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('kymo.sourcePaths')) this.refresh();
      }),
    ];
  }

  /** Clears the cache and notifies listeners. */
  refresh(): void {
    this.folders.clear();
    this.last.clear();
    this.physical.clear();
    this.moved.clear();
    this.opened?.forget();
    this.changed.fire();
  }

  /** The profile shown in the source instead of the last study. */
  get profile(): OpenedProfile | undefined {
    return this.opened;
  }

  /**
   * Shows a profile in the source from now on; undefined: the last study again.
   * @param processes the ones whose values are shown; default: all
   * @throws EngineError when it cannot be read; then nothing changes
   */
  async showProfile(file: vscode.Uri | undefined, processes?: ProcessRanges): Promise<void> {
    const question = ++this.question;
    const opened =
      file === undefined ? undefined : new OpenedProfile(this.engine, file, processes, () => this.refresh());
    try {
      await opened?.load();
    } catch (error) {
      opened?.dispose();
      throw error;
    }
    if (question !== this.question) {
      opened?.dispose();
      return;
    }
    this.opened?.dispose();
    this.opened = opened;
    void vscode.commands.executeCommand('setContext', 'kymo.profileShown', opened !== undefined);
    this.moved.clear();
    this.changed.fire();
  }

  /**
   * Shows only some processes of a profile in the source; none: what was shown before, if processes of this profile are shown.
   * @throws EngineError as `showProfile` does
   */
  async showProcesses(file: vscode.Uri, processes: ProcessRanges | undefined): Promise<void> {
    const { opened } = this;
    const isOfProcesses = opened?.processes !== undefined;
    if (processes === undefined) {
      if (isOfProcesses && opened.file.fsPath === file.fsPath) await this.showProfile(this.before);
      return;
    }
    if (isOfProcesses && opened.file.fsPath === file.fsPath && opened.processes.join() === processes.join())
      return;
    if (!isOfProcesses) this.before = opened?.file;
    await this.showProfile(file, processes);
  }

  all(): Promise<readonly FolderStudies[]> {
    return Promise.all(localFolders().map((folder) => this.of(folder)));
  }

  of(folder: vscode.WorkspaceFolder): Promise<FolderStudies> {
    return remember(this.folders, folder.uri.toString(), async () => {
      try {
        const studies = await this.engine.query('studies', { workspace: folder.uri.fsPath });
        return { folder, studies: [...studies].sort((a, b) => b.startedAt.localeCompare(a.startedAt)) };
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        this.log.error(`Studies of ${folder.uri.fsPath}: ${message}`);
        return { folder, studies: [], error: message };
      }
    });
  }

  /** The last refinement with its functions; a measurement if nothing was refined yet. */
  async lastStudyOf(folder: vscode.WorkspaceFolder): Promise<ShownStudy | ShownMeasurement | undefined> {
    const study = (await this.lastRefinementOf(folder)) ?? (await this.shownStudyOf(folder));
    return study === undefined ? undefined : this.withFunctions(study);
  }

  /** The newest refinement of a folder that has results. */
  async lastRefinementOf(folder: vscode.WorkspaceFolder): Promise<StudySummary | undefined> {
    const { studies } = await this.of(folder);
    return studies.find((study) => study.kind === 'study' && hasResults(study));
  }

  /** The shown result of a folder: the opened profile, else the last study or measurement. */
  async shownOf(folder: vscode.WorkspaceFolder): Promise<Shown | undefined> {
    const { opened } = this;
    if (opened === undefined) {
      const study = await this.shownStudyOf(folder);
      return study === undefined ? undefined : this.withFunctions(study);
    }
    try {
      return await opened.load();
    } catch (error) {
      this.log.error(`${opened.file.fsPath}: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    }
  }

  /** The last study or measurement of a folder, without its functions. */
  async shownStudyOf(folder: vscode.WorkspaceFolder): Promise<StudySummary | undefined> {
    const { studies } = await this.of(folder);
    return studies.find(hasResults);
  }

  private withFunctions(study: StudySummary): Promise<ShownStudy | ShownMeasurement> {
    return remember(this.last, study.directory, async () => ({
      kind: study.kind,
      label: `${study.kind} ${study.study}`,
      study,
      functions: await this.indexOf(study),
    }));
  }

  /** The document in the shown result; undefined if that has none of its functions. */
  async measuredIn(document: vscode.Uri): Promise<MeasuredFile | undefined> {
    const folder = vscode.workspace.getWorkspaceFolder(document);
    if (folder === undefined || document.scheme !== 'file') return undefined;
    const shown = await this.shownOf(folder);
    if (shown === undefined) return undefined;
    const measuredAs = (file: string | undefined, moved = false): MeasuredFile | undefined => {
      const groups = file === undefined ? [] : shown.functions.inFile(file);
      if (file === undefined || groups.length === 0) return undefined;
      return { folder, shown, linesOf: linesOf(shown), file, moved, groups };
    };
    return (
      measuredAs(document.fsPath) ??
      measuredAs(await this.physicalPath(document.fsPath)) ??
      // A profile stores no lines of its sources: a file that was moved cannot be recognised.
      (shown.kind === 'profile'
        ? undefined
        : measuredAs(await this.moved.measuredAs(shown.study.directory, document.fsPath), true))
    );
  }

  /** Current path of a file that a study names: differs if it was moved since, and is open or has the same name. */
  async today(file: vscode.Uri): Promise<vscode.Uri> {
    return this.moved.today(file, async (candidate) => (await this.measuredIn(candidate))?.file);
  }

  /** The path of a document as compilers report it: links resolved. */
  private physicalPath(path: string): Promise<string> {
    return remember(this.physical, path, () => realpath(path).catch(() => path));
  }

  /** Reads the functions of a study in bounded parts, so that the extension host never blocks. */
  async readFunctions(
    studyDirectory: string,
    onFunctions: (functions: readonly FunctionRow[]) => void,
  ): Promise<void> {
    const options = { studyDirectory, sources: sourcesHere() };
    for await (const functions of this.engine.stream('functions', options)) onFunctions(functions);
  }

  private async indexOf({ directory }: StudySummary): Promise<FunctionIndex> {
    const index = new FunctionIndex();
    try {
      await this.readFunctions(directory, (functions) => index.add(functions));
    } catch (error) {
      this.log.error(`Functions of ${directory}: ${error instanceof Error ? error.message : String(error)}`);
    }
    return index;
  }

  dispose(): void {
    this.opened?.dispose();
    this.moved.dispose();
    for (const subscription of this.subscriptions) subscription.dispose();
    this.changed.dispose();
  }
}

function hasResults({ state, iterations }: StudySummary): boolean {
  return state !== 'running' && iterations.length > 0;
}

/** Workspace folders in which programs can be built: on a disk of this machine. */
export function localFolders(): readonly vscode.WorkspaceFolder[] {
  return (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
}

function remember<Value>(
  cache: Map<string, Promise<Value>>,
  key: string,
  make: () => Promise<Value>,
): Promise<Value> {
  const cached = cache.get(key);
  if (cached !== undefined) return cached;
  const value = make();
  cache.set(key, value);
  return value;
}
