import { digestFormat } from '../services/digestPacket';

/**
 * What the front end and an agent say to each other, on a stream of their own. Processes have numbers, which the agent gives; the bytes of the
 * control protocol are carried as they are.
 */
export const agentPackets = {
  /** Down: begin to look for processes. The first packet of the stream. */
  look: { tag: 100, format: '%ud' },
  /** Down: connect to a process; its answer to the hello has this serial number. */
  open: { tag: 101, format: '%ud %ud' },
  /** Down: bytes of requests. */
  requests: { tag: 102, format: '%ud %auc' },
  /** Down: 1: read nothing more of the process, 0: go on. */
  pause: { tag: 103, format: '%ud %uc' },
  /** Down: end the connection. */
  close: { tag: 104, format: '%ud' },
  /**
   * Down: send a digest of the processes with so many slots of the selection, which wait at the end of an iteration (1) or go on (0), with iterations from a
   * number on of the phase with a name, or (empty) of any. The first packet of the one stream that all agents of a reduced run have.
   */
  ask: { tag: 105, format: '%ud %uc %ud %s' },
  /** Down: of a search, for all agents or the one that it names. The first packet of the one stream that all agents of a search have. */
  order: { tag: 106, format: '%s' },
  /** Up: a process can be connected to; number and name of its socket. */
  found: { tag: 110, format: '%ud %s' },
  /** Up: bytes of messages, cut anywhere. */
  messages: { tag: 111, format: '%ud %auc' },
  /** Up: the connection is over, or never began, and the number is not used again; with what went wrong, if anything. */
  over: { tag: 112, format: '%ud %s' },
  /** Up: of all processes of the host. */
  digest: { tag: 113, format: digestFormat },
  /** Up: of a search. */
  report: { tag: 114, format: '%s' },
} as const;
