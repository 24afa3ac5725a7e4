import { sendAndInvalidate } from '#kit/web/record-actions.ts'
import { confirmDanger } from '#kit/web/confirm.tsx'
import { formatCount, displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { toast } from '#kit/web/toast.ts'
import { chosenPeriodAfter, periodAfterChoice } from './period-after.ts'
import { undoRun, type RunDetail } from '../contract/run.ts'

/**
 * Undoes a batch as a whole, or only its unpaid bills after the operator agrees (GEN-7); the reason is
 * stored on every bill.
 */
export async function confirmUndoRun({
  id,
  batchNo,
  billCounts: s,
}: Pick<RunDetail, 'id' | 'batchNo' | 'billCounts'>): Promise<boolean> {
  if (!s.unpaid) {
    toast.warning('该批次没有可以撤销的账单：其余均已缴费、已开票或支付中')
    return false
  }
  const keptText = (
    [
      ['已缴', s.paid],
      ['已开票', s.invoiced],
      ['支付中', s.locked],
    ] as const
  )
    .flatMap(([label, n]) => (n ? [`${formatCount(n)} 张${label}`] : []))
    .join('、')
  return confirmDanger({
    actionLabel: '作废',
    unit: '张账单',
    count: s.unpaid,
    title: `撤销批次 ${batchNo}`,
    amount: s.unpaidAmount,
    affectedSums: [
      ['未缴账单', `${formatCount(s.unpaid)} 张`],
      ['合计', displayYuanWithSymbol(s.unpaidAmount)],
    ],
    consequences: ['账期释放，可以重新生成；作废的账单仍可在账单列表中查到'],
    reason: { label: '撤销原因', presets: ['单价有误', '范围选错', '重复生成'] },
    ...(keptText ? { agreement: `仅撤销未缴（保留 ${keptText}）` } : {}),
    choice: periodAfterChoice('rebill'),
    run: async (reason, chosen) => {
      const input = { id, onlyUnpaid: keptText !== '', reason, ...chosenPeriodAfter(chosen) }
      const a = await sendAndInvalidate(undoRun, input, { quiet: true })
      toast.success(
        a.taskId
          ? '正在撤销，可在任务中心查看进度'
          : `已作废 ${formatCount(a.abolished)} 张账单${a.kept ? `，保留 ${formatCount(a.kept)} 张` : ''}`,
      )
    },
  })
}
