import { Button, Checkbox, Input, type InputRef } from 'antd'
import { useEffect, useRef, useState } from 'react'
import dayjs from 'dayjs'
import type { Day } from '#kit/domain/day.ts'
import { addFen, maxFen, subtractFen, sumFen, type Fen } from '#kit/domain/money.ts'
import { displayYuan } from '#kit/web/numbers.tsx'
import { useCall } from '#kit/web/query.ts'
import { usePermission } from '#kit/web/session.ts'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { DatePicker } from '#kit/web/date-picker.tsx'
import { today, dayOfPicker } from '#kit/web/date-format.ts'
import { listAvailableChannels } from '../contract/channel.ts'
import { menu } from '../module.ts'
import type { CashierBill, CashierView } from './cashier.tsx'
import { channelOptions, MethodPicker, useMethodShortcuts } from './cashier-methods.tsx'
import { ChannelHelp, PaymentSums, TenderInputs } from './tender-inputs.tsx'
import { useBackDatedTotal } from './use-back-dated-total.ts'
import { useCollectPayment, type CollectPayment } from './use-collect-payment.ts'
import { useReceipts } from './use-receipts.tsx'
import { offeredChannels, useTenderForm, type TenderForm } from './use-tender-form.ts'

const PayDialog = lazyComponent(() => import('./pay-dialog.tsx').then(m => m.PayDialog))

interface Props {
  readonly project: string
  readonly view: CashierView
  readonly bills: readonly CashierBill[]
  readonly allBills: readonly CashierBill[]
  readonly onRefresh: () => void
  readonly onDone: () => void
}

/** How much, by what, what remains. The server computes the sums again before it takes anything (PAY-1). */
export function CashierPayment({ project, view, bills, allBills: all, onRefresh, onDone }: Props) {
  const hasPermission = usePermission()
  const canPay = hasPermission(menu.cashier.permissions.pay)
  const receipts = useReceipts()
  const input = useRef<InputRef>(null)
  const available = useCall(listAvailableChannels, {}, { quiet: true, enabled: canPay }).data
  const channels = available ?? []
  const offered = offeredChannels(channels)
  const [remark, setRemark] = useState('')
  const [printsReceipt, setPrintsReceipt] = useState(true)
  const { payDay, setPayDay, total, isQuoting, note } = useBackDatedTotal(bills)
  const form = useTenderForm(view, total, offered)
  const { choices, update, channel } = form
  const payment = useCollectPayment({
    project,
    view,
    bills,
    total,
    form,
    payDay,
    remark,
    printsReceipt,
    receipts,
    onRefresh,
    onDone,
  })
  useEffect(() => {
    if (bills.length) {
      input.current?.focus({ cursor: 'all' })
    }
  }, [bills.length, choices.method])

  const collect = (): void => {
    if (!isQuoting) {
      void payment.collect()
    }
  }
  const submit = (): void => {
    if (payment.order) return
    if (channel) {
      void payment.start()
    } else {
      collect()
    }
  }
  const methodProps = {
    onMethod: (method: typeof choices.method) => update({ method, mode: undefined }),
    // What a channel takes is the whole sum of the bills, today.
    onChannel: (mode: typeof choices.mode) => {
      update({ mode })
      setPayDay(undefined)
    },
  }
  useMethodShortcuts({
    // A key pressed before the channels are known counts once its channel is offered.
    channels: available ? offered : channelOptions,
    submitLabel: channel ? '发起收款' : '确认收款',
    onSubmit: submit,
    ...methodProps,
  })
  return (
    <aside className="cashier-card cashier-pay">
      <PaymentSums form={form} total={total} />
      <div className="cashier-due">
        <span>应收款</span>
        <strong className="figure">{displayYuan(subtractFen(form.due, form.sums.prestore), true)}</strong>
      </div>
      <MethodPicker offered={offered} channel={channel} method={choices.method} {...methodProps} />
      {channel ? (
        <ChannelHelp form={form} channel={channel} />
      ) : (
        <TenderInputs form={form} inputRef={input} disabled={!bills.length} onEnter={collect} />
      )}
      <Afterwards form={form} owed={sumFen(all.map(bill => bill.total))} />
      <ReceiptAndRemark
        printsReceipt={printsReceipt}
        onPrintsReceipt={setPrintsReceipt}
        remark={remark}
        onRemark={setRemark}
      />
      {hasPermission(menu.cashier.permissions.backDate) && !channel && (
        <PayDayInput
          payDay={payDay}
          note={note}
          onChange={day => {
            setPayDay(day)
            update({ receivedText: undefined })
          }}
        />
      )}
      <PaymentFooter
        form={form}
        total={total}
        payment={payment}
        hasBills={bills.length > 0}
        canPay={canPay}
        allowPartial={view.allowPartial}
        isQuoting={isQuoting}
        onCollect={collect}
      />
      {payment.order && (
        <PayDialog
          key={payment.order.id}
          first={payment.order}
          mode={choices.mode ?? 'qr'}
          channels={channels}
          createAgain={payment.createBillOrder}
          onPaid={payment.finishOrder}
          onClose={payment.closeOrder}
        />
      )}
      <ReceiptThenNext receipts={receipts} onDone={onDone} />
    </aside>
  )
}

interface ReceiptAndRemarkProps {
  readonly printsReceipt: boolean
  readonly onPrintsReceipt: (printsReceipt: boolean) => void
  readonly remark: string
  readonly onRemark: (remark: string) => void
}

function ReceiptAndRemark({ printsReceipt, onPrintsReceipt, remark, onRemark }: ReceiptAndRemarkProps) {
  const hasPermission = usePermission()
  return (
    <div className="cashier-end">
      {hasPermission(menu.record.permissions.print) && (
        <Checkbox checked={printsReceipt} onChange={event => onPrintsReceipt(event.target.checked)}>
          打印收据
        </Checkbox>
      )}
      <Input
        size="small"
        placeholder="备注"
        aria-label="备注"
        maxLength={200}
        value={remark}
        onChange={event => onRemark(event.target.value)}
      />
    </div>
  )
}

/** What the payer owes and has in prestore once this is paid. */
function Afterwards({
  form: { sums, prestoreBalance },
  owed,
}: {
  readonly form: TenderForm
  readonly owed: Fen
}) {
  return (
    <dl className="cashier-after">
      <div>
        <dt>收款后欠费</dt>
        <dd className="figure">{displayYuan(maxFen(0, subtractFen(owed, sums.applied, sums.roundedOff)))}</dd>
      </div>
      {prestoreBalance > 0 && (
        <div>
          <dt>收款后预存</dt>
          <dd className="figure">
            {displayYuan(subtractFen(addFen(prestoreBalance, sums.toPrestore), sums.prestore))}
          </dd>
        </div>
      )}
    </dl>
  )
}

interface PayDayInputProps {
  readonly payDay: Day | undefined
  readonly note: string
  readonly onChange: (day: Day | undefined) => void
}

function PayDayInput({ payDay, note, onChange }: PayDayInputProps) {
  return (
    <div className="cashier-end cashier-day">
      <span>缴费日期</span>
      <DatePicker
        size="small"
        aria-label="缴费日期"
        placeholder="今天"
        value={payDay ? dayjs(payDay) : null}
        disabledDate={date => date.isAfter(dayjs(), 'day')}
        onChange={date => {
          const day = date ? dayOfPicker(date) : undefined
          onChange(day === today() ? undefined : day)
        }}
      />
      {payDay && <small>{note}</small>}
    </div>
  )
}

interface PaymentFooterProps {
  readonly form: TenderForm
  readonly total: Fen
  readonly payment: CollectPayment
  readonly hasBills: boolean
  readonly canPay: boolean
  readonly allowPartial: boolean
  readonly isQuoting: boolean
  readonly onCollect: () => void
}

function PaymentFooter({
  form: { channel, sums },
  total,
  payment,
  hasBills,
  canPay,
  allowPartial,
  isQuoting,
  onCollect,
}: PaymentFooterProps) {
  const isPartialRefused = sums.shortfall > 0 && !allowPartial
  return (
    <div className="cashier-foot">
      {payment.fault && (
        <p role="alert" className="cashier-fault">
          {payment.fault}
        </p>
      )}
      {canPay && (
        <Button
          type="primary"
          size="large"
          block
          loading={payment.isPending}
          disabled={!hasBills || (channel ? total <= 0 : isQuoting || sums.tendered <= 0 || isPartialRefused)}
          onClick={channel ? () => void payment.start() : onCollect}
        >
          {channel ? '发起收款' : '确认收款'} {displayYuan(channel ? total : sums.applied, true)}
          <kbd>Ctrl ↵</kbd>
        </Button>
      )}
      {isPartialRefused && hasBills && <p className="cashier-fault">本项目不允许部分缴费</p>}
    </div>
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
