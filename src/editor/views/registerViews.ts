import { registerInstrumentationCommands } from '../commands/instrumentation';
import { registerPropertyCommands } from '../commands/properties';
import type { Kymo } from '../kymo';
import { ExperimentsView } from './experimentsView';
import { InstrumentationView } from './instrumentationView';
import { PropertiesView } from './propertiesView';

/** The views of the activity-bar container, and the commands of their menus. */
export function registerViews(kymo: Kymo): void {
  const instrumentation = new InstrumentationView(kymo);
  const properties = new PropertiesView(kymo);
  kymo.extension.subscriptions.push(new ExperimentsView(kymo), instrumentation, properties);
  registerInstrumentationCommands(kymo, instrumentation);
  registerPropertyCommands(kymo, properties);
}
