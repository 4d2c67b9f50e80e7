import type { DataWriter } from '../wire/data-writer.ts';
import { MESSAGE } from './message-type.ts';

const SESSION_RETURNED = 4;
const SESSION_CHANGED = 4;

/**
 * Tells the client of a server-side pool, in front of the first answer after it released its session, that it has got
 * one again and that nothing of the former one is left.
 */
export function writeSessionReturn(writer: DataWriter, sessionId: number): void {
  writer.uint8(MESSAGE.serverPiggyback).uint8(SESSION_RETURNED);
  writer.integer(0).uint8(0).integers(0, SESSION_CHANGED, sessionId, 1);
}
