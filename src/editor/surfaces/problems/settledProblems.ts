const settleMilliseconds = 100;

/** What is to stand in the Problems view, and where to look for it. */
export interface ProblemSource<File, Problem> {
  /** The files to look at, the ones that matter most first. */
  readonly files: () => AsyncIterable<File>;
  /** What is to be told of a file of today; one that cannot be looked at has nothing to tell. */
  readonly problemsOf: (file: File) => Promise<Problem[]>;
}

/** The part of a `vscode.DiagnosticCollection` that is needed, so that this is tested without an editor. */
export interface ShownProblems<File, Problem> {
  clear(): void;
  set(file: File, problems: readonly Problem[]): void;
  set(all: readonly [File, readonly Problem[]][]): void;
}

/** Shows what a source tells: everything once changes have settled, and single documents as they are edited. */
export class SettledProblems<File extends { toString(): string }, Problem> {
  private timer: NodeJS.Timeout | undefined;
  /** Of the last look at everything; an older one that is still under way tells nothing any more. */
  private round = 0;
  /** What was shown of single files since the last look at everything began: it may be of a file that the look does not know yet. */
  private readonly newer = new Map<string, [File, Problem[]]>();

  constructor(
    private readonly collection: ShownProblems<File, Problem>,
    private readonly source: ProblemSource<File, Problem>,
  ) {}

  /** Looks at everything once nothing has asked for it for a moment. What is shown stays until all is known. */
  showSoon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.showAll(), settleMilliseconds);
  }

  /** Shows one document at once; what an older version of its text had is not shown. */
  async showDocument(document: { readonly uri: File; readonly version: number }): Promise<void> {
    const { version } = document;
    const { round } = this;
    const problems = await this.told(document.uri);
    if (document.version === version) this.show(document.uri, problems, round);
  }

  /** Shows some files again; the rest is left to a look at everything that begins meanwhile. */
  async showFiles(files: readonly File[]): Promise<void> {
    const { round } = this;
    for (const file of files) {
      const problems = await this.told(file);
      if (round !== this.round) return;
      this.show(file, problems, round);
    }
  }

  dispose(): void {
    clearTimeout(this.timer);
    // A look that is under way has nowhere to show what it finds.
    this.round += 1;
  }

  private async showAll(): Promise<void> {
    const round = ++this.round;
    this.newer.clear();
    // By file: a collection adds up what it is given of one twice.
    const all = new Map<string, [File, Problem[]]>();
    for await (const file of this.source.files()) {
      if (all.has(file.toString())) continue;
      all.set(file.toString(), [file, await this.told(file)]);
      if (round !== this.round) return;
    }
    if (round !== this.round) return;
    for (const [name, shown] of this.newer) all.set(name, shown);
    this.collection.clear();
    this.collection.set([...all.values()].filter(([, problems]) => problems.length > 0));
  }

  /** @param round the look at everything that was the last one when the problems were asked for */
  private show(file: File, problems: Problem[], round: number): void {
    this.collection.set(file, problems);
    if (round === this.round) this.newer.set(file.toString(), [file, problems]);
  }

  private told(file: File): Promise<Problem[]> {
    return this.source.problemsOf(file).catch(() => []);
  }
}
