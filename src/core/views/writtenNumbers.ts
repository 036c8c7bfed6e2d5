/** Numbers of ranks that a person wrote: `0, 2–4` or `0 2-4`; undefined if it is none, or has more than so many. */
export function writtenNumbers(text: string, most: number): ReadonlySet<number> | undefined {
  const numbers = new Set<number>();
  const parts = text
    .trim()
    .replace(/\s*[-–]\s*/g, '-')
    .split(/[\s,;]+/);
  for (const part of parts) {
    const [, first = '', last = first] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(part) ?? [];
    if (first === '' || Number(last) < Number(first) || Number(last) - Number(first) >= most)
      return undefined;
    for (let number = Number(first); number <= Number(last); number++) numbers.add(number);
  }
  return numbers;
}
