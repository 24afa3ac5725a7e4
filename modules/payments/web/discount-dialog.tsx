import { useMemo } from 'react'
import { asFen, subtractFen, sumFen, type Fen } from '#kit/domain/money.ts'
import { formatCount, displayYuan, displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { draftKeyOf } from '#kit/web/form/drafts.ts'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { useSend } from '#kit/web/query.ts'
import { ScrollRegion } from '#kit/web/scroll-region.tsx'
import { toast } from '#kit/web/toast.ts'
import { formatPeriod } from '#modules/bills/web/public.tsx'
import { discountCashierBills } from '../contract/cashier.ts'
import {
  discountOf,
  findDiscountFault,
  maxDiscountOf,
  type TypedDiscount,
} from '../domain/counter-discount.ts'
import type { CashierBill } from './cashier-extensions.ts'
import './payments.css'

/** What the form holds: an amount that is not yet one is no number. */
interface Values {
  readonly kind?: 'amount' | 'rate'
  readonly amount?: unknown
  readonly percent?: unknown
}

const readTyped = ({ kind, amount, percent }: Values): TypedDiscount => ({
  kind,
  amount: typeof amount === 'number' ? asFen(amount) : undefined,
  percent: typeof percent === 'string' && /^\d+(\.\d+)?$/.test(percent) ? percent : undefined,
})

const formGroups = [
  {
    keys: [
      'kind',
      {
        key: 'amount',
        isRequired: true,
        isHidden: (v: Values) => v.kind === 'rate',
        help: '每张账单的减免金额；填 0 取消减免',
      },
      {
        key: 'percent',
        isRequired: true,
        isHidden: (v: Values) => v.kind !== 'rate',
        help: '15 表示减去应收的 15%',
      },
      'reason',
    ],
  },
]

const periodOf = (bill: CashierBill): string => formatPeriod(bill.beginDate, bill.endDate)

/** What each bill owes before and after: its late fee follows what is left of it. */
function DiscountedBills({
  bills,
  typed,
}: {
  readonly bills: readonly CashierBill[]
  readonly typed: TypedDiscount
}) {
  const rows = bills.map(bill => {
    const discount = discountOf(bill, typed)
    // One that cannot be given changes nothing.
    const isPossible = discount !== undefined && discount <= maxDiscountOf(bill)
    return { bill, discount: isPossible ? discount : bill.discount }
  })
  const sumOf = (pick: (bill: CashierBill) => Fen): string => displayYuan(sumFen(bills.map(pick)))
  const leftOf = ({ bill, discount }: (typeof rows)[number]): Fen =>
    subtractFen(maxDiscountOf(bill), discount)
  return (
    <ScrollRegion label="减免明细" className="discount-lines">
      <table className="refund-lines">
        <thead>
          <tr>
            <th>收费项目</th>
            <th>账期</th>
            <th className="right">未收本金</th>
            <th className="right">减免</th>
            <th className="right">减免后</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr key={row.bill.billId}>
              <td>{row.bill.feeItemName}</td>
              <td className="figure">{periodOf(row.bill)}</td>
              <td className="right figure">{displayYuan(row.bill.principal)}</td>
              <td className="right figure">{displayYuan(row.discount)}</td>
              <td className="right figure">{displayYuan(leftOf(row))}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <td colSpan={2}>合计 {formatCount(bills.length)} 张</td>
            <td className="right figure">{sumOf(bill => bill.principal)}</td>
            <td className="right figure">{displayYuan(sumFen(rows.map(r => r.discount)))}</td>
            <td className="right figure">{displayYuan(sumFen(rows.map(leftOf)))}</td>
          </tr>
        </tfoot>
      </table>
    </ScrollRegion>
  )
}

/** 现场减免 of the selected bills; the cashier's view is loaded again afterwards. */
export function DiscountDialog({
  bills,
  onClose,
  onDone,
}: {
  readonly bills: readonly CashierBill[]
  readonly onClose: () => void
  readonly onDone: () => void
}) {
  const discount = useSend(discountCashierBills, { quiet: true })
  const ids = useMemo(() => bills.map(b => String(b.billId)), [bills])
  const initial = useMemo(() => ({ ids, kind: 'amount' as const }), [ids])
  return (
    <EditDialog
      shape={discountCashierBills.input}
      draftKey={draftKeyOf(discountCashierBills, ids)}
      title={`减免 ${formatCount(bills.length)} 张账单（未收本金 ${displayYuanWithSymbol(sumFen(bills.map(b => b.principal)))}）`}
      groups={formGroups}
      initial={initial}
      submitLabel="减免"
      presentation="dialog"
      onClose={onClose}
      below={values => <DiscountedBills bills={bills} typed={readTyped(values)} />}
      rules={(values): Record<string, string> | undefined => {
        const named = bills.map(bill => ({ ...bill, period: periodOf(bill) }))
        const fault = findDiscountFault(named, readTyped(values))
        return fault && { [fault.key]: fault.message }
      }}
      save={v => discount.mutateAsync({ ...v, ids })}
      onDone={() => {
        // All of them, or none.
        toast.success(`已减免 ${formatCount(bills.length)} 张账单`)
        onDone()
      }}
    />
  )
}
