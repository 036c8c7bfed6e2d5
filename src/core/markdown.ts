/** Text from programs and files as Markdown that shows exactly it: no links, no markup, no icons, no line breaks. */
export function escapeMarkdown(text: string): string {
  return text
    .replace(/\p{Cc}+/gu, ' ')
    .replace(/[\\`*_{}[\]()#+\-.!|~$:@]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

/** For notifications, which make links of `[text](address)` and run commands by them: names of files and functions must not. */
export function withoutLinks(text: string): string {
  return text.replaceAll('](', ']\u200b(');
}
