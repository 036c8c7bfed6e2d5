import { KymoError } from '../../core/errors';

/**
 * - `not-elf`: something else than an ELF file
 * - `unsupported-elf`: ELF, but of a kind that is not read (32 bit, big endian, other machine)
 * - `invalid-elf`, `invalid-dwarf`: cut off or damaged
 */
export type ElfErrorReason = 'not-elf' | 'unsupported-elf' | 'invalid-elf' | 'invalid-dwarf';

export function elfError(
  reason: ElfErrorReason,
  file: string,
  offset: number,
  message: string,
): KymoError<ElfErrorReason> {
  return new KymoError(reason, `${file}, byte ${offset}: ${message}`, { file, offset });
}
