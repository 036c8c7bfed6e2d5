import * as l10n from '@vscode/l10n';
import type { DynamicsEvents, DynamicsRequests } from '../../../../protocol/dynamics';
import type { DynamicsInput } from '../../../state/dynamics/dynamicsSession';
import type { Kymo } from '../../../state/kymo';
import { OpenedPanels } from '../openedPanel';
import { DynamicsPanel, inputTitle } from './dynamicsPanel';
import { panelName, shownBefore } from './requests';

/** The panels of performance dynamics of a window: one per input. */
export class DynamicsPanels extends OpenedPanels<
  DynamicsRequests,
  DynamicsEvents,
  DynamicsInput,
  DynamicsPanel
> {
  constructor(kymo: Kymo) {
    super(kymo, {
      view: 'dynamics',
      readState: shownBefore,
      title: (input) => l10n.t`Dynamics: ${inputTitle(input)}`,
      key: panelName,
      make: (panel, input) => new DynamicsPanel(kymo, panel, input),
    });
  }

  /** @param property the id of one to show in the panel */
  override show(input: DynamicsInput, property?: string): void {
    super.show(input);
    if (property !== undefined) this.of(input)?.choose(property);
  }
}
