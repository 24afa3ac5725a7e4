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
export function parseTyped(text: string, f: Field): unknown {
  const normalized = toHalfWidth(text).trim()
  if (normalized === '') return undefined
  try {
    return kindBehaviour[f.kind].parse(normalized, f)
  } catch (e) {
    if (e instanceof UnreadableValue) return new InvalidInput(text, e.message)
    throw e
  }
}

/** The fault of a control's value: unreadable, or what the server would report too. */
export const faultOf = (f: Field, v: unknown): string | undefined =>
  v instanceof InvalidInput ? `${f.label}${v.reason}` : validateValue(f, v)
