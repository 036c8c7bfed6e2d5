import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { damaged } from './errors';

/** An open element: its name and attributes, and the text and numbers that its handler puts there. */
export interface Frame {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Character data, only collected in elements without children. */
  text: string;
  /** Position of the model object that this element describes; -1 when it describes none. */
  index: number;
}

export interface XmlHandler {
  /** `above`: the enclosing element, undefined at the document's root. */
  open(frame: Frame, above: Frame | undefined): void;
  close(frame: Frame, above: Frame | undefined): void;
}

/** Elements that only hold others; white space between those is not kept. */
const containers = new Set(
  'cube doc mirrors metrics metric program region cnode system systemtreenode machine node locationgroup process location thread topologies cart'.split(
    ' ',
  ),
);
const sliceBytes = 65_536;

/**
 * Runs through an anchor.xml without building a document. Elements may be nested arbitrarily deep; entities other than the
 * standard five are errors, so that small files cannot expand. Control characters and wrong encodings in names, which some
 * writers let through, are kept as they are or become U+FFFD.
 */
export function parseXml(bytes: Uint8Array, file: string, offset: number, handler: XmlHandler): void {
  const parser = new SaxesParser();
  const open: Frame[] = [];
  const fail = (message: string): never => {
    throw damaged(
      file,
      offset,
      `well-formed anchor.xml`,
      `at its line ${parser.line}, column ${parser.column}: ${message}`,
    );
  };
  parser.on('error', (error) => {
    if (!error.message.includes('disallowed character')) fail(error.message);
  });
  parser.on('opentag', (tag: SaxesTagPlain) => {
    const frame: Frame = { tag: tag.name, attributes: tag.attributes, text: '', index: -1 };
    guarded(fail, () => handler.open(frame, open.at(-1)));
    open.push(frame);
  });
  const onText = (text: string): void => {
    const frame = open.at(-1);
    if (frame !== undefined && !containers.has(frame.tag)) frame.text += text;
  };
  parser.on('text', onText);
  parser.on('cdata', onText);
  parser.on('closetag', () => {
    const frame = open.pop();
    if (frame !== undefined) guarded(fail, () => handler.close(frame, open.at(-1)));
  });
  const decoder = new TextDecoder();
  for (let at = 0; at < bytes.length; at += sliceBytes)
    parser.write(decoder.decode(bytes.subarray(at, at + sliceBytes), { stream: true }));
  parser.write(decoder.decode()).close();
}

/** What a handler does not accept; gets its place in the file on the way out. */
export class ModelError extends Error {}

function guarded(fail: (message: string) => never, action: () => void): void {
  try {
    action();
  } catch (error) {
    if (error instanceof ModelError) fail(error.message);
    throw error;
  }
}
