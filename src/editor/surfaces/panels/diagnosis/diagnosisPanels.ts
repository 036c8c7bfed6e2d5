import type { DiagnosisEvents, DiagnosisRequests } from '../../../../protocol/diagnosis';
import type { DiagnosisInput } from '../../../state/diagnosis/diagnosisSession';
import type { Kymo } from '../../../state/kymo';
import { OpenedPanels } from '../openedPanel';
import { DiagnosisPanel, panelTitle } from './diagnosisPanel';
import { shownBefore } from './requests';

/** The panels of a window that show diagnoses: one per input. */
export class DiagnosisPanels extends OpenedPanels<
  DiagnosisRequests,
  DiagnosisEvents,
  DiagnosisInput,
  DiagnosisPanel
> {
  constructor(kymo: Kymo) {
    super(kymo, {
      view: 'diagnosis',
      readState: shownBefore,
      title: panelTitle,
      key: ({ path }) => path,
      make: (panel, input) => new DiagnosisPanel(kymo, panel, input),
    });
  }
}
