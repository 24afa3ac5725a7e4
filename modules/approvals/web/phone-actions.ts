import type { ChoiceOf } from '#kit/contract/field.ts'
import type { instanceAction } from '../contract/instance.ts'

interface Words {
  readonly label: string
  readonly max: number
  /** The fewest characters, and what is asked for where they are missing. */
  readonly least?: number
  readonly fault?: string
}

/** What is written with each action on the phone; nothing with one that is only asked about. */
const phoneActions = {
  approve: { label: '意见', max: 500 },
  refuse: { label: '驳回原因', max: 500, least: 2, fault: '请填写驳回原因，至少 2 个字' },
  transfer: { label: '说明', max: 500 },
  addSigner: { label: '说明', max: 500 },
  withdraw: { label: '撤回原因', max: 200 },
  resubmit: undefined,
  giveUp: { label: '放弃原因', max: 200, least: 2, fault: '请填写放弃原因，至少 2 个字' },
  comment: { label: '评论', max: 500, least: 1, fault: '请填写评论' },
} as const satisfies Partial<Record<ChoiceOf<typeof instanceAction>, Words | undefined>>

export type PhoneAction = keyof typeof phoneActions

export const isPhoneAction = (key: string): key is PhoneAction => key in phoneActions

export const wordsOf = (action: PhoneAction): Words | undefined => phoneActions[action]

export function faultOfText(action: PhoneAction, text: string): string | undefined {
  const { least = 0, fault } = wordsOf(action) ?? {}
  return [...text.trim()].length < least ? fault : undefined
}
