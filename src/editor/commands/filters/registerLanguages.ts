import type { ExperimentNode } from '../../surfaces/trees/experimentsView';
import type { Kymo } from '../../state/kymo';
import { applyFilter } from './applyFilter';
import { compareFilters, RoundFilters } from './compareFilters';
import { FilterCompletion } from '../../surfaces/filters/filterCompletion';
import { FilterDiagnostics } from '../../surfaces/filters/filterDiagnostics';
import { FilterDocuments } from '../../state/filters/filterDocuments';
import { FilterHovers } from '../../surfaces/filters/filterHovers';
import { registerFilterLayout } from '../../surfaces/filters/filterLayout';
import { FilterLenses } from '../../surfaces/filters/filterLenses';
import { showDecision } from './showDecision';
import { showMatches } from './showMatches';

/** Registers the language of Score-P filters. */
export function registerLanguages(kymo: Kymo): void {
  const documents = new FilterDocuments(kymo);
  kymo.extension.subscriptions.push(
    documents,
    new FilterDiagnostics(documents),
    new FilterHovers(kymo, documents),
    new FilterLenses(documents),
    new FilterCompletion(kymo, documents),
    new RoundFilters(kymo),
    registerFilterLayout(kymo, documents),
  );
  kymo.command('kymo.filter.showDecision', () => showDecision(kymo, documents));
  kymo.command('kymo.filter.showMatches', (document: unknown, rules: unknown) =>
    showMatches(kymo, documents, document, rules),
  );
  kymo.command('kymo.filter.apply', (uri: unknown) => applyFilter(kymo, uri));
  kymo.command('kymo.filter.compare', (node?: ExperimentNode, all?: readonly ExperimentNode[]) =>
    compareFilters(kymo, node, all),
  );
}
