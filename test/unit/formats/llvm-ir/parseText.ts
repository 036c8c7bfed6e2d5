import type { CompilerGraph } from '../../../../src/core/source/unit';
import { LlvmIrReader } from '../../../../src/formats/llvm-ir/parse';

/** Reads the IR of one unit, given as text. */
export function parseLlvmIr(text: string): CompilerGraph {
  const reader = new LlvmIrReader();
  reader.add(text);
  return reader.finish();
}
