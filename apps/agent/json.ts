import { parseId, type Id } from '#kit/domain/id.ts'

export type JsonObject = Readonly<Record<string, unknown>>

/** What came from outside is not what was agreed. */
export class BadMessage extends Error {}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new BadMessage('不是有效的 JSON')
  }
}

export function objectOf(value: unknown, name: string): JsonObject {
  if (!isObject(value)) throw new BadMessage(`${name} 应为对象`)
  return value
}

export function textOf(value: unknown, name: string, maxLength = 4096): string {
  if (typeof value !== 'string' || value.length > maxLength) throw new BadMessage(`${name} 应为文本`)
  return value
}

/** A whole number from 0 that JavaScript counts exactly. */
export function countOf(value: unknown, name: string): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    throw new BadMessage(`${name} 应为非负整数`)
  return value
}

export function idOf(value: unknown, name: string): Id {
  const id = parseId(countOf(value, name))
  if (!id) throw new BadMessage(`${name} 应为编号`)
  return id
}

export function listOf<T>(value: unknown, name: string, read: (entry: unknown) => T): T[] {
  if (!Array.isArray(value)) throw new BadMessage(`${name} 应为列表`)
  return value.map(read)
}
