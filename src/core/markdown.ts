/** Text from programs and files as Markdown that shows exactly it: no links, no markup, no icons, no line breaks. */
export function escapeMarkdown(text: string): string {
  return text
    .replace(/\p{Cc}+/gu, ' ')
    .replace(/[\\`*_{}[\]()#+\-.!|~$:@]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

/** Text from programs as a cell of a Markdown table in a report, where only what changes the table or its text is escaped. */
export function markdownCell(text: string): string {
  return text
    .replace(/[\p{Cc}]+/gu, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/[\\`*_[\]|]/g, '\\$&');
}

/** For notifications, which make links of `[text](address)` and run commands by them: names of files and functions must not. */
export function withoutLinks(text: string): string {
  return text.replaceAll('](', ']\u200b(');
}
