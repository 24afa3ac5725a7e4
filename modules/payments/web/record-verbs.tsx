import { useState } from 'react'
import { act, tellDone } from '#kit/web/acts.ts'
import { confirm, danger } from '#kit/web/confirm.tsx'
import { yuan } from '#kit/web/figure.tsx'
import { go } from '#kit/web/go.ts'
import { later } from '#kit/web/later.tsx'
import type { Verb, Verbs } from '#kit/web/verb.tsx'
import { today } from '#kit/web/when.ts'
import { recoverRecord, voidRecord, type PayRecord } from '../contract/record.ts'
import { paperKind } from '../domain/receipt.ts'
import { askRefusal, recoverRefusal, voidRefusal } from '../domain/undo.ts'
import { menu } from '../module.ts'
import { recordActs } from './public.acts.ts'
import { useReceipts } from './use-receipts.tsx'

const RefundDialog = later(() => import('./refund-dialog.tsx').then(m => m.RefundDialog))

/** 作废 (PAY-21): asked with its reason wherever a record stands. */
export const voidPayment = (r: PayRecord): Promise<boolean> =>
  danger({
    verb: '作废',
    what: '笔收款',
    count: 1,
    title: `作废收款 ${r.receiptNo ?? r.recordNo}`,
    sums: [
      ['缴费对象', r.sourceName],
      ['实收', yuan(r.receivedAmount, true)],
    ],
    follows: ['账单恢复未缴，收据号保留并标记作废', '当天可以恢复'],
    reason: { presets: ['录入有误', '收错对象', '重复收款'] },
    run: async reason => tellDone(await act(voidRecord, { id: r.id, reason }, { quiet: true }), '已作废'),
  })

const recover = async (r: PayRecord): Promise<void> => {
  if (
    await confirm({
      title: `恢复收款 ${r.receiptNo ?? r.recordNo}`,
      text: `账单重新记为已缴 ${yuan(r.receivedAmount - r.changeAmount, true)}`,
      ok: '恢复',
    })
  ) {
    tellDone(await act(recoverRecord, { id: r.id }), '已恢复')
  }
}

/** What can be done with a record, and the dialogs for it. */
export function useRecordVerbs(): {
  readonly verbs: (r: PayRecord) => Verbs
  readonly print: (ids: readonly number[]) => void
  readonly dialogs: React.ReactNode
} {
  const receipts = useReceipts()
  const [refunding, refund] = useState<PayRecord>()
  const day = today()
  const verbs = (r: PayRecord): Verbs => [
    {
      label: paperKind(r) === 'refund' ? '打印退款单' : '打印收据',
      may: menu.record.may.print,
      run: () => receipts.open([r.id]),
    },
    ...recordActs(r).map((a): Verb => ({ label: a.label, may: a.may, run: () => go(a.to(r)) })),
    (r.recordType === 'payment' || r.recordType === 'deduction') &&
      ({ label: '退款', may: menu.refund.may.apply, why: askRefusal(r), run: () => refund(r) } as Verb),
    r.state === 'voided' &&
      r.recordType === 'payment' &&
      ({
        label: '恢复',
        may: menu.record.may.recover,
        why: recoverRefusal(r, day),
        run: () => recover(r),
      } as Verb),
    r.recordType === 'payment' &&
      r.state !== 'voided' &&
      ({
        label: '作废',
        may: menu.record.may.void,
        danger: true,
        why: r.dayClosed ? '当天已日结，请办理退款' : voidRefusal(r, day),
        run: () => voidPayment(r),
      } as Verb),
  ]
  return {
    verbs,
    print: receipts.open,
    dialogs: (
      <>
        {receipts.dialog}
        {refunding && <RefundDialog of={refunding} onClose={() => refund(undefined)} />}
      </>
    ),
  }
}
