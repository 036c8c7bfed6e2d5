import path from 'node:path';
import * as vscode from 'vscode';
import type { FoundProperty } from '../../../workflows/views/dynamicsInSource';
import type { OpenedDynamics } from '../../../workflows/views/dynamicsView';
import type { EngineClient } from '../../../engine/client';
import { findSources } from '../studies/openedProfile';
import { dynamicsSettings } from '../settings/settings';
import { sourcesHere } from '../settings/sourcePaths';
import { localFolders, type Studies } from '../studies/studies';
import { DynamicsSession, type DynamicsInput } from './dynamicsSession';
import { isDynamic } from '../../../core/properties/kinds';

/** Findings over the iterations of a run, for the sources and views of one folder. */
export interface FoundDynamics {
  readonly folder: vscode.WorkspaceFolder;
  readonly input: DynamicsInput;
  readonly opened: OpenedDynamics;
  /** True if the user requested it; else it belongs to the last study. */
  readonly isChosen: boolean;
  readonly properties: readonly FoundProperty[];
  /** Names of sources that are missing on this machine. */
  readonly missing: readonly string[];
}

interface SharedSession {
  readonly session: DynamicsSession;
  users: number;
}

/** A session that is used until it is released. */
export interface UsedSession {
  readonly session: DynamicsSession;
  dispose(): void;
}

/**
 * Owns the analyses of dynamics and selects the one shown in the source: the one that the user chose, else that of the
 * newest measurement with iterations of each folder's last target.
 */
export class Dynamics implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  /** The findings changed. */
  readonly onDidChange = this.changed.event;
  private readonly sessions = new Map<string, SharedSession>();
  /** Keeps the analysis that is shown in the source. */
  private shownSessions: UsedSession[] = [];
  private reading: Promise<readonly FoundDynamics[]> | undefined;
  private chosen: DynamicsInput | undefined;
  private isReading = false;
  private last: readonly FoundDynamics[] = [];
  private isHidden = false;
  private readonly subscriptions: readonly { dispose(): unknown }[];

  constructor(
    private readonly engine: EngineClient,
    private readonly studies: Studies,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.subscriptions = [
      this.changed,
      studies.onDidChange(() => this.studiesChanged()),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('kymo.dynamics')) this.settingsChanged(event);
        else if (event.affectsConfiguration('kymo.sourcePaths')) this.refresh();
      }),
      vscode.workspace.onDidSaveTextDocument(({ uri }) => {
        // No study stored the lines: the file is newer than the measurement, and listeners must know.
        const isShown = ({ opened, properties }: FoundDynamics): boolean =>
          opened.studyDirectory === undefined &&
          properties.some((property) => isDynamic(property) && property.region?.file === uri.fsPath);
        if (this.last.some(isShown)) this.refresh();
      }),
    ];
  }

  /** The analysis of an input; starts it if there is none yet. */
  use(input: DynamicsInput): UsedSession {
    const key = JSON.stringify(input);
    const shared = this.sessions.get(key) ?? { session: this.begin(input), users: 0 };
    shared.users += 1;
    this.sessions.set(key, shared);
    let isReleased = false;
    return {
      session: shared.session,
      dispose: () => {
        if (isReleased) return;
        isReleased = true;
        shared.users -= 1;
        if (shared.users > 0) return;
        this.sessions.delete(key);
        shared.session.dispose();
      },
    };
  }

  /** Shows the findings of an input in the source instead of those of the last study. */
  showInSource(input: DynamicsInput): void {
    if (!this.isHidden && JSON.stringify(input) === JSON.stringify(this.chosen)) return;
    this.chosen = input;
    this.isHidden = false;
    this.refresh();
  }

  /** Shows no analysis in the source until the user requests one. */
  hide(): void {
    this.chosen = undefined;
    this.isHidden = true;
    this.refresh();
  }

  /** The shown findings, per folder. */
  found(): Promise<readonly FoundDynamics[]> {
    if (this.reading === undefined) {
      const reading = this.readAll().finally(() => {
        if (this.reading === reading) this.isReading = false;
      });
      this.isReading = true;
      this.reading = reading;
    }
    return this.reading;
  }

  private begin(input: DynamicsInput): DynamicsSession {
    const session = new DynamicsSession(this.engine, input);
    session.onDidChange(({ kind }) => {
      // A reading in progress waits for the analysis anyway.
      if (
        kind !== 'making' &&
        !this.isReading &&
        this.shownSessions.some((shown) => shown.session === session)
      )
        this.refresh();
    });
    return session;
  }

  private async readAll(): Promise<readonly FoundDynamics[]> {
    const inputs = await this.inputs();
    const used = inputs.map(({ input }) => this.use(input));
    const before = this.shownSessions;
    this.shownSessions = used;
    for (const session of before) session.dispose();
    const findings = await Promise.all(
      inputs.map(async ({ folder, input }, index) => {
        const session = used[index]?.session;
        return session === undefined ? undefined : this.foundIn(folder, input, session);
      }),
    );
    const shown = findings.filter((dynamics) => dynamics !== undefined);
    void vscode.commands.executeCommand('setContext', 'kymo.dynamicsShown', shown.length > 0);
    this.last = shown;
    return shown;
  }

  private async inputs(): Promise<
    readonly { readonly folder: vscode.WorkspaceFolder; readonly input: DynamicsInput }[]
  > {
    if (this.isHidden) return [];
    if (this.chosen !== undefined) {
      const folder = folderOf(this.chosen);
      return folder === undefined ? [] : [{ folder, input: this.chosen }];
    }
    // An opened profile is shown instead of the studies.
    if (this.studies.profile !== undefined) return [];
    const inputs = await Promise.all(
      localFolders().map(async (folder) => {
        const input = await this.ofLastStudy(folder).catch((error: unknown) => {
          this.log.warn(
            `Dynamics of ${folder.name}: ${error instanceof Error ? error.message : String(error)}`,
          );
          return undefined;
        });
        return input === undefined ? [] : [{ folder, input }];
      }),
    );
    return inputs.flat();
  }

  private async ofLastStudy(folder: vscode.WorkspaceFolder): Promise<DynamicsInput | undefined> {
    if (!dynamicsSettings(folder).automatic) return undefined;
    const study = await this.studies.shownStudyOf(folder);
    if (study === undefined) return undefined;
    // A measurement that is newer than the study counts, too.
    const target = path.dirname(study.directory);
    const experiment = await this.engine.query('newestIterations', { folder: target });
    return experiment === undefined ? undefined : { kind: 'folder', folder: target };
  }

  private async foundIn(
    folder: vscode.WorkspaceFolder,
    input: DynamicsInput,
    session: DynamicsSession,
  ): Promise<FoundDynamics | undefined> {
    const state = await session.settled();
    if (state.kind !== 'done') {
      if (state.kind === 'failed') this.log.warn(`Dynamics: ${state.message}`);
      return undefined;
    }
    const { opened } = state;
    const isChosen = this.chosen !== undefined;
    try {
      const { properties, missing } = await this.properties(session, opened, {});
      const located = missing.length === 0 ? {} : await findSources(missing);
      const here =
        Object.keys(located).length === 0
          ? { properties, missing }
          : await this.properties(session, opened, located);
      // The study already reports its hot spots.
      const shown = here.properties.filter((property) => isChosen || isDynamic(property));
      return {
        folder,
        input,
        opened,
        isChosen,
        properties: shown,
        missing: here.missing,
      };
    } catch (error) {
      // Another analysis is running and will notify.
      this.log.debug(`Dynamics: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    }
  }

  private async properties(
    session: DynamicsSession,
    { header, files, studyDirectory }: OpenedDynamics,
    located: Readonly<Record<string, string>>,
  ): Promise<{ readonly properties: readonly FoundProperty[]; readonly missing: readonly string[] }> {
    const properties: FoundProperty[] = [];
    let missing: readonly string[] = [];
    const parts = session.found({
      id: header.id,
      sources: { ...sourcesHere(), located },
      files,
      isOfStudy: studyDirectory !== undefined,
    });
    for await (const part of parts) {
      if ('missing' in part) ({ missing } = part);
      else for (const property of part.properties) properties.push(property);
    }
    return { properties, missing };
  }

  private studiesChanged(): void {
    for (const { session } of this.sessions.values()) void session.follow();
    this.refresh();
  }

  private settingsChanged(event: vscode.ConfigurationChangeEvent): void {
    const analysed = ['reportThreshold', 'burst', 'improvements', 'rules', 'method', 'falseAlarmPercent'];
    if (analysed.some((name) => event.affectsConfiguration(`kymo.dynamics.${name}`)))
      for (const { session } of this.sessions.values()) void session.make();
    this.refresh();
  }

  /** The shown input may have changed meanwhile. */
  private refresh(): void {
    this.reading = undefined;
    this.changed.fire();
  }

  dispose(): void {
    for (const { session } of this.sessions.values()) session.dispose();
    this.sessions.clear();
    for (const subscription of this.subscriptions) subscription.dispose();
  }
}

/** Folder of the files; files outside belong to the first folder. */
function folderOf(input: DynamicsInput): vscode.WorkspaceFolder | undefined {
  const place = input.kind === 'folder' ? input.folder : (input.files[0] ?? path.sep);
  return vscode.workspace.getWorkspaceFolder(vscode.Uri.file(place)) ?? localFolders()[0];
}
