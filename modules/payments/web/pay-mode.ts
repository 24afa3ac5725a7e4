import { type ChoiceOf, labelOf } from '#kit/contract/field.ts'
import { payGroup, type channel, type orderType } from '../contract/choices.ts'

/**
 * How an order is paid: the payer scans our code, we scan the payer's, a card at a terminal, or at the
 * counter.
 */
export type PayMode = ChoiceOf<typeof payGroup>

export type AvailableChannels = readonly {
  readonly channel: ChoiceOf<typeof channel>
  readonly simulated: boolean
}[]

interface PayModeOption {
  readonly value: PayMode
  readonly label: string
}

const optionsOf = (modes: readonly PayMode[]): readonly PayModeOption[] =>
  modes.map(value => ({ value, label: labelOf(payGroup, value) }))

/**
 * By a phone where there is a channel for phones, by a card where there are terminals; bills at the counter
 * too.
 */
export const payModesOf = (
  channels: AvailableChannels,
  type: ChoiceOf<typeof orderType>,
): readonly PayModeOption[] =>
  optionsOf([
    ...(channels.some(c => c.channel !== 'pos') ? (['qr', 'scan'] as const) : []),
    ...(channels.some(c => c.channel === 'pos') ? (['pos'] as const) : []),
    ...(type === 'bill' ? (['offline'] as const) : []),
  ])
