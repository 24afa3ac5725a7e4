import { Button, Checkbox, Input } from 'antd'
import dayjs from 'dayjs'
import type { RefObject } from 'react'
import { addDays, type Day } from '#kit/domain/day.ts'
import { addFen, maxFen, subtractFen, type Fen } from '#kit/domain/money.ts'
import { DatePicker } from '#kit/web/date-picker.tsx'
import { dayOfPicker, today } from '#kit/web/date-format.ts'
import { displayYuan, displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { usePermission } from '#kit/web/session.ts'
import { menu } from '../module.ts'
import type { CollectPayment } from './use-collect-payment.ts'
import type { TenderForm } from './use-tender-form.ts'

interface ReceiptAndRemarkProps {
  readonly printsReceipt: boolean
  readonly onPrintsReceipt: (printsReceipt: boolean) => void
  readonly remark: string
  readonly onRemark: (remark: string) => void
}

export function ReceiptAndRemark({
  printsReceipt,
  onPrintsReceipt,
  remark,
  onRemark,
}: ReceiptAndRemarkProps) {
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
export function Afterwards({
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
      {(prestoreBalance > 0 || sums.toPrestore > 0) && (
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
  /** How many days back a payment may be dated (PAY-9). */
  readonly days: number
  readonly note: string
  readonly onChange: (day: Day | undefined) => void
}

export function PayDayInput({ payDay, days, note, onChange }: PayDayInputProps) {
  return (
    <div className="cashier-end cashier-day">
      <span>缴费日期</span>
      <DatePicker
        size="small"
        aria-label="缴费日期"
        placeholder="今天"
        value={payDay ? dayjs(payDay) : null}
        disabledDate={date =>
          date.isAfter(dayjs(), 'day') || date.isBefore(dayjs(addDays(today(), -days)), 'day')
        }
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
  readonly isQuoting: boolean
  readonly submitRef: RefObject<HTMLButtonElement | null>
  readonly onSubmit: () => void
}

/** The button that takes the money; what is wrong with the whole payment is shown above it. */
export function PaymentFooter({
  form: { channel, sums },
  total,
  payment: { fault, isPending },
  hasBills,
  isQuoting,
  submitRef,
  onSubmit,
}: PaymentFooterProps) {
  return (
    <div className="cashier-foot">
      {fault?.at === 'foot' && (
        <p role="alert" className="cashier-fault">
          {fault.message}
        </p>
      )}
      <Button
        type="primary"
        size="large"
        block
        ref={submitRef}
        loading={isPending}
        disabled={!hasBills || (channel ? total <= 0 : isQuoting)}
        onClick={onSubmit}
      >
        {channel ? '发起收款' : '确认收款'}{' '}
        {displayYuanWithSymbol(channel ? total : addFen(sums.applied, sums.toPrestore))}
        <kbd>Ctrl ↵</kbd>
      </Button>
    </div>
  )
}
