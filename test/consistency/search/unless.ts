/** `[]` where something holds, or the sentence that it does not. */
export function unless(holds: boolean, sentence: string): readonly string[] {
  return holds ? [] : [sentence];
}
