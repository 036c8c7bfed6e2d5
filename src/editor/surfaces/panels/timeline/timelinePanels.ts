import type { TimelineEvents, TimelineRequests } from '../../../../protocol/timeline';
import type { Kymo } from '../../../state/kymo';
import type { TimelineInput } from '../../../state/timeline/timelineSession';
import { OpenedPanels } from '../openedPanel';
import { shownBefore } from './requests';
import { panelTitle, TimelinePanel } from './timelinePanel';

/** The timelines of a window: one per trace. */
export class TimelinePanels extends OpenedPanels<
  TimelineRequests,
  TimelineEvents,
  TimelineInput,
  TimelinePanel
> {
  constructor(kymo: Kymo) {
    super(kymo, {
      view: 'timeline',
      readState: shownBefore,
      title: panelTitle,
      key: ({ file }) => file,
      make: (panel, input) => new TimelinePanel(kymo, panel, input),
    });
  }
}
