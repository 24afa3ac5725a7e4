import { keyOf, keysOf, labelOf, type Choices } from '#kit/contract/field.ts'
import { isObject } from '#kit/contract/wire/members.ts'
import { codedEventMembers, eventMember, eventType } from '../contract/event-words.ts'

/** A type from an unknown driver is shown as it is. */
export const eventTypeText = (type: string): string => labelOf(eventType, type)

const labelOfCode = (choices: Choices | undefined, code: string): string => {
  const key = choices && keyOf(choices, code)
  return choices && key !== undefined ? labelOf(choices, key) : code
}

function valueText(value: unknown, choices: Choices | undefined): string {
  if (typeof value === 'boolean') return value ? '是' : '否'
  if (typeof value === 'string' || typeof value === 'number') return labelOfCode(choices, String(value))
  return JSON.stringify(value)
}

function parseContent(content: string): unknown {
  try {
    return JSON.parse(content)
  } catch {
    return undefined
  }
}

/** `故障：门未关；等级：一般`. What no program of this product sends is shown as it came. */
export function eventContentText(type: string, content: string | undefined): string {
  if (content === undefined) return ''
  const data = parseContent(content)
  if (!isObject(data)) return content
  return Object.entries(data)
    .filter(([, value]) => value !== null && value !== '')
    .map(([key, value]) => {
      const member = eventMember(type, key)
      return `${member?.label ?? key}：${valueText(value, member?.choices)}`
    })
    .join('；')
}

/** A row as a person reads it. */
export const readableEvent = <T extends { readonly type: string; readonly content?: string }>(
  row: T,
): T & { readonly type: string; readonly content: string } => ({
  ...row,
  type: eventTypeText(row.type),
  content: eventContentText(row.type, row.content),
})

const has = (label: string, word: string): boolean => label.toLowerCase().includes(word.toLowerCase())

/** The types whose name has the word. */
export const eventTypesNamed = (word: string): readonly string[] =>
  keysOf(eventType).filter(type => has(eventType.rows[type][1], word))

/** How the word is in stored contents: as it was sent, and as the codes whose meaning has it. */
export const contentPartsOf = (word: string): readonly string[] => [
  JSON.stringify(word).slice(1, -1),
  ...codedEventMembers().flatMap(([key, choices]) =>
    Object.values(choices.rows).flatMap(([code, label]) =>
      // A driver may send a number as a text.
      has(label, word) ? [...new Set([`"${key}":"${code}"`, `"${key}":${code}`])] : [],
    ),
  ),
]
