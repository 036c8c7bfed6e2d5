import { KymoError } from '../../core/errors';

/**
 * - `not-elf`: not an ELF file
 * - `unsupported-elf`: an ELF file of a kind that is not read (32 bit, big endian, other machine)
 * - `invalid-elf`, `invalid-dwarf`: truncated or damaged
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
