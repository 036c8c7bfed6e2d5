import path from 'node:path';
import { writeSearch } from '../../formats/kymo-search/searchFile';
import { writeFileAtomically } from '../../measurement/files/disk';
import { hypothesesFor } from '../diagnosing/hypothesesFor';
import { readDiagnosisWish, type DiagnosisWish } from '../diagnosing/live/diagnosisWish';
import { LiveDiagnosis, type LiveDiagnosisOptions } from '../diagnosing/live/liveDiagnosis';
import { searchFileName } from '../diagnosing/live/searchedRun';
import { windowSeconds } from '../diagnosing/live/settings';

export interface WatchedDiagnosisOptions extends LiveDiagnosisOptions {
  /** Folder of the experiment. */
  readonly folder: string;
  readonly workspace: string;
  /** Why this run cannot be searched; undefined: it can. */
  readonly whyNone: () => string | undefined;
}

/** How old the values of a search may become while it concludes nothing; milliseconds. */
const oldest = 5000;

/** The search in a run that is under way, if somebody wants one: does what `live-wish-diagnosis.json` says, and writes `search.json`. */
export class WatchedDiagnosis {
  private diagnosis: LiveDiagnosis | undefined;
  private due = 0;
  /** What the search had concluded when it was written. */
  private written = '';
  private hasFailed = false;

  constructor(private readonly options: WatchedDiagnosisOptions) {}

  /** Seconds until the next look is wanted. */
  get lookEvery(): number {
    return this.diagnosis?.lookEvery ?? windowSeconds;
  }

  /** Whether it is still seen what may stay recorded: until then nothing else should take time from looking, nor from the program. */
  get isSurveying(): boolean {
    return this.diagnosis?.isSurveying === true;
  }

  /** The processes have been asked for what they recorded. What goes wrong ends the search with a note, and neither the watching nor the program. */
  async look(): Promise<void> {
    if (!this.hasFailed) await this.goOn().catch((error: unknown) => this.fail(error));
  }

  /** The program has ended. */
  async end(): Promise<void> {
    if (this.diagnosis === undefined || this.hasFailed) return;
    this.diagnosis.end();
    await this.write();
  }

  private async goOn(): Promise<void> {
    const { folder } = this.options;
    const wish = await readDiagnosisWish(folder);
    if (wish === undefined) return;
    this.diagnosis ??= await this.begin(wish);
    if (this.diagnosis === undefined) return;
    this.diagnosis.control(wish);
    await this.diagnosis.look();
    if (performance.now() >= this.due || this.diagnosis.news !== this.written) await this.write();
  }

  private fail(error: unknown): void {
    this.hasFailed = true;
    const why = error instanceof Error ? error.message : String(error);
    this.options.note(`The program runs on, and is not searched any more. ${why}`);
  }

  private async begin(wish: DiagnosisWish): Promise<LiveDiagnosis | undefined> {
    const { folder, workspace, whyNone, note } = this.options;
    const why = whyNone();
    if (why !== undefined) {
      note(why);
      return undefined;
    }
    const hypotheses = (await hypothesesFor(folder, workspace)).map((hypothesis) => ({
      ...hypothesis,
      threshold: wish.thresholds[hypothesis.id] ?? hypothesis.threshold,
    }));
    return new LiveDiagnosis({ ...wish, hypotheses }, this.options);
  }

  private async write(): Promise<void> {
    const { record, news = '' } = this.diagnosis ?? {};
    if (record === undefined) return;
    await writeFileAtomically(path.join(this.options.folder, searchFileName), writeSearch(record));
    this.written = news;
    this.due = performance.now() + oldest;
  }
}
