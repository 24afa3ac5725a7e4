import type { Id } from '#kit/domain/id.ts'
import { useState } from 'react'
import { addFen } from '#kit/domain/money.ts'
import { confirmAndSend, sendAndInvalidate, toastResult } from '#kit/web/record-actions.ts'
import { confirm } from '#kit/web/confirm.tsx'
import { displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import type { Action, Actions } from '#kit/web/action.tsx'
import { today } from '#kit/web/date-format.ts'
import { recoverRecord, voidRecord, type PayRecord } from '../contract/record.ts'
import { receiptDocTypeOf } from '../domain/receipt.ts'
import { refundRequestRefusal } from '../domain/refund.ts'
import { listedVoidRefusal, recoverRefusal } from '../domain/void.ts'
import { keptMoney } from '../domain/tender-sums.ts'
import { menu } from '../module.ts'
import { recordActionsOf } from './public.actions.ts'
import { useReceipts } from './use-receipts.tsx'

const RefundDialog = lazyComponent(() => import('./refund-dialog.tsx').then(m => m.RefundDialog))

/** 作废 (PAY-21): asks for the reason, in all places that show a record. */
export const voidPayment = (record: PayRecord): Promise<boolean> =>
  confirmAndSend(voidRecord, {
    actionLabel: '作废',
    unit: '笔收款',
    title: `作废收款 ${record.receiptNo ?? record.recordNo}`,
    affectedSums: [
      ['收费对象', record.sourceName],
      ['实收', displayYuanWithSymbol(keptMoney(record.methods, record.changeAmount))],
    ],
    consequences: ['账单恢复未缴，收据号保留并标记作废', '当天可以恢复'],
    reason: { presets: ['录入有误', '收错对象', '重复收款'] },
    input: { id: record.id },
    doneText: ({ isPending }) => (isPending ? '已提交审批，通过后作废' : '已作废'),
  })

const recoverPayment = async (record: PayRecord): Promise<void> => {
  if (
    await confirm({
      title: `恢复收款 ${record.receiptNo ?? record.recordNo}`,
      text: `账单重新记为已缴 ${displayYuanWithSymbol(addFen(record.principalAmount, record.lateFeeAmount))}`,
      okLabel: '恢复',
    })
  ) {
    toastResult(await sendAndInvalidate(recoverRecord, { id: record.id }), '已恢复')
  }
}

/** What can be done with a record, and the dialogs for it. */
export function useRecordActions(): {
  readonly rowActions: (r: PayRecord) => Actions
  readonly print: (ids: readonly Id[]) => void
  readonly dialogs: React.ReactNode
} {
  const receipts = useReceipts()
  const [refunding, refund] = useState<PayRecord>()
  const day = today()
  const rowActions = (record: PayRecord): Actions => [
    {
      label: receiptDocTypeOf(record) === 'refund' ? '打印退款单' : '打印收据',
      needs: menu.record.permissions.print,
      run: () => receipts.open([record.id]),
    },
    ...recordActionsOf(record).map((a): Action => ({
      label: a.label,
      needs: a.needs,
      run: () => navigateTo(a.pathOf(record)),
    })),
    (record.recordType === 'payment' || record.recordType === 'deduction') && {
      label: '退款',
      needs: menu.refund.permissions.apply,
      disabledReason: refundRequestRefusal(record),
      run: () => refund(record),
    },
    record.state === 'voided' &&
      record.recordType === 'payment' && {
        label: '恢复',
        needs: menu.record.permissions.recover,
        disabledReason: recoverRefusal(record, day),
        run: () => recoverPayment(record),
      },
    record.recordType === 'payment' &&
      record.state !== 'voided' && {
        label: '作废',
        needs: menu.record.permissions.void,
        danger: true,
        disabledReason: listedVoidRefusal(record, day),
        run: () => voidPayment(record),
      },
  ]
  return {
    rowActions,
    print: receipts.open,
    dialogs: (
      <>
        {receipts.dialog}
        {refunding && <RefundDialog of={refunding} onClose={() => refund(undefined)} />}
      </>
    ),
  }
}
