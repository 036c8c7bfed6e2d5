import * as vscode from 'vscode';
import { PlacedFunctions } from './places/placedFunctions';
import { Dynamics } from './dynamics/dynamics';
import { ComparisonSource } from './findings/comparisonSource';
import { DiagnosisSource } from './findings/diagnosisSource';
import { DynamicsSource } from './findings/dynamicsSource';
import { Findings } from './findings/findings';
import { ModelsSource } from './findings/modelsSource';
import { StudySource } from './findings/studySource';
import { Problems } from '../base/problems';
import { EngineClient } from '../../engine/client';
import { LineMaps } from './places/lineMaps';
import { LogTail } from '../base/logTail';
import { ParameterStudyRuns } from './runs/parameterStudies';
import { WatchedRun } from './runs/watchedRun';
import { Refinements } from './runs/refinements';
import { Pins } from './studies/pins';
import { Programs } from './studies/programs';
import { Studies } from './studies/studies';

/** Owns the state that the extension's parts share: log, engine, studies, problems, running refinements. */
export class Kymo implements vscode.Disposable {
  readonly logTail = new LogTail();
  readonly log = this.logTail.watch(vscode.window.createOutputChannel('Kymo', { log: true }));
  readonly engine: EngineClient;
  readonly studies: Studies;
  readonly lineMaps: LineMaps;
  readonly placed: PlacedFunctions;
  readonly pins: Pins;
  readonly programs: Programs;
  readonly refinements: Refinements;
  readonly parameterStudies: ParameterStudyRuns;
  readonly dynamics: Dynamics;
  readonly watched: WatchedRun;
  readonly findings: Findings;
  private readonly study: StudySource;
  private readonly models: ModelsSource;
  readonly diagnosis: DiagnosisSource;
  readonly comparison: ComparisonSource;
  readonly problems = new Problems();

  /** @param showError shows the error of a command; injected because it belongs to a higher floor */
  constructor(
    readonly extension: vscode.ExtensionContext,
    private readonly showError: (kymo: Kymo, error: unknown) => Promise<void>,
  ) {
    const engineFile = vscode.Uri.joinPath(extension.extensionUri, 'dist', 'engine.js').fsPath;
    this.engine = new EngineClient({
      file: engineFile,
      onOutput: (line) => this.log.warn(line),
      isTrusted: () => vscode.workspace.isTrusted,
    });
    this.studies = new Studies(this.engine, this.log);
    this.lineMaps = new LineMaps(this.engine, this.studies);
    this.placed = new PlacedFunctions(this.engine, this.studies, this.lineMaps);
    this.dynamics = new Dynamics(this.engine, this.studies, this.log);
    this.watched = new WatchedRun(this.engine, this.studies, this.dynamics, this.log);
    this.pins = new Pins(this.engine, this.log);
    this.programs = new Programs(extension.workspaceState);
    this.findings = new Findings(this.engine, this.studies, this.log);
    this.study = new StudySource(this.engine, this.studies, this.pins, this.lineMaps, this.log);
    this.findings.register(this.study);
    this.findings.register(new DynamicsSource(this.dynamics));
    this.models = new ModelsSource(this.engine, this.studies, this.log);
    this.findings.register(this.models);
    this.diagnosis = new DiagnosisSource(this.engine, extension.workspaceState, this.log);
    this.findings.register(this.diagnosis);
    this.comparison = new ComparisonSource(this.engine, extension.workspaceState, this.log);
    this.findings.register(this.comparison);
    this.refinements = new Refinements(this.engine, this.log, () => this.studies.refresh());
    this.parameterStudies = new ParameterStudyRuns(this.engine, this.log, this.studies);
  }

  /** Registers a command for the life of the extension. Logs and shows the error that it throws. */
  command(id: string, action: (...parameters: never[]) => Promise<void> | void): void {
    const run = async (...parameters: never[]): Promise<void> => {
      try {
        await action(...parameters);
      } catch (error) {
        // Not awaited: the command has ended, and may be called again while the message is open.
        void this.showError(this, error);
      }
    };
    this.extension.subscriptions.push(vscode.commands.registerCommand(id, run));
  }

  dispose(): void {
    this.watched.dispose();
    this.refinements.dispose();
    this.parameterStudies.dispose();
    this.findings.dispose();
    this.study.dispose();
    this.comparison.dispose();
    this.models.dispose();
    this.diagnosis.dispose();
    this.dynamics.dispose();
    this.engine.dispose();
    this.lineMaps.dispose();
    this.studies.dispose();
    this.pins.dispose();
    this.problems.dispose();
    this.log.dispose();
  }
}
