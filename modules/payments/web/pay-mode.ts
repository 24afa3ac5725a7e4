import type { ChoiceOf } from '#kit/contract/field.ts'
import type { channel } from '../contract/choices.ts'

/** How an order is paid: the payer scans our code, we scan the payer's, or a card at a terminal. */
export type PayMode = 'qr' | 'scan' | 'pos'

export type AvailableChannels = readonly {
  readonly channel: ChoiceOf<typeof channel>
  readonly simulated: boolean
}[]

interface PayModeOption {
  readonly value: PayMode
  readonly label: string
}

const phoneModes: readonly PayModeOption[] = [
  { value: 'qr', label: '收款码' },
  { value: 'scan', label: '扫码枪' },
]

const cardModes: readonly PayModeOption[] = [{ value: 'pos', label: 'POS' }]

/** By a phone where there is a channel for phones, by a card where there are terminals. */
export const payModesOf = (channels: AvailableChannels): readonly PayModeOption[] => [
  ...(channels.some(c => c.channel !== 'pos') ? phoneModes : []),
  ...(channels.some(c => c.channel === 'pos') ? cardModes : []),
]
