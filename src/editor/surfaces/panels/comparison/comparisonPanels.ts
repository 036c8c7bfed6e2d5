import type { ComparisonEvents, ComparisonRequests } from '../../../../protocol/comparison';
import type { ComparisonInput } from '../../../state/comparison/comparisonSession';
import type { Kymo } from '../../../state/kymo';
import { comparisonTitle } from '../../../words/comparison/comparisonText';
import { OpenedPanels } from '../openedPanel';
import { ComparisonPanel } from './comparisonPanel';
import { panelName, shownBefore } from './requests';

/** The panels of a window that compare traces: one per input. */
export class ComparisonPanels extends OpenedPanels<
  ComparisonRequests,
  ComparisonEvents,
  ComparisonInput,
  ComparisonPanel
> {
  constructor(kymo: Kymo) {
    super(kymo, {
      view: 'comparison',
      readState: shownBefore,
      title: ({ views }) => comparisonTitle(views),
      key: panelName,
      make: (panel, input) => new ComparisonPanel(kymo, panel, input),
    });
  }
}
