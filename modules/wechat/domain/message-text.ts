import type { ChoiceOf } from '#kit/contract/field.ts'
import type { messageEvent } from '../contract/choices.ts'

/** `{name}` and its like, filled in; what is not known becomes empty. */
export const fillIn = (text: string, values: Readonly<Record<string, string | undefined>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')

const common = ['name', 'room', 'project', 'title', 'content', 'time'] as const

/** What the messages of an event bring along beside what all of them have. */
const ownVariables: Partial<Record<ChoiceOf<typeof messageEvent>, readonly string[]>> = {
  fee: ['first', 'keyword1', 'keyword2', 'keyword3', 'remark'],
  workOrder: ['orderNo', 'url', 'count'],
}

/** The variables that a text uses and no message of the event fills in: they would be sent as nothing. */
export function unknownVariables(text: string, event: ChoiceOf<typeof messageEvent>): readonly string[] {
  const known = new Set<string>([...common, ...(ownVariables[event] ?? [])])
  const used = [...text.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name)
  return [...new Set(used.filter(name => !known.has(name)))]
}
