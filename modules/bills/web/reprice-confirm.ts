import type { Id } from '#kit/domain/id.ts'
import { sumFen, type Fen } from '#kit/domain/money.ts'
import { confirmDanger } from '#kit/web/confirm.tsx'
import { displayYuan, formatCount, formatSigned } from '#kit/web/numbers.tsx'
import { sendAndInvalidate } from '#kit/web/record-actions.ts'
import { toast } from '#kit/web/toast.ts'
import { repriceAllBills, repriceBills, type RepricedBill } from '../contract/reprice.ts'

const consequences = [
  '原账单作废，同一账期按现行价格出新账单，新账单注明所替换的账单。',
  '应缴日不变；违约金按新金额从应缴日重新计算。',
  '期间已缴费、支付中或已开票的账单不作处理，并单独列出原因。',
]

const reasonOptions = { presets: ['调价', '价格填写有误'], note: '会写入新旧账单的变更记录' }

/** Replaces the selected bills at once. `onDone` runs before the outcome is reported. */
export const confirmReprice = (
  bills: readonly RepricedBill[],
  onDone: () => Promise<unknown>,
): Promise<boolean> => {
  const before = sumFen(bills.map(b => b.amount))
  const after = sumFen(bills.map(b => b.next ?? 0))
  return confirmDanger({
    actionLabel: '重新生成',
    unit: '张账单',
    count: bills.length,
    affectedSums: [
      ['原金额', displayYuan(before)],
      ['新金额', displayYuan(after)],
      ['增减', formatSigned(((after - before) / 100).toFixed(2), 2)],
    ],
    amount: before,
    reason: reasonOptions,
    consequences,
    run: async reason => {
      const result = await sendAndInvalidate(
        repriceBills,
        { ids: bills.map(b => String(b.id)), reason },
        { quiet: true },
      )
      await onDone()
      if (result.skipped) {
        toast.warning(
          `已重新生成 ${formatCount(result.success)} 条，${formatCount(result.skipped)} 条未改动：${result.rows[0]?.reason ?? ''}`,
        )
      } else {
        toast.success(
          `已重新生成 ${formatCount(result.success)} 条，合计由 ${displayYuan(result.before)} 变为 ${displayYuan(result.amount)}（批次 ${(result.batchNos ?? []).join('、')}）`,
        )
      }
    },
  })
}

interface RepriceAll {
  readonly standardId: Id
  readonly count: number
  readonly amount: Fen
  /** Unselected bills, which keep their price. */
  readonly without: readonly string[]
}

/** Replaces all bills of a standard in the background. */
export const confirmRepriceAll = (
  { standardId, count, amount, without }: RepriceAll,
  onStarted: (runId: Id) => void,
): Promise<boolean> =>
  confirmDanger({
    actionLabel: '重新生成',
    unit: '张账单',
    count,
    affectedSums: [['原金额', displayYuan(amount)]],
    amount,
    reason: reasonOptions,
    consequences: [
      ...consequences.slice(0, 2),
      '在后台作为一个批次处理；期间已缴费、支付中或已开票的账单不作处理，任务结果逐张说明。',
    ],
    run: async reason => {
      const result = await sendAndInvalidate(
        repriceAllBills,
        { standardId, count, without, reason },
        { quiet: true },
      )
      onStarted(result.runId)
    },
  })
