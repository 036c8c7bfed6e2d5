/** What a webview suggests is part of a name and never of a path. */
export function fileName(suggested: string): string {
  const plain = suggested
    .replace(/[^\p{L}\p{N}._ -]+/gu, '-')
    .replace(/^[-. ]+|[-. ]+$/g, '')
    .slice(0, 80);
  return plain === '' ? 'dynamics' : plain;
}
