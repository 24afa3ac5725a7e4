import type { ChoiceOf } from '#kit/contract/field.ts'
import type { FeeItem } from '../contract/item.ts'
import type { feeType } from '../contract/choices.ts'

/**
 * C27-8: a deposit is not income: its item is outside every rate and takes no late fee, whatever was chosen.
 */
export const depositItemRules = (
  type: ChoiceOf<typeof feeType>,
): Partial<Pick<FeeItem, 'inRate' | 'lateFeeSwitch'>> =>
  type === 'deposit' ? { inRate: false, lateFeeSwitch: false } : {}
