/**
 * The data of a tree. After a change it is read first, and only then is the tree refreshed: VS Code drops a tree's rows on refresh,
 * and clicks or menus would be lost during the reading.
 */
export class ReadFirst<T> {
  private shown: Promise<T> | undefined;
  private isReading = false;
  /** The data changed during the current reading. */
  private isStale = false;

  /**
   * @param changed refreshes the tree in VS Code
   * @param isSame whether two readings show the same rows: then the tree is not refreshed
   */
  constructor(
    private readonly read: () => Promise<T>,
    private readonly isVisible: () => boolean,
    private readonly changed: () => void,
    private readonly isSame: (before: T, now: T) => boolean = () => false,
  ) {}

  /** The shown data; read if there is none. */
  get(): Promise<T> {
    this.shown ??= this.read();
    return this.shown;
  }

  /** Reads again, one reading at a time, so that quick changes are shown, too; a hidden tree is read when it becomes visible. */
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
      // The next caller receives the error.
      return false;
    }
  }
}
