import type { Field } from '#kit/contract/field.ts'
import { Unreadable, fault, manners } from '#kit/contract/value.ts'
import { halfWidth } from '#kit/contract/text.ts'

/** What was typed and cannot be read as its kind: it stays in the box, and the form does not send it. */
export class Unread {
  readonly text: string
  readonly why: string
  constructor(text: string, why: string) {
    this.text = text
    this.why = why
  }
}

/** Typed text → value, nothing for an empty box, `Unread` for what is no value of this kind. */
export function readTyped(text: string, f: Field): unknown {
  const plain = halfWidth(text).trim()
  if (plain === '') return undefined
  try {
    return manners[f.kind].read(plain, f)
  } catch (e) {
    if (e instanceof Unreadable) return new Unread(text, e.message)
    throw e
  }
}

/** What is wrong with a control's value: what it cannot be read as, or what the server too would say. */
export const faultOf = (f: Field, v: unknown): string | undefined =>
  v instanceof Unread ? `${f.label}${v.why}` : fault(f, v)
