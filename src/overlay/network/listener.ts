import net from 'node:net';
import { type Hello, hello as helloShape } from '../control/messages';
import type { Layout } from '../layout/layout';
import type { Link } from '../members/surroundings';
import { frameKinds, jsonFrame, largestFrame, readJson } from '../packets/frame';
import { OverlayError } from '../packets/overlayError';
import { asOverlayError } from '../streams/upStream';
import { Connection, type ConnectionHandlers, type Traffic } from './connection';
import { isProof, nonce, proofOf, signedHello } from './handshake';

/** A stranger may send this much, and take this long, before it has proven that it knows the token. */
const strangerBytes = 2 ** 20;
const strangerMilliseconds = 10_000;
/** More at the same time are closed at once. */
const mostStrangers = 1024;

/** A process that has children. */
export interface Parent {
  accept(hello: Hello, link: Link): boolean;
  childClosed(rank: number, link: Link): void;
  fromChild(rank: number, bytes: Buffer, from: number, to: number): void;
  problem(error: OverlayError): void;
}

export interface ListenerOptions {
  readonly token: string;
  readonly traffic: Traffic;
  /** What the first connection of an inner process is given. */
  readonly layout: () => Layout | undefined;
}

/** Accepts children, each after it has proven that it knows the token. */
export class Listener {
  readonly children = new Set<Connection>();
  private readonly strangers = new Set<Connection>();
  private readonly server = net.createServer((socket) => this.meet(socket));

  private parent: Parent | undefined;
  private full: (child: Connection, isFull: boolean) => void = () => undefined;

  constructor(private readonly options: ListenerOptions) {}

  /**
   * Before this, nobody is accepted.
   * @param full the queue to a child is too long, or has become short
   */
  serve(parent: Parent, full: (child: Connection, isFull: boolean) => void = () => undefined): void {
    this.parent = parent;
    this.full = full;
  }

  /**
   * @param host by which others reach this process. On many machines its own name is an address that only it can use, so all addresses are listened
   * on unless it is the loopback's.
   * @returns the port
   */
  async listen(host: string): Promise<number> {
    const isAlone = host === 'localhost' || net.isIP(host) !== 0;
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject).listen({ port: 0, ...(isAlone ? { host } : {}) }, resolve);
    });
    const address = this.server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  close(): void {
    this.server.close();
    for (const connection of [...this.children, ...this.strangers]) connection.destroy();
  }

  private meet(socket: net.Socket): void {
    const { traffic } = this.options;
    const ours = nonce();
    const handlers: ConnectionHandlers = {
      frame: (bytes, from, to) => {
        try {
          this.admit(connection, ours, readJson(bytes, from, to));
        } catch (error) {
          handlers.malformed(asOverlayError(error, 'malformed'));
          connection.destroy();
        }
      },
      closed: () => {
        clearTimeout(patience);
        this.strangers.delete(connection);
      },
      malformed: ({ reason, message }) =>
        this.parent?.problem(
          new OverlayError(
            reason,
            `A connection from ${String(socket.remoteAddress)} was closed: ${message}`,
          ),
        ),
      full: () => undefined,
    };
    const connection = new Connection(socket, traffic, handlers, strangerBytes);
    const patience = setTimeout(() => connection.destroy(), strangerMilliseconds);
    if (this.strangers.size >= mostStrangers) connection.destroy();
    this.strangers.add(connection);
    connection.send(jsonFrame(frameKinds.challenge, { nonce: ours }));
  }

  private admit(connection: Connection, ours: string, value: unknown): void {
    const { token } = this.options;
    const { hello: text, nonce: theirs, proof } = signedHello(value, 'hello');
    if (!isProof(proof, proofOf(token, 'child', ours, text)))
      throw new OverlayError('token', 'it does not know the token of the session.');
    const hello = helloShape(JSON.parse(text), 'hello');
    connection.handlers.closed();
    connection.reader.limit = largestFrame;
    this.takeOver(connection, hello);
    const isAccepted = this.parent?.accept(hello, connection) === true;
    const isFirst = hello.attempt === 1 && hello.role === 'inner';
    const layout = isAccepted && isFirst ? this.options.layout() : undefined;
    connection.send(
      jsonFrame(frameKinds.hello, {
        proof: proofOf(token, 'parent', theirs),
        answer: isAccepted ? 'yes' : 'no',
        layout: layout === undefined ? '' : JSON.stringify(layout),
      }),
    );
    if (!isAccepted) connection.close();
  }

  private takeOver(connection: Connection, { rank }: Hello): void {
    this.children.add(connection);
    connection.handlers = {
      frame: (bytes, from, to) => this.parent?.fromChild(rank, bytes, from, to),
      closed: () => {
        this.children.delete(connection);
        this.parent?.childClosed(rank, connection);
      },
      malformed: ({ reason, message }) =>
        this.parent?.problem(
          new OverlayError(reason, `The connection to the process ${rank} was closed: ${message}`),
        ),
      full: (isFull) => this.full(connection, isFull),
    };
  }
}
