/**
 * What a tree is made of. When it changes it is read first, and only then is the tree made anew: VS Code forgets a tree's rows when it is
 * told, and a click or a menu on one of them would be lost for as long as reading takes.
 */
export class ReadFirst<T> {
  private shown: Promise<T> | undefined;
  private isReading = false;
  /** Something changed since the reading that is under way began. */
  private isStale = false;

  /** @param changed tells VS Code */
  constructor(
    private readonly read: () => Promise<T>,
    private readonly isVisible: () => boolean,
    private readonly changed: () => void,
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
    const reading = this.read();
    this.isReading = true;
    const show = (): void => {
      this.isReading = false;
      this.shown = reading;
      this.changed();
      if (!this.isStale) return;
      this.isStale = false;
      this.refresh();
    };
    reading.then(show, show);
  }
}
