import type { Field } from '#kit/contract/field.ts'
import { UnreadableValue, validateValue, kindBehaviour } from '#kit/contract/value.ts'
import { toHalfWidth } from '#kit/contract/text.ts'

/** Typed text that is no value of its kind: it stays in the input, and the form does not send it. */
export class InvalidInput {
  readonly text: string
  readonly reason: string
  constructor(text: string, reason: string) {
    this.text = text
    this.reason = reason
  }
}

/** Typed text → value; `undefined` for an empty input, `InvalidInput` for what is no value of this kind. */
export function parseTyped(text: string, field: Field): unknown {
  const normalized = toHalfWidth(text).trim()
  if (normalized === '') return undefined
  try {
    return kindBehaviour[field.kind].parse(normalized, field)
  } catch (e) {
    if (e instanceof UnreadableValue) return new InvalidInput(text, e.message)
    throw e
  }
}

/** The fault of a control's value: unreadable, or what the server would report too. */
export const faultOf = (f: Field, v: unknown): string | undefined =>
  v instanceof InvalidInput ? `${f.label}${v.reason}` : validateValue(f, v)

/** What of a form can be read so far: while an amount is being typed, nothing may be computed of it. */
export function readableValues(values: unknown): unknown {
  if (values instanceof InvalidInput) return undefined
  if (Array.isArray(values)) return values.map(readableValues)
  if (values === null || typeof values !== 'object' || Object.getPrototypeOf(values) !== Object.prototype)
    return values
  return Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => !(value instanceof InvalidInput))
      .map(([key, value]) => [key, readableValues(value)]),
  )
}
