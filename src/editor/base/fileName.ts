/** Makes a webview's suggestion safe: it can be part of a file name but not of a path. */
export function fileName(suggested: string, fallback: string): string {
  const plain = suggested
    .replace(/[^\p{L}\p{N}._ -]+/gu, '-')
    .replace(/^[-. ]+|[-. ]+$/g, '')
    .slice(0, 80);
  return plain === '' ? fallback : plain;
}
