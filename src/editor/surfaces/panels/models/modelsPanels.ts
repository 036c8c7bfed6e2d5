import type { ModelsEvents, ModelsRequests } from '../../../../protocol/models';
import type { Kymo } from '../../../state/kymo';
import type { ModelsInput } from '../../../state/models/modelsSession';
import { OpenedPanels } from '../openedPanel';
import { ModelsPanel, panelTitle } from './modelsPanel';
import { shownBefore } from './requests';

/** The panels of performance models of a window: one per input. */
export class ModelsPanels extends OpenedPanels<ModelsRequests, ModelsEvents, ModelsInput, ModelsPanel> {
  constructor(kymo: Kymo) {
    super(kymo, {
      view: 'models',
      readState: shownBefore,
      title: panelTitle,
      key: ({ paths }) => JSON.stringify(paths),
      make: (panel, input) => new ModelsPanel(kymo, panel, input),
    });
  }

  /** As for every document; in its open panel, an input is compared if it names what with. */
  override show(input: ModelsInput): void {
    if (input.compared !== undefined) this.of(input)?.compare(input.compared);
    super.show(input);
  }
}
