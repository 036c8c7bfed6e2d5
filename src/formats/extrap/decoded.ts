import { invalidFile, invalidText } from './errors';
import { limits } from './limits';

/** The text of bytes in UTF-8, without a byte order mark. @throws KymoError `measurements-invalid` */
export function decoded(bytes: Uint8Array, file: string): string {
  if (bytes.length > limits.textBytes)
    throw invalidFile(
      file,
      `it has ${bytes.length} bytes, and ${limits.textBytes} are the most that are read`,
    );
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const text = new TextDecoder().decode(bytes);
    throw invalidText({ file, text }, text.indexOf('\ufffd'), 'a text in UTF-8', 'another byte');
  }
}
