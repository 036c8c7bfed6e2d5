/**
 * What a tree is made of. When it changes it is read first, and only then is the tree made anew: VS Code forgets a tree's rows when it is
 * told, and a click or a menu on one of them would be lost for as long as reading takes.
 */
export class ReadFirst<T> {
  private shown: Promise<T> | undefined;
  private isReading = false;
  /** Something changed since the reading that is under way began. */
  private isStale = false;

  /**
   * @param changed tells VS Code
   * @param isSame whether two readings show the same: then VS Code is not told, and keeps its rows
   */
  constructor(
    private readonly read: () => Promise<T>,
    private readonly isVisible: () => boolean,
    private readonly changed: () => void,
    private readonly isSame: (before: T, now: T) => boolean = () => false,
  ) {}

  /** What the tree shows now; read when nothing is. */
  get(): Promise<T> {
    this.shown ??= this.read();
    return this.shown;
  }

  /** Reads again, one reading at a time so that changes in quick succession are shown, too; a tree that nobody sees is read when somebody does. */
  refresh(): void {
    if (this.isReading) {
      this.isStale = true;
      return;
    }
    if (!this.isVisible()) {
      this.shown = undefined;
      this.changed();
      return;
    }
    void this.readAgain();
  }

  private async readAgain(): Promise<void> {
    this.isReading = true;
    const reading = this.read();
    const isSame = await this.isAsShown(this.shown, reading);
    this.isReading = false;
    if (!isSame) {
      this.shown = reading;
      this.changed();
    }
    if (!this.isStale) return;
    this.isStale = false;
    this.refresh();
  }

  private async isAsShown(shown: Promise<T> | undefined, reading: Promise<T>): Promise<boolean> {
    try {
      const now = await reading;
      return shown !== undefined && this.isSame(await shown, now);
    } catch {
      // Whoever asks for it gets the error.
      return false;
    }
  }
}
