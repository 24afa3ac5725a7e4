import { confirmAndSend } from '#kit/web/record-actions.ts'
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
  billCounts,
}: Pick<RunDetail, 'id' | 'batchNo' | 'billCounts'>): Promise<boolean> {
  if (!billCounts.unpaid) {
    toast.warning('该批次没有可以撤销的账单：其余均已缴费、已开票或支付中')
    return false
  }
  const keptText = (
    [
      ['已缴', billCounts.paid],
      ['已开票', billCounts.invoiced],
      ['支付中', billCounts.locked],
    ] as const
  )
    .flatMap(([label, n]) => (n ? [`${formatCount(n)} 张${label}`] : []))
    .join('、')
  return confirmAndSend(undoRun, {
    actionLabel: '作废',
    unit: '张账单',
    count: billCounts.unpaid,
    title: `撤销批次 ${batchNo}`,
    amount: billCounts.unpaidAmount,
    affectedSums: [
      ['未缴账单', `${formatCount(billCounts.unpaid)} 张`],
      ['合计', displayYuanWithSymbol(billCounts.unpaidAmount)],
    ],
    consequences: ['账期释放，可以重新生成；作废的账单仍可在账单列表中查到'],
    reason: { label: '撤销原因', presets: ['单价有误', '范围选错', '重复生成'] },
    ...(keptText ? { agreement: `仅撤销未缴（保留 ${keptText}）` } : {}),
    choice: periodAfterChoice('rebill'),
    input: (reason, chosen) => ({ id, onlyUnpaid: keptText !== '', reason, ...chosenPeriodAfter(chosen) }),
    doneText: result =>
      result.taskId
        ? '正在撤销，可在任务中心查看进度'
        : `已作废 ${formatCount(result.abolished)} 张账单${result.kept ? `，保留 ${formatCount(result.kept)} 张` : ''}`,
  })
}
