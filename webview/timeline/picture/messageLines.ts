import { atFloat, atUint } from '../../../src/core/at';
import type { TimelineMessages } from '../../../src/core/timeline/pieces';
import { pixelOf } from '../time/span';
import { rowTop, type Frame } from './painter';

/** One message. */
export interface Message {
  readonly sender: number;
  readonly receiver: number;
  readonly sent: number;
  readonly received: number;
  readonly bytes: number;
  readonly tag: number;
}

/** A line can be pointed at from this far away. */
const reach = 3;

export function messageAt(messages: TimelineMessages, index: number): Message {
  return {
    sender: atUint(messages.sender, index),
    receiver: atUint(messages.receiver, index),
    sent: atFloat(messages.sent, index),
    received: atFloat(messages.received, index),
    bytes: atFloat(messages.bytes, index),
    tag: messages.tag[index] ?? 0,
  };
}

/** From the middle of the sender's row to that of the receiver's, with a point where it arrives. */
export function paintMessages(
  context: CanvasRenderingContext2D,
  frame: Frame,
  messages: TimelineMessages,
  color: string,
  marked: number | undefined,
): void {
  const { left, top, width, height } = frame;
  context.save();
  context.beginPath();
  context.rect(left, top, width, height);
  context.clip();
  context.strokeStyle = color;
  context.fillStyle = color;
  for (let index = 0; index < messages.sender.length; index++) {
    const line = clipped(lineOf(frame, messages, index), left - width, left + 2 * width);
    if (line === undefined) continue;
    context.globalAlpha = index === marked ? 1 : 0.75;
    context.lineWidth = index === marked ? 2.5 : 1.2;
    context.beginPath();
    context.moveTo(line.x, line.y);
    context.lineTo(line.toX, line.toY);
    context.stroke();
    context.beginPath();
    context.arc(line.toX, line.toY, index === marked ? 3.5 : 2, 0, 2 * Math.PI);
    context.fill();
  }
  context.restore();
}

/** The message whose line is at a point, the nearest one; undefined: none. */
export function messageNear(
  frame: Frame,
  messages: TimelineMessages,
  x: number,
  y: number,
): number | undefined {
  let best: number | undefined;
  let nearest = reach;
  for (let index = 0; index < messages.sender.length; index++) {
    const distance = distanceTo(lineOf(frame, messages, index), x, y);
    if (distance > nearest) continue;
    nearest = distance;
    best = index;
  }
  return best;
}

interface Line {
  readonly x: number;
  readonly y: number;
  readonly toX: number;
  readonly toY: number;
}

function lineOf(frame: Frame, messages: TimelineMessages, index: number): Line {
  const { left, width, span, rowHeight } = frame;
  const half = rowHeight / 2;
  return {
    x: left + pixelOf(span, width, atFloat(messages.sent, index)),
    y: rowTop(frame, atUint(messages.sender, index)) + half,
    toX: left + pixelOf(span, width, atFloat(messages.received, index)),
    toY: rowTop(frame, atUint(messages.receiver, index)) + half,
  };
}

/** The part between two verticals: a canvas rounds what is far outside of it. Undefined: nothing is there. */
export function clipped(line: Line, from: number, to: number): Line | undefined {
  const { x, y, toX, toY } = line;
  if (Math.max(x, toX) < from || Math.min(x, toX) > to) return undefined;
  const slope = toX === x ? 0 : (toY - y) / (toX - x);
  const end = (at: number, own: number): readonly [x: number, y: number] => {
    const inside = Math.min(to, Math.max(from, at));
    return [inside, own + (inside - at) * slope];
  };
  const [startX, startY] = end(x, y);
  const [endX, endY] = end(toX, toY);
  return { x: startX, y: startY, toX: endX, toY: endY };
}

function distanceTo({ x, y, toX, toY }: Line, atX: number, atY: number): number {
  const [dx, dy] = [toX - x, toY - y];
  const length = dx * dx + dy * dy;
  const share = length === 0 ? 0 : Math.min(1, Math.max(0, ((atX - x) * dx + (atY - y) * dy) / length));
  return Math.hypot(atX - x - share * dx, atY - y - share * dy);
}
