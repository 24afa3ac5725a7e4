import { useMemo } from 'react'
import { sumFen, formatYuan } from '#kit/domain/money.ts'
import { toastResult } from '#kit/web/record-actions.ts'
import { formatCount, displayYuan } from '#kit/web/numbers.tsx'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { useSend } from '#kit/web/query.ts'
import { discountCashierBills } from '../contract/cashier.ts'
import type { CashierView } from './cashier.tsx'

type Bill = CashierView['groups'][number]['bills'][number]
type Values = { readonly kind?: 'amount' | 'rate'; readonly amount?: number; readonly percent?: string }

const formGroups = [
  {
    keys: [
      'kind',
      {
        key: 'amount',
        isHidden: (v: Values) => v.kind === 'rate',
        help: '每张账单的减免金额；填 0 取消减免',
      },
      { key: 'percent', isHidden: (v: Values) => v.kind !== 'rate', help: '15 表示减去应收的 15%' },
      'reason',
    ],
  },
]

/** 现场减免 of the selected bills; the cashier's view is loaded again afterwards. */
export function DiscountDialog({
  bills,
  onClose,
  onDone,
}: {
  readonly bills: readonly Bill[]
  readonly onClose: () => void
  readonly onDone: () => void
}) {
  const discount = useSend(discountCashierBills, { quiet: true })
  const ids = useMemo(() => bills.map(b => String(b.billId)), [bills])
  const initial = useMemo(() => ({ ids, kind: 'amount' as const }), [ids])
  return (
    <EditDialog
      shape={discountCashierBills.input}
      title={`减免 ${formatCount(bills.length)} 张账单（未收本金 ${displayYuan(sumFen(bills.map(b => b.principal)), true)}）`}
      groups={formGroups}
      initial={initial}
      submitLabel="减免"
      presentation="dialog"
      onClose={onClose}
      rules={(v): Record<string, string> | undefined => {
        const { kind, amount, percent } = v as Values
        const small =
          kind === 'amount' && amount !== undefined
            ? bills.find(b => b.receivable < amount && b.principal < amount)
            : undefined
        if (kind === 'rate' && percent === undefined) return { percent: '请填写减免比例，0 到 100' }
        if (kind !== 'rate' && amount === undefined) return { amount: '请填写减免金额' }
        if (!small) return undefined
        return {
          amount: `「${small.feeItemName}」只有 ${formatYuan(small.principal)} 元，减免金额不能超过该金额`,
        }
      }}
      save={v => discount.mutateAsync({ ...v, ids })}
      onDone={a => {
        toastResult(a, '已减免')
        onDone()
      }}
    />
  )
}
