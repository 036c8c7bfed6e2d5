/** What may differ between the sides of a gate only if the user says so: times then differ for another reason than the program's. */
export const differences = ['machine', 'compiler', 'input', 'program'] as const;

export type DifferenceOfSides = (typeof differences)[number];
