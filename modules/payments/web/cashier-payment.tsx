import { use, useEffect, useRef, useState, type RefObject } from 'react'
import { flushSync } from 'react-dom'
import { addFen, subtractFen, sumFen } from '#kit/domain/money.ts'
import { displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { useCall } from '#kit/web/query.ts'
import { usePermission } from '#kit/web/session.ts'
import { toast } from '#kit/web/toast.ts'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { listAvailableChannels } from '../contract/channel.ts'
import { menu } from '../module.ts'
import type { CashierBill, CashierView } from './cashier-extensions.ts'
import { CounterChoiceContext, useShareCounterChoice } from './counter-choice.ts'
import { channelOptions, MethodPicker, useMethodShortcuts } from './cashier-methods.tsx'
import { ChannelHelp } from './channel-help.tsx'
import { Afterwards, PayDayInput, PaymentFooter, ReceiptAndRemark } from './payment-footer.tsx'
import { AddTender, PaymentSums, TenderInputs } from './tender-inputs.tsx'
import { useBackDatedTotal } from './use-back-dated-total.ts'
import type { AvailableChannels, PayMode } from './pay-mode.ts'
import { useCollectPayment, type CollectPayment } from './use-collect-payment.ts'
import type { PayerCode } from './use-payer-code.ts'
import { usePaymentFocus } from './use-payment-focus.ts'
import { useReceipts } from './use-receipts.tsx'
import { useScannedCode, type ScanTarget } from './use-scanned-code.ts'
import { offeredChannels, useTenderForm, type TenderForm } from './use-tender-form.ts'

// Fetched while there is a network: it is drawn when there is none.
const OfflineDialog = lazyComponent(() => import('./offline-dialog.tsx').then(m => m.OfflineDialog))
const PayDialog = lazyComponent(() => import('./pay-dialog.tsx').then(m => m.PayDialog))

interface Props {
  readonly project: string
  readonly view: CashierView
  readonly bills: readonly CashierBill[]
  readonly allBills: readonly CashierBill[]
  readonly payerCode: PayerCode
  /** Receives scanned codes while this is shown. */
  readonly scanTarget: RefObject<ScanTarget | undefined>
  readonly onRefresh: () => void
  readonly onDone: () => void
}

type MethodChoice = Pick<Parameters<typeof useMethodShortcuts>[0], 'onMethod' | 'onChannel'>

/** In a line of a mixed payment a method's key is for that line. */
const methodOfFocusedTender = (
  { choices, update }: TenderForm,
  focusedTender: () => number | undefined,
  ofPayment: MethodChoice,
): MethodChoice => ({
  onMethod: method => {
    const line = focusedTender()
    if (line === undefined) return ofPayment.onMethod(method)
    update({ others: choices.others.map((other, i) => (i === line ? { ...other, method } : other)) })
  },
  onChannel: mode => {
    if (focusedTender() === undefined) return ofPayment.onChannel(mode)
    toast.warning('线上收款按账单合计收取，不能用于组合收款')
  },
})

/** How much, by what, what remains. The server computes the sums again before it takes anything (PAY-1). */
export function CashierPayment(props: Props) {
  const { view, bills, allBills: all, payerCode, scanTarget, onDone } = props
  const hasPermission = usePermission()
  const receipts = useReceipts()
  const unselected = all.filter(bill => !bills.includes(bill))
  const available = useCall(listAvailableChannels, {}, { quiet: true }).data
  const channels = available ?? []
  const offered = offeredChannels(channels)
  const [remark, setRemark] = useState('')
  const [printsReceipt, setPrintsReceipt] = useState(true)
  const { payDay, setPayDay, total, isQuoting, note } = useBackDatedTotal(bills)
  // What was chosen stays when other bills are selected: nothing is booked by a method that nobody chose.
  const form = useTenderForm(view, total, offered, use(CounterChoiceContext).current)
  const { choices, update, channel } = form
  useShareCounterChoice(form, view)
  const payment = useCollectPayment({ ...props, total, form, payDay, remark, printsReceipt, receipts })
  const focus = usePaymentFocus(payment.fault, choices.mode)
  const submit = (): void => {
    if (payment.order || isQuoting) return
    void (channel ? payment.start(payerCode.take()) : payment.collect())
  }
  const turnToChannel = (mode: PayMode): void => {
    update({ mode })
    // What a channel takes is the whole sum of the bills, today.
    setPayDay(undefined)
  }
  useScannedCode(scanTarget, {
    payerCode,
    isOffered: offered.some(option => option.mode === 'scan'),
    isChosen: channel?.mode === 'scan',
    hasBills: bills.length > 0,
    onTurn: () => turnToChannel('scan'),
    onStart: code => void payment.start(code),
  })
  const methodProps: MethodChoice = {
    // The amount is drawn and selected before the next key is read: its digit replaces what is there.
    onMethod: method => {
      payerCode.chooseMethod(false)
      flushSync(() => update({ method, mode: undefined }))
      if (!bills.length) return toast.info('请先勾选账单')
      focus.focusAmount()
    },
    onChannel: mode => {
      payerCode.chooseMethod(mode === 'scan')
      turnToChannel(mode)
    },
  }
  useMethodShortcuts({
    // A key pressed before the channels are known counts once its channel is offered.
    channels: available ? offered : channelOptions,
    submitLabel: channel ? '发起收款' : '确认收款',
    onSubmit: submit,
    ...methodOfFocusedTender(form, focus.focusedTender, methodProps),
  })
  return (
    // The keys go in the order of the markup; what the eye sees is ordered by cashier.css.
    <aside className="cashier-card cashier-pay" ref={focus.panel}>
      <div className="cashier-due">
        <span>应收款</span>
        <strong className="figure">{displayYuanWithSymbol(subtractFen(form.due, form.sums.prestore))}</strong>
      </div>
      {channel ? (
        <ChannelHelp form={form} channel={channel} payerCode={payerCode} />
      ) : (
        <TenderInputs
          form={form}
          inputRef={focus.amount}
          disabled={!bills.length}
          fault={payment.fault}
          onEnter={focus.focusMethod}
        />
      )}
      <MethodPicker
        offered={offered}
        channel={channel}
        method={choices.method}
        onEnter={focus.focusSubmit}
        {...methodProps}
      />
      <PaymentFooter
        form={form}
        total={total}
        payment={payment}
        hasBills={bills.length > 0}
        isQuoting={isQuoting}
        submitRef={focus.submit}
        onSubmit={submit}
      />
      <PaymentSums form={form} total={total} />
      {!channel && <AddTender form={form} disabled={!bills.length} />}
      <Afterwards form={form} owed={addFen(sumFen(unselected.map(bill => bill.total)), total)} />
      <ReceiptAndRemark
        printsReceipt={printsReceipt}
        onPrintsReceipt={setPrintsReceipt}
        remark={remark}
        onRemark={setRemark}
      />
      {hasPermission(menu.cashier.permissions.backDate) && !channel && (
        <PayDayInput
          payDay={payDay}
          days={view.backDateDays}
          note={note}
          onChange={day => {
            setPayDay(day)
            update({ receivedText: undefined })
          }}
        />
      )}
      <PaymentDialogs view={view} form={form} payment={payment} channels={channels} />
      <ReceiptThenNext receipts={receipts} onDone={onDone} />
    </aside>
  )
}

interface PaymentDialogsProps {
  readonly view: CashierView
  readonly form: TenderForm
  readonly payment: CollectPayment
  readonly channels: AvailableChannels
}

/** What a payment may ask before it is done: the payer's phone, or the network. */
function PaymentDialogs({ view, form, payment, channels }: PaymentDialogsProps) {
  useEffect(() => OfflineDialog.warm(), [])
  if (payment.order)
    return (
      <PayDialog
        key={payment.order.id}
        first={payment.order}
        mode={form.choices.mode ?? 'qr'}
        authCode={payment.authCode}
        channels={channels}
        createAgain={payment.createBillOrder}
        onPaid={payment.finishOrder}
        onClose={payment.closeOrder}
      />
    )
  if (!payment.offline) return null
  return (
    <OfflineDialog
      offline={payment.offline}
      sourceName={view.sourceName}
      amount={form.sums.applied}
      onWait={payment.waitForNetwork}
      onCancel={payment.cancelWaiting}
    />
  )
}

/** After the receipt's dialog is closed the next customer comes. */
function ReceiptThenNext({
  receipts,
  onDone,
}: {
  readonly receipts: ReturnType<typeof useReceipts>
  readonly onDone: () => void
}) {
  const wasOpen = useRef(false)
  useEffect(() => {
    if (receipts.dialog) {
      wasOpen.current = true
    } else if (wasOpen.current) {
      wasOpen.current = false
      onDone()
    }
  }, [onDone, receipts.dialog])
  return receipts.dialog
}
