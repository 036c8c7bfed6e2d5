import path from 'node:path';
import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import type { TimelineEvents, TimelineRequests, TimelineShown } from '../../../../protocol/timeline';
import { goToSource } from '../../../actions/goToSource';
import type { Kymo } from '../../../state/kymo';
import { openedOf } from '../../../state/opened/openedSession';
import {
  TimelineSession,
  type TimelineInput,
  type TimelineState,
} from '../../../state/timeline/timelineSession';
import type { Answers } from '../panelChannel';
import { OpenedPanel } from '../openedPanel';
import type { Panel } from '../panels';
import { saveAs } from '../saveAs';
import { panelName, timelineGuards as guards } from './requests';

const filters = { png: 'PNG', csv: 'CSV' } as const;

/** The owner of one timeline. */
export class TimelinePanel extends OpenedPanel<TimelineRequests, TimelineEvents, TimelineSession> {
  readonly answers = this.makeAnswers();

  constructor(kymo: Kymo, panel: Panel<TimelineEvents>, input: TimelineInput) {
    super(kymo, panel, new TimelineSession(kymo.engine, input));
  }

  protected title(): string {
    return panelTitle(this.input);
  }

  protected get file(): string {
    return this.input.file;
  }

  private makeAnswers(): Answers<TimelineRequests> {
    const { session } = this;
    return {
      ...this.common,
      spans: {
        guard: guards.spans,
        answer: (window, signal) => session.about('timelineSpans', window, { signal }),
      },
      stack: {
        guard: guards.stack,
        answer: (window, signal) => session.about('timelineStack', window, { signal }),
      },
      messages: {
        guard: guards.messages,
        answer: (window, signal) => session.about('timelineMessages', window, { signal }),
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
      save: {
        guard: guards.save,
        answer: async ({ kind, name, content }) => {
          const suggested = {
            title: l10n.t('Save Timeline'),
            measured: this.uri,
            name,
            usualName: 'timeline',
          };
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

  private async openSource(
    given: TimelineRequests['openSource']['parameters'],
  ): Promise<{ readonly opened: boolean }> {
    const place = await this.session.about('timelineFunction', given);
    const { viewColumn } = this.panel.webviewPanel;
    if (place.file !== undefined && place.line !== undefined) {
      await goToSource(this.kymo, { file: place.file, line: place.line }, this.uri, viewColumn);
      return { opened: true };
    }
    return this.openNamed(place.name);
  }

  protected shown(state: TimelineState): TimelineShown {
    return { ...openedOf(state), panel: panelName(this.input), title: traceName(this.input) };
  }
}

export function panelTitle(input: TimelineInput): string {
  return l10n.t`Timeline: ${traceName(input)}`;
}

/** Most traces have the same name, in folders of their own. */
function traceName({ file }: TimelineInput): string {
  const name = path.basename(file);
  return name === 'traces.otf2' ? path.basename(path.dirname(file)) : name;
}
