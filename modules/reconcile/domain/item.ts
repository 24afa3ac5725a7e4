import type { ChoiceOf } from '#kit/contract/field.ts'
import { labelOf } from '#kit/contract/field.ts'
import { machine } from '#kit/domain/machine.ts'
import { itemState } from '../contract/choices.ts'

export type ItemState = ChoiceOf<typeof itemState>

/**
 * A difference comes back to 待处理 when it shows again after it was settled, or shows another sum after
 * somebody dealt with it.
 */
export const itemStates = machine<ItemState>(
  {
    pending: ['settled', 'handled', 'escalated'],
    escalated: ['settled', 'handled'],
    settled: ['pending'],
    handled: ['pending'],
  },
  { state: s => labelOf(itemState, s) },
)

/** Why somebody can do nothing about it now. */
export const handleRefusal = (s: ItemState, to: 'handled' | 'escalated'): string | undefined =>
  itemStates.may(s, to)
    ? undefined
    : `这笔差异${labelOf(itemState, s)}，不能再${to === 'handled' ? '处理' : '升级'}`
