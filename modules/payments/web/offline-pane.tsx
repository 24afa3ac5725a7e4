import { Button, Select, type InputRef } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { addFen, formatYuan, type Fen } from '#kit/domain/money.ts'
import { displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { useShortcuts } from '#kit/web/shortcuts.ts'
import type { OrderView } from '../contract/order.ts'
import { findTenderFault } from '../domain/tender-faults.ts'
import { offlineSelectOptions, offlineShortcuts, type PayMethod } from './cashier-methods.tsx'
import { confirmChange } from './confirm-change.ts'
import { AddTender, TenderInputs } from './tender-inputs.tsx'
import type { PaymentFault } from './use-collect-payment.ts'
import type { OrderActions } from './use-order-actions.ts'
import { tenderLinesOf, useTenderForm, type TenderForm } from './use-tender-form.ts'
import './cashier.css'

/** An order is paid whole and in new money. */
const wholeInNewMoney = { roundOff: 0, prestore: [] }

/** Why the order cannot be paid as typed. */
function findOrderFault({ choices, sums }: TenderForm): PaymentFault | undefined {
  const fault = findTenderFault(choices, sums, true)
  if (fault) return fault
  return sums.shortfall > 0
    ? { at: 'main', message: `须一次收清，还差 ${formatYuan(sums.shortfall, { thousands: true })} 元` }
    : undefined
}

interface OfflinePaneProps {
  readonly order: OrderView
  readonly actions: OrderActions
  /** What was chosen at the counter. */
  readonly method: PayMethod
  /** Change above it is asked about. */
  readonly changeLimit: Fen
}

/** An order of bills that is paid at the counter, with the counter's own fields and keys. */
export function OfflinePane({ order, actions, method, changeLimit }: OfflinePaneProps) {
  const form = useTenderForm(wholeInNewMoney, order.amount, [], { method })
  const { choices, update, sums } = form
  const [fault, setFault] = useState<PaymentFault>()
  const amount = useRef<InputRef>(null)
  const submitButton = useRef<HTMLButtonElement>(null)
  const isAsking = useRef(false)
  const isWaiting = order.state === 'waiting'
  const focusAmount = (): void => amount.current?.focus({ cursor: 'all' })
  // The dialog is still hidden when it is drawn.
  useEffect(() => {
    const timer = setTimeout(focusAmount, 100)
    return () => clearTimeout(timer)
  }, [])
  useEffect(() => setFault(undefined), [choices])
  const submit = async (): Promise<void> => {
    if (!isWaiting || actions.running !== undefined || isAsking.current) return
    const typed = findOrderFault(form)
    setFault(typed)
    if (typed) return focusAmount()
    isAsking.current = true
    const isConfirmed = await confirmChange(sums.change, changeLimit)
    isAsking.current = false
    if (isConfirmed) {
      actions.payOffline(tenderLinesOf(form), choices.keepsChange && sums.excess > 0)
    } else {
      setFault({ at: 'main', message: '找零过大，请核对实收金额' })
    }
  }
  const pane = useRef<HTMLDivElement>(null)
  useShortcuts(
    [
      ...offlineShortcuts(chosen => {
        // Selected before the next key is read: its digit replaces what is there.
        flushSync(() => update({ method: chosen }))
        focusAmount()
      }),
      { keys: 'Ctrl Enter', label: '确认收款', whileTyping: true, run: () => void submit() },
    ],
    pane,
  )
  return (
    <div className="pay-scan pay-offline" ref={pane}>
      <Select
        aria-label="支付方式"
        value={choices.method}
        disabled={!isWaiting}
        options={offlineSelectOptions}
        onChange={chosen => update({ method: chosen })}
      />
      <TenderInputs
        form={form}
        inputRef={amount}
        disabled={!isWaiting}
        fault={fault}
        onEnter={() => submitButton.current?.focus()}
      />
      <AddTender form={form} disabled={!isWaiting} within={pane} />
      <Button
        block
        type="primary"
        size="large"
        ref={submitButton}
        disabled={!isWaiting}
        loading={actions.running === 'offline'}
        onClick={() => void submit()}
      >
        确认收款 {displayYuanWithSymbol(addFen(sums.applied, sums.toPrestore))} <kbd>Ctrl ↵</kbd>
      </Button>
    </div>
  )
}
