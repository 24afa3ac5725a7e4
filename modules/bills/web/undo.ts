import { act } from '#kit/web/acts.ts'
import { danger } from '#kit/web/confirm.tsx'
import { count, yuan } from '#kit/web/figure.tsx'
import { toast } from '#kit/web/toast.ts'
import { undoRun, type OneRun } from '../contract/run.ts'

/**
 * GEN-7: as a whole, or, where some are paid, the unpaid ones alone, which must be agreed to; the reason is
 * kept on every bill.
 */
export async function undoBatch({
  id,
  batchNo,
  standing: s,
}: Pick<OneRun, 'id' | 'batchNo' | 'standing'>): Promise<boolean> {
  if (!s.unpaid) {
    toast.warning('这一批没有可以撤销的账单：剩下的都已缴费、已开票或支付中')
    return false
  }
  const kept = (
    [
      ['已缴', s.paid],
      ['已开票', s.invoiced],
      ['支付中', s.locked],
    ] as const
  )
    .flatMap(([label, n]) => (n ? [`${count(n)} 张${label}`] : []))
    .join('、')
  return danger({
    verb: '作废',
    what: '张账单',
    count: s.unpaid,
    title: `撤销批次 ${batchNo}`,
    amount: s.unpaidAmount,
    sums: [
      ['未缴账单', `${count(s.unpaid)} 张`],
      ['合计', yuan(s.unpaidAmount, true)],
    ],
    follows: ['账期释放，可以重新生成；作废的账单仍可在账单列表中查到'],
    reason: { label: '撤销原因', presets: ['单价有误', '范围选错', '重复生成'] },
    ...(kept ? { agree: `仅撤销未缴（保留 ${kept}）` } : {}),
    run: async reason => {
      const a = await act(undoRun, { id, onlyUnpaid: kept !== '', reason }, { quiet: true })
      toast.success(
        a.taskId
          ? '正在撤销，可在任务中心查看进度'
          : `已作废 ${count(a.abolished)} 张账单${a.kept ? `，保留 ${count(a.kept)} 张` : ''}`,
      )
    },
  })
}
