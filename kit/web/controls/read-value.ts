import { keysOf, type Choices } from '#kit/contract/field.ts'

/**
 * A form holds values of any kind: a control reads what it shows by these, and nothing where it is of another
 * kind.
 */
export const readText = (v: unknown): string | undefined => (typeof v === 'string' ? v : undefined)

const isText = (v: unknown): v is string => typeof v === 'string'
export const readTexts = (v: unknown): readonly string[] => (Array.isArray(v) ? v.filter(isText) : [])

export const readChoice = <K extends string>(of: Choices<K>, v: unknown): K | undefined =>
  keysOf(of).find(k => k === v)

/** Rows of a control that made them itself: only that they are rows is checked. */
export const readRows = <T>(v: unknown): readonly T[] => (Array.isArray(v) ? v : [])
