import path from 'node:path';
import * as vscode from 'vscode';
import type { TimelineEvents, TimelineRequests, TimelineShown } from '../../../../protocol/timeline';
import { goToSource } from '../../../actions/goToSource';
import { openFunctionNamed } from '../../../actions/openFunctionNamed';
import type { Kymo } from '../../../state/kymo';
import { openedOf } from '../../../state/opened/openedSession';
import {
  TimelineSession,
  type TimelineInput,
  type TimelineState,
} from '../../../state/timeline/timelineSession';
import type { Answers } from '../panelChannel';
import type { Panel, PanelOwner } from '../panels';
import { saveAs } from '../saveAs';
import { panelName, timelineGuards as guards } from './requests';

const filters = { png: 'PNG', csv: 'CSV' } as const;

/** The owner of one timeline. Relays between engine and webview, and computes nothing. */
export class TimelinePanel implements PanelOwner<TimelineRequests> {
  readonly answers: Answers<TimelineRequests>;
  private readonly session: TimelineSession;
  private readonly following: vscode.Disposable;

  constructor(
    private readonly kymo: Kymo,
    private readonly panel: Panel<TimelineEvents>,
    input: TimelineInput,
  ) {
    this.session = new TimelineSession(kymo.engine, input);
    this.following = this.session.onDidChange((state) => this.follow(state));
    this.answers = this.makeAnswers();
    panel.webviewPanel.title = panelTitle(input);
  }

  get input(): TimelineInput {
    return this.session.input;
  }

  /** Brings the panel to the front. */
  reveal(): void {
    this.panel.webviewPanel.reveal(undefined, false);
  }

  dispose(): void {
    this.following.dispose();
    this.session.dispose();
  }

  private makeAnswers(): Answers<TimelineRequests> {
    const { session } = this;
    return {
      open: { guard: guards.open, answer: () => this.shown(session.state) },
      spans: {
        guard: guards.spans,
        answer: async (window, signal) => ownArrays(await session.about('timelineSpans', window, { signal })),
      },
      stack: {
        guard: guards.stack,
        answer: async (window, signal) => ownArrays(await session.about('timelineStack', window, { signal })),
      },
      messages: {
        guard: guards.messages,
        answer: async (window, signal) =>
          ownArrays(await session.about('timelineMessages', window, { signal })),
      },
      profile: {
        guard: guards.profile,
        answer: (range, signal) => session.about('timelineProfile', range, { signal }),
      },
      find: {
        guard: guards.find,
        answer: (given, signal) => session.about('timelineFind', given, { signal }),
      },
      openSource: { guard: guards.openSource, answer: (given) => this.openSource(given) },
      make: {
        guard: guards.make,
        answer: () => {
          void session.make();
          return { started: true };
        },
      },
      cancel: { guard: guards.cancel, answer: () => ({ cancelled: session.cancel() }) },
      save: {
        guard: guards.save,
        answer: async ({ kind, name, content }) => {
          const suggested = { title: 'Save Timeline', measured: this.file, name, usualName: 'timeline' };
          const saved = await saveAs(
            { ...suggested, ending: kind, filter: filters[kind] },
            (file) => vscode.workspace.fs.writeFile(file, content),
            this.kymo.log,
          );
          return { saved };
        },
      },
    };
  }

  private get file(): vscode.Uri {
    return vscode.Uri.file(this.input.file);
  }

  private async openSource(
    given: TimelineRequests['openSource']['parameters'],
  ): Promise<{ readonly opened: boolean }> {
    const place = await this.session.about('timelineFunction', given);
    const { viewColumn } = this.panel.webviewPanel;
    if (place.file !== undefined && place.line !== undefined) {
      await goToSource(this.kymo, { file: place.file, line: place.line }, this.file, viewColumn);
      return { opened: true };
    }
    const isFirst = viewColumn === undefined || viewColumn === vscode.ViewColumn.One;
    const beside = isFirst ? vscode.ViewColumn.Beside : vscode.ViewColumn.One;
    return { opened: await openFunctionNamed(this.kymo, place.name, { viewColumn: beside }) };
  }

  private follow(state: TimelineState): void {
    if (state.kind === 'making' && state.progress !== undefined) this.panel.tell('progress', state.progress);
    else this.panel.tell('shown', this.shown(state));
  }

  private shown(state: TimelineState): TimelineShown {
    return { ...openedOf(state), panel: panelName(this.input), title: traceName(this.input) };
  }
}

/** Arrays from another process are views of one large buffer, which VS Code would send with each of them. */
function ownArrays<Given extends object>(given: Given): Given {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]: [string, unknown]) => [
      name,
      value instanceof Float64Array ||
      value instanceof Float32Array ||
      value instanceof Uint32Array ||
      value instanceof Int32Array
        ? value.slice()
        : value,
    ]),
  ) as Given;
}

export function panelTitle(input: TimelineInput): string {
  return `Timeline: ${traceName(input)}`;
}

/** Most traces have the same name, in folders of their own. */
function traceName({ file }: TimelineInput): string {
  const name = path.basename(file);
  return name === 'traces.otf2' ? path.basename(path.dirname(file)) : name;
}
