import path from 'node:path';
import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import { KymoError } from '../../../../core/errors';
import type { CubeAction, CubeEvents, CubeRequests } from '../../../../protocol/cube';
import type { DocumentQuestions } from '../../../../engine/questions';
import type { Kymo } from '../../../state/kymo';
import type { Answers } from '../panelChannel';
import { goToSource } from '../../../actions/goToSource';
import { saveProfile } from '../../../actions/saveProfile';
import { watchFile } from '../../../base/watchFile';
import { cubeGuards as guards } from './requests';
import { chooseOtherProfile } from './chooseProfile';

/** A file in one or several editors. The process that reads it ends with the last editor. */
export interface CubeDocument extends vscode.CustomDocument {
  readonly questions: DocumentQuestions;
}

/** The owner of one editor of a Cube profile. Relays between engine and webview, and computes nothing. */
export class CubeEditor implements vscode.Disposable {
  readonly answers: Answers<CubeRequests>;
  private readonly watcher: vscode.Disposable;
  /** Id of the content that the webview shows. */
  private id: string | undefined;

  constructor(
    private readonly kymo: Kymo,
    private readonly document: CubeDocument,
    private readonly panel: vscode.WebviewPanel,
    private readonly tell: <Name extends keyof CubeEvents>(name: Name, value: CubeEvents[Name]) => void,
  ) {
    this.answers = this.makeAnswers();
    this.watcher = watchFile(document.uri, () => void this.check());
  }

  get file(): vscode.Uri {
    return this.document.uri;
  }

  get folder(): vscode.WorkspaceFolder | undefined {
    return vscode.workspace.getWorkspaceFolder(this.file);
  }

  /** The file and its content's id, for exports, which read the whole file. */
  name(): { readonly file: string; readonly id: string } {
    return { file: this.file.fsPath, id: this.id ?? '' };
  }

  dispose(): void {
    this.watcher.dispose();
  }

  private makeAnswers(): Answers<CubeRequests> {
    const { questions } = this.document;
    const file = this.file.fsPath;
    return {
      open: {
        guard: guards.open,
        answer: async (_, signal) => {
          this.checkLocal();
          const header = await questions.query('openCube', { file }, { signal });
          this.id = header.id;
          return header;
        },
      },
      callPaths: {
        guard: guards.callPaths,
        answer: async (piece, signal) => {
          const request = { file, ...piece };
          const answer = await questions.query('cubeCallPaths', request, { signal });
          const { first, parent, region, parameters } = answer;
          // Arrays from another process are views of one large buffer, which VS Code would send with each of them.
          return { first, parent: parent.slice(), region: region.slice(), parameters };
        },
      },
      regions: {
        guard: guards.regions,
        answer: (piece, signal) => questions.query('cubeRegions', { file, ...piece }, { signal }),
      },
      system: {
        guard: guards.system,
        answer: async (piece, signal) => {
          const nodes = await questions.query('cubeSystem', { file, ...piece }, { signal });
          return { ...nodes, parent: nodes.parent.slice(), location: nodes.location.slice() };
        },
      },
      topology: {
        guard: guards.topology,
        answer: async (piece, signal) => {
          const { first, nodes, coordinates } = await questions.query(
            'cubeTopology',
            { file, ...piece },
            { signal },
          );
          return { first, nodes: nodes.slice(), coordinates: coordinates.slice() };
        },
      },
      values: { guard: guards.values, answer: (piece, signal) => this.values(piece, signal) },
      total: {
        guard: guards.total,
        answer: (question, signal) => questions.query('cubeTotal', { file, ...question }, { signal }),
      },
      locations: { guard: guards.locations, answer: (question, signal) => this.locations(question, signal) },
      openSource: { guard: guards.openSource, answer: ({ id, region }) => this.openSource(id, region) },
      save: {
        guard: guards.save,
        answer: async (given) => ({ saved: await saveProfile(this.kymo, given, this) }),
      },
      act: {
        guard: guards.act,
        answer: async ({ action }) => {
          await this.act(action);
          return {};
        },
      },
    };
  }

  /** Refuses files of other schemes, for example the side of a comparison by version control, whose path has another content. */
  private checkLocal(): void {
    if (this.file.scheme !== 'file')
      throw new KymoError(
        'not-on-disk',
        l10n.t`Only files on disk are shown here, and this one is ${this.file.scheme}:. Save a copy of it, and open that.`,
      );
  }

  private async values(
    piece: CubeRequests['values']['parameters'],
    signal: AbortSignal,
  ): Promise<CubeRequests['values']['result']> {
    const request = { file: this.file.fsPath, ...piece };
    const answer = await this.document.questions.query('cubeValues', request, { signal });
    const { first, inclusive, exclusive, tuple } = answer;
    return {
      first,
      inclusive: inclusive.slice(),
      exclusive: exclusive.slice(),
      ...(tuple === undefined
        ? {}
        : {
            tuple: {
              count: tuple.count.slice(),
              minimum: tuple.minimum.slice(),
              maximum: tuple.maximum.slice(),
            },
          }),
    };
  }

  private async locations(
    { id, metric, minus, callPaths, exclusive }: CubeRequests['locations']['parameters'],
    signal: AbortSignal,
  ): Promise<CubeRequests['locations']['result']> {
    const { values } = await this.document.questions.query(
      'cubeLocations',
      {
        file: this.file.fsPath,
        id,
        metric,
        minus: [...minus],
        selected: Array.from(callPaths, (callPath, position) => ({
          callPath,
          exclusive: exclusive[position] === 1,
        })),
      },
      { signal },
    );
    return { values: values.slice() };
  }

  private async openSource(id: string, region: number): Promise<{ readonly opened: boolean }> {
    const [place] = await this.document.questions.query('cubeRegions', {
      file: this.file.fsPath,
      id,
      first: region,
      count: 1,
    });
    if (place === undefined) return { opened: false };
    await goToSource(this.kymo, place, this.file, this.panel.viewColumn);
    return { opened: true };
  }

  private async act(action: CubeAction): Promise<void> {
    switch (action) {
      case 'hotSpots':
        await vscode.commands.executeCommand('kymo.showHotSpots', this.file);
        return;
      case 'compare': {
        const other = await chooseOtherProfile(this.file);
        if (other === undefined) return;
        await vscode.commands.executeCommand('kymo.showHotSpots', {
          file: this.file.fsPath,
          compare: other.fsPath,
          title: path.basename(this.file.path),
        });
        return;
      }
      case 'reopenWith':
        this.panel.reveal();
        await vscode.commands.executeCommand('workbench.action.reopenWithEditor');
    }
  }

  /** The file may have been replaced or deleted. */
  private async check(): Promise<void> {
    try {
      await vscode.workspace.fs.stat(this.file);
    } catch {
      this.tell('stale', { kind: 'deleted' });
      return;
    }
    if (this.id === undefined) return;
    const isSame = await this.kymo.engine
      .query('cubeIsSame', { file: this.file.fsPath, id: this.id })
      .catch(() => ({ same: false }));
    if (!isSame.same) this.tell('stale', { kind: 'changed' });
  }
}
