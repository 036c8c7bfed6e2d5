/**
 * Whether a function is worth a probe. Without a loop a visit is as short as the text looks: where such a function is inlined, two probes in
 * each copy cost more than they show (in interpreters and parsers above all), and where it is not, it has its patchable entry. With a larger
 * minimum than usual (10), small loops of containers lose their probes first: they are inlined everywhere.
 */
export function wantsProbe(
  { loops, statements }: { readonly loops: number; readonly statements: number },
  minimum: number,
): boolean {
  return statements >= (loops > 0 ? minimum / 10 : minimum * 2);
}
