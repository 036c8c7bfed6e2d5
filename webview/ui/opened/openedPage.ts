import { visibleControls } from '../../../src/core/names/visibleControls';
import type { MakingProgress, Opened } from '../../../src/protocol/opened';
import type { Control } from '../base/dom';
import { dialogMilliseconds, type Shell } from '../page/shell';

interface Action {
  readonly label: string;
  readonly run: () => void;
}

/** The part of the shell of a view whose document has these facts. */
interface OpenedShell<Shown> extends Pick<Shell<object, object, object>, 'show' | 'fail' | 'notice'> {
  keep(part: { readonly panel: string }): void;
  readonly channel: {
    request(
      name: 'open',
      parameters: Record<string, never>,
      options: { readonly patienceMilliseconds: number },
    ): Promise<Shown>;
    on(name: 'shown', listener: (shown: Shown) => void): unknown;
    on(name: 'progress', listener: (progress: MakingProgress) => void): unknown;
  };
}

/** What a view does with its document, and how it speaks of it. */
interface OpenedOptions<Header, Facts> {
  readonly header: {
    show(shown: Facts & Opened<Header>): void;
    setProgress(progress: MakingProgress | undefined): void;
  };
  /** Until the extension answers. */
  readonly reading: string;
  readonly making: string;
  readonly cancelled: string;
  readonly again: (facts: Facts) => Action;
  /** What to do about an input with nothing to show, and about `message`, which says why; absent: `again`. */
  readonly empty?: (message: string) => { readonly text: string; readonly action: Action };
  /** What else to do when the document cannot be made. */
  readonly failed?: (facts: Facts) => readonly Control[];
  /** Whether the previous document remains visible while another one is made. */
  readonly keepsPrevious: () => boolean;
  /** Escapes invisible and bidirectional characters in names, which come from files. */
  readonly visible: (header: Header) => Header;
  /** Facts have come, before the document or a message is shown. */
  readonly begin: (facts: Facts) => void;
  readonly show: (header: Header) => void;
  /** There is no document any more. */
  readonly forget: () => void;
}

/** The document of a panel: asks for it, and shows it, that it is made, or why there is none. */
export class OpenedPage<Header, Facts extends { readonly panel: string }> {
  constructor(
    private readonly shell: OpenedShell<Facts & Opened<Header>>,
    private readonly options: OpenedOptions<Header, Facts>,
  ) {
    shell.channel.on('shown', (shown) => this.show(shown));
    shell.channel.on('progress', (progress) => options.header.setProgress(progress));
  }

  /** Requests the document to show; also after hiding and reloads. */
  async open(): Promise<void> {
    this.shell.show({ kind: 'loading', text: this.options.reading });
    try {
      this.show(await this.shell.channel.request('open', {}, { patienceMilliseconds: dialogMilliseconds }));
    } catch (error) {
      this.shell.fail(error, () => void this.open());
    }
  }

  private show(shown: Facts & Opened<Header>): void {
    const { shell, options } = this;
    shell.keep({ panel: shown.panel });
    shell.notice.hide();
    options.begin(shown);
    if (shown.kind === 'done') {
      const header = options.visible(shown.header);
      options.header.show({ ...shown, header });
      options.show(header);
      return;
    }
    options.header.show(shown);
    if (shown.kind === 'making' && options.keepsPrevious()) return;
    options.forget();
    const again = options.again(shown);
    switch (shown.kind) {
      case 'making':
        shell.show({ kind: 'loading', text: options.making });
        return;
      case 'cancelled':
        shell.show({ kind: 'empty', text: options.cancelled, action: again });
        return;
      case 'empty': {
        const text = visibleControls(shown.message);
        shell.show({ kind: 'empty', ...(options.empty?.(text) ?? { text, action: again }) });
        return;
      }
      case 'failed':
        shell.fail(visibleControls(shown.message), again.run, undefined, ...(options.failed?.(shown) ?? []));
    }
  }
}
