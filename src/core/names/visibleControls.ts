/** Format characters without a picture: soft hyphen, characters without width, line separators, and changes of the writing direction. */
const isFormat = (code: number): boolean =>
  code === 0xad ||
  code === 0x61c ||
  (code >= 0x200b && code <= 0x200f) ||
  (code >= 0x2028 && code <= 0x202e) ||
  (code >= 0x2060 && code <= 0x2069) ||
  code === 0xfeff;

const isControl = (code: number): boolean => code < 0x20 || (code >= 0x7f && code < 0xa0);

/**
 * A name as it can be shown: characters that are invisible, or that move other characters, are written out (`␊`, `⟨U+202E⟩`), so that
 * two names that look the same are the same.
 */
export function visibleControls(name: string): string {
  let shown = '';
  let from = 0;
  for (let offset = 0; offset < name.length; offset++) {
    const code = name.charCodeAt(offset);
    if (!isControl(code) && !isFormat(code)) continue;
    shown += name.slice(from, offset) + written(code);
    from = offset + 1;
  }
  return from === 0 ? name : shown + name.slice(from);
}

/** ASCII controls have pictures from U+2400 on (U+2421 for DEL). */
function written(code: number): string {
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return '␡';
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}
