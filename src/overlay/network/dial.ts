import net from 'node:net';
import type { Hello } from '../control/messages';
import type { Address } from '../members/surroundings';
import { frameKinds, jsonFrame, largestFrame, readJson } from '../packets/frame';
import { OverlayError } from '../packets/overlayError';
import { asOverlayError } from '../streams/upStream';
import { Connection, type ConnectionHandlers, type Traffic } from './connection';
import { acceptance, challenge, isProof, nonce, proofOf } from './handshake';

const connectMilliseconds = 5000;

export interface DialHandlers {
  /** @param layout JSON of the tree; empty: the process has no children to start */
  opened(connection: Connection, layout: string): void;
  refused(): void;
  problem(error: OverlayError): void;
  frame: ConnectionHandlers['frame'];
  closed(connection: Connection): void;
  readonly full: (isFull: boolean) => void;
}

/** Asks a process to be its child. Ends with `opened` or `refused`, once. */
export function dial(
  to: Address,
  hello: Hello,
  token: string,
  traffic: Traffic,
  handlers: DialHandlers,
): void {
  const socket = net.connect({ host: to.host, port: to.port });
  const ours = nonce();
  const text = JSON.stringify(hello);
  let isChallenged = false;
  let wasDropped = false;
  const refuse = (): void => {
    clearTimeout(patience);
    if (!wasDropped) handlers.refused();
    wasDropped = true;
  };
  const connection = new Connection(
    socket,
    traffic,
    {
      frame: (bytes, from, to) => {
        try {
          const value = readJson(bytes, from, to);
          if (!isChallenged) {
            isChallenged = true;
            const theirs = challenge(value, 'challenge').nonce;
            const proof = proofOf(token, 'child', theirs, text);
            connection.send(jsonFrame(frameKinds.hello, { hello: text, nonce: ours, proof }));
            return;
          }
          accepted(acceptance(value, 'acceptance'));
        } catch (error) {
          handlers.problem(asOverlayError(error, 'malformed'));
          connection.destroy();
        }
      },
      closed: refuse,
      malformed: (error) => handlers.problem(error),
      full: () => undefined,
    },
    2 ** 25,
  );
  const patience = setTimeout(() => connection.destroy(), connectMilliseconds);

  function accepted({ proof, answer, layout }: ReturnType<typeof acceptance>): void {
    if (!isProof(proof, proofOf(token, 'parent', ours)))
      throw new OverlayError(
        'token',
        `The process at ${to.host}:${to.port} does not know the token of the session.`,
      );
    if (answer !== 'yes') {
      connection.destroy();
      return;
    }
    clearTimeout(patience);
    connection.reader.limit = largestFrame;
    connection.handlers = {
      frame: handlers.frame,
      closed: () => handlers.closed(connection),
      malformed: (error) => handlers.problem(error),
      full: handlers.full,
    };
    handlers.opened(connection, layout);
  }
}
