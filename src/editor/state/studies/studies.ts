import { realpath } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { FunctionRow } from '../../../core/functions/functionRow';
import type { StudySummary } from '../../../workflows/studies/studies';
import type { EngineClient } from '../../../engine/client';
import { MovedSources } from './movedSources';
import { FunctionIndex, type FunctionsAtLine } from './functionIndex';
import { OpenedProfile } from './openedProfile';

/** What is known about one workspace folder's `.kymo`. */
export interface FolderStudies {
  readonly folder: vscode.WorkspaceFolder;
  /** Newest first. */
  readonly studies: readonly StudySummary[];
  /** Why they could not be read. */
  readonly error?: string;
}

/** A study, or a profile that is shown like one, and its functions in their order. */
export interface ShownFunctions {
  readonly study: StudySummary;
  readonly functions: readonly FunctionRow[];
}

/** The functions of a folder's last study. */
interface LastStudy {
  readonly study: StudySummary;
  readonly functions: FunctionIndex;
}

/** A document as the last study knows it. */
export interface MeasuredFile {
  readonly folder: vscode.WorkspaceFolder;
  readonly study: StudySummary;
  /** Absolute, as the study names it: links are resolved. */
  readonly file: string;
  /** The document has another path than the file that was measured: it was moved or renamed since. */
  readonly moved: boolean;
  /** Ascending by measured line. */
  readonly groups: readonly FunctionsAtLine[];
  /** All functions of the study. */
  readonly functions: FunctionIndex;
}

/** The studies on disk, read through the engine when somebody asks and forgotten at `refresh`. */
export class Studies implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.changed.event;
  private readonly folders = new Map<string, Promise<FolderStudies>>();
  private readonly last = new Map<string, Promise<LastStudy>>();
  private readonly physical = new Map<string, Promise<string>>();
  private readonly moved: MovedSources;
  private readonly subscription: vscode.Disposable;
  private opened: OpenedProfile | undefined;

  constructor(
    private readonly engine: EngineClient,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.moved = new MovedSources(engine);
    this.subscription = vscode.workspace.onDidChangeWorkspaceFolders(() => this.refresh());
  }

  /** Forgets what was read and tells everybody. */
  refresh(): void {
    this.folders.clear();
    this.last.clear();
    this.physical.clear();
    this.moved.clear();
    this.opened?.forget();
    this.changed.fire();
  }

  /** The profile that is shown in the source instead of the last study. */
  get profile(): OpenedProfile | undefined {
    return this.opened;
  }

  /**
   * Shows a profile in the source from now on; undefined: the last study again.
   * @throws EngineError when it cannot be read; then nothing changes
   */
  async showProfile(file: vscode.Uri | undefined): Promise<void> {
    const opened =
      file === undefined ? undefined : new OpenedProfile(this.engine, file, () => this.refresh());
    try {
      await opened?.load();
    } catch (error) {
      opened?.dispose();
      throw error;
    }
    this.opened?.dispose();
    this.opened = opened;
    void vscode.commands.executeCommand('setContext', 'kymo.profileShown', opened !== undefined);
    this.moved.clear();
    this.changed.fire();
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

  /** What is shown of a folder in its sources, with its functions: the profile that was opened, else the last study. */
  async shownOf(folder: vscode.WorkspaceFolder): Promise<ShownFunctions | undefined> {
    return functionsOf(await this.inSourceOf(folder));
  }

  /** The last study that decided what is recorded, with its functions; a measurement where nothing was refined yet. */
  async lastStudyOf(folder: vscode.WorkspaceFolder): Promise<ShownFunctions | undefined> {
    const study = (await this.lastRefinementOf(folder)) ?? (await this.shownStudyOf(folder));
    return study === undefined ? undefined : functionsOf(await this.withFunctions(study));
  }

  /** The newest refinement of a folder that has results. */
  async lastRefinementOf(folder: vscode.WorkspaceFolder): Promise<StudySummary | undefined> {
    const { studies } = await this.of(folder);
    return studies.find((study) => study.kind === undefined && hasResults(study));
  }

  private async inSourceOf(folder: vscode.WorkspaceFolder): Promise<LastStudy | undefined> {
    const { opened } = this;
    if (opened === undefined) return this.lastOf(folder);
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

  private async lastOf(folder: vscode.WorkspaceFolder): Promise<LastStudy | undefined> {
    const study = await this.shownStudyOf(folder);
    return study === undefined ? undefined : this.withFunctions(study);
  }

  private withFunctions(study: StudySummary): Promise<LastStudy> {
    return remember(this.last, study.directory, async () => ({
      study,
      functions: await this.indexOf(study),
    }));
  }

  /** The functions of the last study in a document, ascending by their measured line. */
  async functionsIn(document: vscode.Uri): Promise<readonly FunctionsAtLine[]> {
    return (await this.measuredIn(document))?.groups ?? [];
  }

  /** What the last study knows of a document; undefined when it holds none of its functions. */
  async measuredIn(document: vscode.Uri): Promise<MeasuredFile | undefined> {
    const folder = vscode.workspace.getWorkspaceFolder(document);
    if (folder === undefined || document.scheme !== 'file') return undefined;
    const last = await this.inSourceOf(folder);
    if (last === undefined) return undefined;
    const known = (file: string | undefined, moved = false): MeasuredFile | undefined => {
      const groups = file === undefined ? [] : last.functions.inFile(file);
      return file === undefined || groups.length === 0
        ? undefined
        : { folder, study: last.study, functions: last.functions, file, moved, groups };
    };
    return (
      known(document.fsPath) ??
      known(await this.physicalPath(document.fsPath)) ??
      // What a profile measured is not kept: a file that was moved cannot be known by its lines.
      (last.study.profile !== undefined
        ? undefined
        : known(await this.moved.measuredAs(last.study.directory, document.fsPath), true))
    );
  }

  /** Where a file is today that a study names: elsewhere, if it was moved since and is open or has kept its name. */
  async today(file: vscode.Uri): Promise<vscode.Uri> {
    return this.moved.today(file, async (candidate) => (await this.measuredIn(candidate))?.file);
  }

  /** The path of a document as compilers report it: links resolved. */
  private physicalPath(path: string): Promise<string> {
    return remember(this.physical, path, () => realpath(path).catch(() => path));
  }

  /** Reads the functions of a study, a bounded number at a time, so that the extension host never blocks on them. */
  async readFunctions(
    studyDirectory: string,
    onFunctions: (functions: readonly FunctionRow[]) => void,
  ): Promise<void> {
    for await (const functions of this.engine.stream('functions', { studyDirectory })) onFunctions(functions);
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
    this.subscription.dispose();
    this.changed.dispose();
  }
}

function hasResults({ state, iterations }: StudySummary): boolean {
  return state !== 'running' && iterations.length > 0;
}

function functionsOf(last: LastStudy | undefined): ShownFunctions | undefined {
  return last === undefined ? undefined : { study: last.study, functions: last.functions.all };
}

/** The study that pins of shown functions belong to; with a profile none, so that the newest one that knows them is taken. */
export function namedStudy({ directory, profile }: StudySummary): { readonly studyDirectory?: string } {
  return profile === undefined ? { studyDirectory: directory } : {};
}

/** Workspace folders that programs can be built in: on the disk of the machine that this runs on. */
export function localFolders(): readonly vscode.WorkspaceFolder[] {
  return (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
}

function remember<Value>(
  cache: Map<string, Promise<Value>>,
  key: string,
  make: () => Promise<Value>,
): Promise<Value> {
  const known = cache.get(key);
  if (known !== undefined) return known;
  const value = make();
  cache.set(key, value);
  return value;
}
