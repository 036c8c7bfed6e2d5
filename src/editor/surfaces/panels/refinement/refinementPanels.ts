import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import { record, text } from '../../../../protocol/guards';
import type { RefinementEvents, RefinementRequests, StudyName } from '../../../../protocol/refinement';
import type { StudySummary } from '../../../../workflows/studies/studies';
import type { Kymo } from '../../../state/kymo';
import type { RefinementRequest } from '../../../state/runs/refinements';
import { localFolders } from '../../../state/studies/studies';
import { Panels } from '../panels';
import { RefinementPanel } from './refinementPanel';

const studyName = record({ folder: text(4096), target: text(1024), study: text(1024) });

/** The study that a panel shows; `restored`: the panel was open when the window closed. */
export interface PanelStudy extends StudyName {
  readonly restored?: boolean;
}

/** Starts or resumes a refinement with the same questions as the command. True once it runs. */
export type StartRefinement = (
  kymo: Kymo,
  folder: vscode.WorkspaceFolder,
  request: RefinementRequest,
) => Promise<boolean>;

/** *Kymo: Show Refinement*: a panel per target, which follows the target's running refinement. */
export class RefinementPanels implements vscode.Disposable {
  private readonly panels: Panels<RefinementRequests, RefinementEvents, PanelStudy, RefinementPanel>;

  constructor(
    private readonly kymo: Kymo,
    startRefinement: StartRefinement,
  ) {
    this.panels = new Panels(kymo, {
      viewType: 'kymo.refinement',
      view: 'refinement',
      readState: (state): PanelStudy | undefined => {
        const name = studyName(state);
        return name === undefined ? undefined : { ...name, restored: true };
      },
      make: (panel, shown) => new RefinementPanel(kymo, panel, shown, startRefinement),
    });
    kymo.command('kymo.showRefinement', (given: unknown) => this.show(given));
  }

  /**
   * @param given a node of the Experiments tree; nothing: the refinement that runs here, else one that runs elsewhere, else the newest
   * study
   */
  private async show(given: unknown): Promise<void> {
    const shown = studyOfNode(given) ?? (await this.newest());
    if (shown === undefined) {
      const choice = await vscode.window.showInformationMessage(
        l10n.t('There is no refinement to show yet: no program of this workspace has been refined.'),
        l10n.t('Refine Instrumentation'),
      );
      if (choice !== undefined) await vscode.commands.executeCommand('kymo.refine');
      return;
    }
    const present = this.panels.find((panel) => panel.isOf(shown));
    if (present === undefined) this.panels.open(l10n.t`Refinement of ${shown.target}`, shown);
    else present.reveal(shown);
  }

  private async newest(): Promise<StudyName | undefined> {
    // A refinement that has just started has no study yet, but the user expects to see it.
    await Promise.all(localFolders().map((folder) => this.kymo.refinements.untilStudyIsKnown(folder)));
    const all = await this.kymo.studies.all();
    const candidates = all.flatMap(({ folder, studies }) => {
      const running = this.kymo.refinements.stateOf(folder);
      const refinements = studies.filter(({ kind }) => kind === 'study');
      return refinements.map((study) => ({
        folder,
        study,
        rank:
          running.phase !== 'idle' && running.studyDirectory === study.directory
            ? 2
            : study.state === 'running'
              ? 1
              : 0,
      }));
    });
    candidates.sort((a, b) => b.rank - a.rank || b.study.startedAt.localeCompare(a.study.startedAt));
    return candidates[0] === undefined ? undefined : nameOf(candidates[0].folder, candidates[0].study);
  }

  dispose(): void {
    this.panels.dispose();
  }
}

function nameOf(folder: vscode.WorkspaceFolder, { target, study }: StudySummary): StudyName {
  return { folder: folder.uri.toString(), target, study };
}

/** The study of a node of the Experiments tree: a study or one of its rounds. Undefined for other nodes. */
function studyOfNode(given: unknown): StudyName | undefined {
  if (typeof given !== 'object' || given === null) return undefined;
  const node = given as {
    readonly folder?: { readonly uri?: vscode.Uri };
    readonly study?: StudySummary;
    readonly of?: unknown;
  };
  if (node.of !== undefined) return studyOfNode(node.of);
  const folder = localFolders().find(({ uri }) => uri.toString() === node.folder?.uri?.toString());
  return folder === undefined || node.study === undefined ? undefined : nameOf(folder, node.study);
}
