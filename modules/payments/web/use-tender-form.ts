import { useState } from 'react'
import { keyOf, type ChoiceOf } from '#kit/contract/field.ts'
import { sumFen, type Fen } from '#kit/domain/money.ts'
import { usePermission } from '#kit/web/session.ts'
import { roundOffMode } from '#modules/bills/contract/choices.ts'
import { roundOff } from '#modules/bills/web/public.tsx'
import { sumCounterTenders, type CounterSums } from '../domain/tender-sums.ts'
import type { OtherTender } from '../domain/mixed-tenders.ts'
import { countTypedYuan } from '../domain/typed-amount.ts'
import { menu } from '../module.ts'
import type { CashierView } from './cashier-extensions.ts'
import { channelOptions, type ChannelOption, type PayMethod } from './cashier-methods.tsx'
import type { PayMode } from './pay-mode.ts'

/** What the cashier has chosen and typed; amounts as text, because half-typed ones are no numbers. */
export interface TenderChoices {
  readonly method: PayMethod
  /** Set: the whole sum goes through a channel. */
  readonly mode?: PayMode | undefined
  readonly usesPrestore: boolean
  readonly roundsOff: boolean
  readonly keepsChange: boolean
  readonly receivedText?: string | undefined
  readonly others: readonly OtherTender[]
}

export interface TenderForm {
  readonly choices: TenderChoices
  readonly update: (patch: Partial<TenderChoices>) => void
  readonly channel: ChannelOption | undefined
  readonly roundOffMode: ChoiceOf<typeof roundOffMode>
  readonly canRoundOff: boolean
  /** Fen that may be used of the payer's prestore. */
  readonly prestoreBalance: Fen
  /** Fen that are let off. */
  readonly off: Fen
  /** Fen due after rounding off. */
  readonly due: Fen
  readonly sums: CounterSums
}

const noChoices: TenderChoices = {
  method: 'cash',
  usesPrestore: false,
  roundsOff: false,
  keepsChange: false,
  others: [],
}

/**
 * How a sum will be paid at the counter, computed as the server will (PAY-13 to PAY-15). A channel takes the
 * whole sum: no prestore, no rounding, no second method.
 */
export function useTenderForm(
  view: Pick<CashierView, 'roundOff' | 'prestore'>,
  total: Fen,
  offered: readonly ChannelOption[],
  { method, mode: chosenMode }: Pick<TenderChoices, 'method' | 'mode'> = { method: 'cash' },
): TenderForm {
  const hasPermission = usePermission()
  const [choices, setChoices] = useState<TenderChoices>({
    ...noChoices,
    method,
    ...(chosenMode ? { mode: chosenMode } : {}),
  })
  const channel = offered.find(option => option.mode === choices.mode)
  const mode = keyOf(roundOffMode, view.roundOff) ?? 'none'
  const canRoundOff = mode !== 'none' && hasPermission(menu.cashier.permissions.roundOff)
  const prestoreBalance = sumFen(view.prestore.map(account => account.amount))
  const { pay: due, off } = roundOff(total, choices.roundsOff && canRoundOff && !channel ? mode : 'none')
  const { receivedText, keepsChange } = choices
  const isWholeByChannel = channel !== undefined
  const sums = sumCounterTenders({
    due: { pay: due, off },
    prestoreBalance: choices.usesPrestore && !isWholeByChannel ? prestoreBalance : 0,
    others: isWholeByChannel
      ? []
      : choices.others.map(other => ({
          amount: countTypedYuan(other.text),
          isCash: other.method === 'cash',
        })),
    received: receivedText === undefined || isWholeByChannel ? undefined : countTypedYuan(receivedText),
    isCash: choices.method === 'cash',
    keepsChange,
  })
  return {
    choices,
    update: patch => setChoices(before => ({ ...before, ...patch })),
    channel,
    roundOffMode: mode,
    canRoundOff,
    prestoreBalance,
    off,
    due,
    sums,
  }
}

/** The lines of the payment as the server takes them; nothing is sent of a method without an amount. */
export function tenderLinesOf({ choices, sums }: TenderForm): { method: PayMethod; amount: Fen }[] {
  const lines: { method: PayMethod; amount: Fen }[] = [
    { method: 'prestore', amount: sums.prestore },
    ...choices.others.map(other => ({ method: other.method, amount: countTypedYuan(other.text) })),
    { method: choices.method, amount: sums.received },
  ]
  return lines.filter(line => line.amount !== 0)
}

export const offeredChannels = (channels: readonly { readonly channel: string }[]): ChannelOption[] =>
  channelOptions.filter(option => channels.some(c => (c.channel === 'pos') === (option.mode === 'pos')))
