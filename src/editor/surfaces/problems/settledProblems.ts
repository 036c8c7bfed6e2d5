const settleMilliseconds = 100;

/** A source of problems, and the files that it has problems for. */
export interface ProblemSource<File, Problem> {
  /** Files with problems, the most important first. */
  readonly files: () => AsyncIterable<File>;
  /** Problems of a file at current lines; a file that cannot be read has none. */
  readonly problemsOf: (file: File) => Promise<Problem[]>;
}

/** The part of a `vscode.DiagnosticCollection` that is used, so that tests need no editor. */
export interface ShownProblems<File, Problem> {
  clear(): void;
  set(file: File, problems: readonly Problem[]): void;
  set(all: readonly [File, readonly Problem[]][]): void;
}

/** Shows the problems of a source: those of all files once changes have settled, and those of a document when it is edited. */
export class SettledProblems<File extends { toString(): string }, Problem> {
  private timer: NodeJS.Timeout | undefined;
  /** Number of the last reading of all files; an older one that is still running shows nothing. */
  private round = 0;
  /** Problems of single files that were shown during the current reading, which may have read an older state of them. */
  private readonly newer = new Map<string, [File, Problem[]]>();

  constructor(
    private readonly collection: ShownProblems<File, Problem>,
    private readonly source: ProblemSource<File, Problem>,
  ) {}

  /** Reads all files after a moment without further calls. The shown problems stay until then. */
  showSoon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.showAll(), settleMilliseconds);
  }

  /** Shows one document immediately, unless it changes meanwhile. */
  async showDocument(document: { readonly uri: File; readonly version: number }): Promise<void> {
    const { version } = document;
    const { round } = this;
    const problems = await this.problemsOf(document.uri);
    if (document.version === version) this.show(document.uri, problems, round);
  }

  /** Updates some files, until a reading of all files starts. */
  async showFiles(files: readonly File[]): Promise<void> {
    const { round } = this;
    for (const file of files) {
      const problems = await this.problemsOf(file);
      if (round !== this.round) return;
      this.show(file, problems, round);
    }
  }

  dispose(): void {
    clearTimeout(this.timer);
    // A running reading must no longer write to the collection.
    this.round += 1;
  }

  private async showAll(): Promise<void> {
    const round = ++this.round;
    this.newer.clear();
    // Grouped by file, because a collection adds the problems of a file that is listed twice.
    const all = new Map<string, [File, Problem[]]>();
    for await (const file of this.source.files()) {
      if (all.has(file.toString())) continue;
      all.set(file.toString(), [file, await this.problemsOf(file)]);
      if (round !== this.round) return;
    }
    if (round !== this.round) return;
    for (const [name, shown] of this.newer) all.set(name, shown);
    this.collection.clear();
    this.collection.set([...all.values()].filter(([, problems]) => problems.length > 0));
  }

  /** @param round the last reading of all files when the problems were requested */
  private show(file: File, problems: Problem[], round: number): void {
    this.collection.set(file, problems);
    if (round === this.round) this.newer.set(file.toString(), [file, problems]);
  }

  private problemsOf(file: File): Promise<Problem[]> {
    return this.source.problemsOf(file).catch(() => []);
  }
}
