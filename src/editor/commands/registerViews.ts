import { registerInstrumentationCommands } from './functions/instrumentation';
import { registerPropertyCommands } from './functions/properties';
import type { Kymo } from '../state/kymo';
import { ExperimentsView } from '../surfaces/trees/experimentsView';
import { InstrumentationView } from '../surfaces/trees/instrumentationView';
import { PropertiesView } from '../surfaces/trees/propertiesView';
import { RunningView } from '../surfaces/trees/runningView';

/** The views of the activity-bar container, and the commands of their menus. */
export function registerViews(kymo: Kymo): void {
  const instrumentation = new InstrumentationView(kymo);
  const properties = new PropertiesView(kymo);
  kymo.extension.subscriptions.push(
    new ExperimentsView(kymo),
    new RunningView(kymo),
    instrumentation,
    properties,
  );
  registerInstrumentationCommands(kymo, instrumentation);
  registerPropertyCommands(kymo, properties);
}
