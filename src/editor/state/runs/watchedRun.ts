import path from 'node:path';
import * as vscode from 'vscode';
import type { EngineClient } from '../../../engine/client';
import type { RunUnderWay } from '../../../workflows/watch';
import type { RecordingChanged } from '../../../workflows/watch/changeRecording';
import type { LiveFunction } from '../../../workflows/studies/liveFunctions';
import type { RecordingWish } from '../../../workflows/watch/wishes';
import type { Dynamics } from '../dynamics/dynamics';
import type { DynamicsInput } from '../dynamics/dynamicsSession';
import type { Studies } from '../studies/studies';

/** How often a run is looked at, in milliseconds. */
const lookEvery = 1000;

/**
 * The run that this window watches: at most one. Its results so far are files in its folder, which are replaced as it goes on; lenses, hovers, Problems and
 * panels follow these.
 */
export class WatchedRun implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  /** Another state of the run, or another run, or none. */
  readonly onDidChange = this.changed.event;
  private readonly iterated = new vscode.EventEmitter<DynamicsInput>();
  /** The run has iterations that can be shown; once for each run. */
  readonly onIterations = this.iterated.event;
  private watched: { readonly workspace: string; readonly run: RunUnderWay } | undefined;
  private timer: NodeJS.Timeout | undefined;
  private hasProfile = false;
  private hasIterations = false;

  constructor(
    private readonly engine: EngineClient,
    private readonly studies: Studies,
    private readonly dynamics: Dynamics,
    private readonly log: vscode.LogOutputChannel,
  ) {}

  get run(): RunUnderWay | undefined {
    return this.watched?.run;
  }

  /** Watches a run until it ends. */
  watch(workspace: string, run: RunUnderWay): void {
    this.stop();
    this.watched = { workspace, run };
    this.changed.fire();
    this.lookLater();
  }

  /** The program and what it has measured are left alone. */
  stop(): void {
    clearTimeout(this.timer);
    this.hasProfile = false;
    this.hasIterations = false;
    if (this.watched === undefined) return;
    this.watched = undefined;
    this.changed.fire();
  }

  /** @throws KymoError `no-run`, `no-phase` */
  async suspend(suspend: boolean): Promise<void> {
    const folder = this.run?.folder;
    if (folder !== undefined) await this.engine.query('suspendRun', { folder, suspend });
  }

  /** The functions of its program. @throws KymoError `no-run` */
  async functions(): Promise<readonly LiveFunction[]> {
    const folder = this.run?.folder;
    return folder === undefined ? [] : this.engine.query('functionsUnderWay', { folder });
  }

  /** Switches functions, and waits until that is done. @throws KymoError `no-run` */
  async record(wish: RecordingWish): Promise<RecordingChanged> {
    const { folder = '' } = this.run ?? {};
    return this.engine.query('changeRecording', { folder, wish });
  }

  private lookLater(): void {
    this.timer = setTimeout(() => void this.look(), lookEvery);
  }

  private async look(): Promise<void> {
    const { watched } = this;
    if (watched === undefined) return;
    const { workspace, run } = watched;
    const runs = await this.engine.query('runsUnderWay', { workspace }).catch((error: unknown) => {
      this.log.warn(`The run in ${run.folder} could not be looked at: ${String(error)}`);
      return [run];
    });
    // The user watches another one by now.
    if (this.watched !== watched) return;
    const now = runs.find(({ folder }) => folder === run.folder);
    if (now === undefined) {
      this.stop();
      return;
    }
    this.watched = { workspace, run: now };
    this.changed.fire();
    await this.show(now);
    this.lookLater();
  }

  private async show({ folder, live }: RunUnderWay): Promise<void> {
    if (!this.hasProfile && live.profileSeconds > 0) {
      this.hasProfile = true;
      await this.studies.showProfile(vscode.Uri.file(path.join(folder, 'profile.cubex')));
    }
    if (!this.hasIterations && (live.iterations?.written ?? 0) > 0) {
      this.hasIterations = true;
      const input: DynamicsInput = { kind: 'files', files: [path.join(folder, 'iterations.kymo')] };
      this.dynamics.showInSource(input);
      this.iterated.fire(input);
    }
  }

  dispose(): void {
    this.stop();
    this.changed.dispose();
    this.iterated.dispose();
  }
}
