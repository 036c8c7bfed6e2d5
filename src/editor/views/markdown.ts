/** Text from programs and files as Markdown that shows exactly it: no links, no markup, no icons, no line breaks. */
export function escapeMarkdown(text: string): string {
  return text
    .replace(/\p{Cc}+/gu, ' ')
    .replace(/[\\`*_{}[\]()#+\-.!|~$:@]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
