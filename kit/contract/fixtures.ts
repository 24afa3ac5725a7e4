import { asId, type Id } from '#kit/domain/id.ts'
import { isObject, type RawObject } from './wire/members.ts'
import type { Envelope } from './wire.ts'

/** Values that came over the wire, read by checks: each fails where the value is of another kind. */

export function objectOf(value: unknown): RawObject {
  if (!isObject(value)) throw new TypeError('the value is no object', { cause: value })
  return value
}

export function objectsOf(value: unknown): readonly RawObject[] {
  if (!Array.isArray(value)) throw new TypeError('the value is no list', { cause: value })
  return value.map(objectOf)
}

export function textOf(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError('the value is no text', { cause: value })
  return value
}

export function numberOf(value: unknown): number {
  if (typeof value !== 'number') throw new TypeError('the value is no number', { cause: value })
  return value
}

export const idOf = (value: unknown): Id => asId(numberOf(value))

const isEnvelope = (value: unknown): value is Envelope =>
  isObject(value) && typeof value.Code === 'number' && typeof value.Message === 'string' && 'Data' in value

export function envelopeOf(value: unknown): Envelope {
  if (!isEnvelope(value)) throw new TypeError('the answer is no envelope', { cause: value })
  return value
}
