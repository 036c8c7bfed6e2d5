const encoder = new TextEncoder();

/** Length of the text in UTF-8. */
export function byteLength(text: string): number {
  return isAscii(text) ? text.length : encoder.encode(text).length;
}

/** Converts each byte of the text in UTF-8 to one character. */
export function bytesOf(text: string): string {
  return isAscii(text)
    ? text
    : Array.from(encoder.encode(text), (byte) => String.fromCharCode(byte)).join('');
}

export function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 127) return false;
  return true;
}
