import { commandLink, type CommandLink } from './hoverText';
import { escapeMarkdown } from '../../core/markdown';
import { severityOf } from '../../core/properties/property';
import { dynamicsSentence } from './dynamicsText';
import type { PropertiesAtLine } from '../state/dynamics/placedProperties';

/** The Properties view has all. */
const shownProperties = 5;

/**
 * Markdown with theme icons: the sentence of each degradation of a line from `threshold` (share of the phase time) on, with a link to where
 * its numbers are; undefined without any. All names are shown as they are.
 */
export function dynamicsHover(
  { stale, properties }: PropertiesAtLine,
  threshold: number,
  linkTo: (property: PropertiesAtLine['properties'][number]) => Omit<CommandLink, 'title'>,
): string | undefined {
  const told = properties.filter((property) => severityOf(property) >= threshold);
  if (told.length === 0) return undefined;
  const more = told.length - shownProperties;
  const sentences = told.slice(0, shownProperties).map((property) => {
    const link = commandLink({ title: 'Show in Dynamics Panel', ...linkTo(property) });
    return `$(pulse) ${escapeMarkdown(dynamicsSentence(property))}\n\n${link}`;
  });
  return [
    ...sentences,
    ...(more > 0 ? [`… and ${more} more in the Properties view`] : []),
    ...(stale ? ['$(history) _Changed since the run: this was found in the text before._'] : []),
  ].join('\n\n');
}
