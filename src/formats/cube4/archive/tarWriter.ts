import { KymoError } from '../../../core/errors';

const block = 512;
/** The largest number of eleven octal digits. */
const largestMember = 8 ** 11 - 1;

/**
 * The header of one member, as Cube's own writer lays it out and its tools accept it (docs/formats/cube4.md, section 1).
 * The time is 0, so that equal profiles are equal files.
 */
export function tarHeader(name: string, size: number): Uint8Array {
  if (name.length > 99 || size > largestMember)
    throw new KymoError('unrepresentable', `A profile cannot have a member ${name} of ${size} bytes.`);
  const header = new Uint8Array(block);
  const put = (offset: number, text: string): void => {
    for (let i = 0; i < text.length; i++) header[offset + i] = text.charCodeAt(i);
  };
  put(0, name);
  put(100, '0000600\0');
  put(108, '0000000\0');
  put(116, '0000000\0');
  put(124, `${size.toString(8).padStart(11, '0')}\0`);
  put(136, '00000000000\0');
  put(148, '        ');
  put(156, '0');
  put(257, 'ustar\0');
  put(263, '00');
  const sum = header.reduce((total, byte) => total + byte, 0);
  put(148, `${sum.toString(8).padStart(6, '0')}\0 `);
  return header;
}

/** Zeros that fill the last block of a member. */
export function tarPadding(size: number): Uint8Array {
  return new Uint8Array((block - (size % block)) % block);
}

/** Two blocks of zeros end an archive. */
export function tarEnd(): Uint8Array {
  return new Uint8Array(2 * block);
}
