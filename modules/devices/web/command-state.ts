import type { ChoiceOf, Tone } from '#kit/contract/field.ts'
import type { taskState } from '../contract/choices.ts'

/** `sending`: the server has not answered yet. */
export type CommandState = ChoiceOf<typeof taskState> | 'sending'

const endStates: ReadonlySet<CommandState> = new Set(['done', 'failed', 'timedOut'])
export const isEnded = (state: CommandState): boolean => endStates.has(state)

/** RMT-1, with the words of the specification for success (0§4). */
export const stateTexts: Readonly<Record<CommandState, readonly [tone: Tone, text: string]>> = {
  sending: ['open', '正在下发'],
  sent: ['doing', '已下发'],
  received: ['doing', '设备已接收'],
  done: ['done', '任务执行成功'],
  failed: ['bad', '任务执行失败'],
  timedOut: ['bad', '任务超时'],
}
