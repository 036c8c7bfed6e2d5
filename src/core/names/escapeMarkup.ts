import { visibleControls } from './visibleControls';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Text from programs and files for XML and HTML, as content or as a quoted attribute. Characters that are invisible or that move others are
 * written out; lone halves of characters and what is no character are nothing that XML can hold. Line breaks stay.
 */
export function escapeMarkup(text: string): string {
  return text
    .split('\n')
    .map(visibleControls)
    .join('\n')
    .replace(/[&<>"']/g, (character) => entities[character] ?? character)
    .replace(/\p{Cs}|[\ufffe\uffff]/gu, '\ufffd');
}
