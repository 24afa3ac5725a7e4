import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { asFen, sumFen, type Fen } from '#kit/domain/money.ts'
import type { Permission } from '#kit/contract/call.ts'
import { isStruckOut } from '#kit/contract/field.ts'
import {
  confirmAndSend,
  sendAndInvalidate,
  toastResult,
  type bulkResultText,
} from '#kit/web/record-actions.ts'
import { confirmDanger } from '#kit/web/confirm.tsx'
import { formatCount, displayYuan } from '#kit/web/numbers.tsx'
import type { BatchAction } from '#kit/web/list/batch-bar.tsx'
import type { SelectedRows } from '#kit/web/list/selection.ts'
import { usePermission } from '#kit/web/session.ts'
import { toast } from '#kit/web/toast.ts'
import type { Action } from '#kit/web/action.tsx'
import {
  abolishBills,
  abolishBillsByFilter,
  auditBills,
  auditBillsByFilter,
  deleteBills,
  deleteBillsByFilter,
  recoverBills,
  recoverBillsByFilter,
  reverseWriteOff,
  writeOffBills,
  type FilterAction,
} from '../contract/actions.ts'
import { mergeBill } from '../contract/adjustments.ts'
import { bill, type Bill } from '../contract/bill.ts'
import type { BillFilter } from '../contract/list.ts'
import { menu } from '../module.ts'
import { type BillAction } from '../domain/actions.ts'
import { chosenPeriodAfter, freesPeriod, periodAfterChoice } from './period-after.ts'
import { billName, findActionRefusal } from './labels.tsx'

const { permissions } = menu.bill

const sumOf = (rows: readonly Bill[], key: 'receivable' | 'discountAmount' | 'unpaid'): Fen =>
  sumFen(rows.filter(b => !isStruckOut(bill.fields, b)).map(b => b[key]))

const countHomes = (rows: readonly Bill[]): number =>
  new Set(rows.map(b => `${b.sourceType}/${b.sourceCode}`)).size

type BulkOutcome = Parameters<typeof bulkResultText>[0] & { readonly taskId?: Id | undefined }

type PeriodAnswer = ReturnType<typeof chosenPeriodAfter>
type ActionInput = { readonly ids: readonly string[]; readonly reason: string } & PeriodAnswer

/** An action that needs a reason, on selected bills or on all bills of a filter (BILL-1). */
interface SensitiveAction {
  readonly actionLabel: string
  readonly action: BillAction
  readonly permission: Permission
  readonly run: (input: ActionInput) => Promise<BulkOutcome>
  readonly runByFilter?: (input: FilterAction & PeriodAnswer) => Promise<BulkOutcome>
  /** Whether it frees days of charges, and asks what becomes of them (GEN-3). */
  readonly freesPeriods?: boolean
  readonly consequences: readonly string[]
  readonly presets: readonly string[]
  /** The call that undoes it, offered to those who may use it. */
  readonly undo?: {
    readonly run: (input: { ids: readonly string[]; reason: string }) => Promise<BulkOutcome>
    readonly permission: Permission
    readonly reason: string
  }
}

export const sensitiveActions = {
  abolish: {
    actionLabel: '作废',
    action: 'abolish',
    freesPeriods: true,
    permission: permissions.abolish,
    run: input => sendAndInvalidate(abolishBills, input, { quiet: true }),
    runByFilter: input => sendAndInvalidate(abolishBillsByFilter, input, { quiet: true }),
    undo: {
      run: input => sendAndInvalidate(recoverBills, input),
      permission: permissions.recover,
      reason: '撤销作废',
    },
    presets: ['重复出账', '面积有误', '单价有误', '住户已迁出', '其他'],
    consequences: [
      '住户端立即不再显示这些账单，违约金停止计算。',
      '账期释放，可以重新生成；账期未被占用时可在「已作废」中恢复。',
      '已缴费、支付中或已开票的账单不会被作废，会单独列出原因。',
    ],
  },
  remove: {
    actionLabel: '删除',
    action: 'delete',
    permission: permissions.del,
    run: input => sendAndInvalidate(deleteBills, input, { quiet: true }),
    runByFilter: input => sendAndInvalidate(deleteBillsByFilter, input, { quiet: true }),
    presets: ['录入有误', '重复录入'],
    consequences: [
      '删除后不再列入任何列表和统计，不能恢复。',
      '缴过费或通知过住户的账单不能删除，请先作废。',
    ],
  },
  writeOff: {
    actionLabel: '核销',
    action: 'writeOff',
    permission: permissions.writeOff,
    run: input => sendAndInvalidate(writeOffBills, input, { quiet: true }),
    undo: {
      run: input => sendAndInvalidate(reverseWriteOff, input),
      permission: permissions.writeOff,
      reason: '误核销',
    },
    presets: ['超过诉讼时效', '住户失联', '法院裁定', '领导批准'],
    consequences: ['不再计入账龄，不再催缴，仍列入坏账。', '可以撤销核销，违约金从头补算。'],
  },
  unwrite: {
    actionLabel: '撤销核销',
    action: 'reverseWriteOff',
    permission: permissions.writeOff,
    run: input => sendAndInvalidate(reverseWriteOff, input, { quiet: true }),
    presets: ['已联系上住户', '误核销'],
    consequences: ['账单恢复为待缴，违约金从应缴日补算。'],
  },
} satisfies Record<string, SensitiveAction>

/**
 * Reports the outcome of an action or that it continues in the background; offers to undo it when nothing was
 * skipped.
 */
function showOutcome(
  actionLabel: string,
  count: number,
  result: BulkOutcome,
  options: { readonly name?: string | undefined; readonly undo?: (() => Promise<void>) | undefined } = {},
): void {
  const doneText = `已${actionLabel}${options.name ? `「${options.name}」` : ` ${formatCount(result.success)} 张账单`}`
  if (result.taskId) {
    toast.success(`已转入后台${actionLabel} ${formatCount(count)} 条，可在任务中心查看进度`)
  } else if (result.fail || result.skipped) {
    toastResult(result, '')
  } else if (options.undo) {
    toast.undo(doneText, options.undo)
  } else {
    toast.success(doneText)
  }
}

export type PermissionCheck = ReturnType<typeof usePermission>

async function confirmSensitive(
  group: SensitiveAction,
  selected: Pick<SelectedRows<Bill, BillFilter>, 'ids' | 'rows' | 'allMatching' | 'count'>,
  allowed: PermissionCheck,
): Promise<boolean> {
  const singleBill =
    selected.rows.length === 1 && !selected.allMatching ? defined(selected.rows[0]) : undefined
  const sum = (k: 'receivable' | 'discountAmount' | 'unpaid'): Fen =>
    selected.allMatching ? asFen(Number(selected.allMatching.sum[k] ?? 0)) : sumOf(selected.rows, k)
  return confirmDanger({
    actionLabel: group.actionLabel,
    unit: '张账单',
    count: selected.count,
    ...(singleBill ? { title: `${group.actionLabel}「${billName(singleBill)}」` } : {}),
    consequences: group.consequences,
    reason: { presets: group.presets, note: '会写入操作日志和账单变更记录' },
    amount: sum('unpaid'),
    affectedSums: [
      ...(selected.allMatching ? [] : [['涉及', `${formatCount(countHomes(selected.rows))} 户`] as const]),
      ['应收', displayYuan(sum('receivable'))],
      ['减免', displayYuan(sum('discountAmount'))],
      ['未缴合计', displayYuan(sum('unpaid'))],
    ],
    ...(group.freesPeriods && (selected.allMatching || freesPeriod(selected.rows))
      ? { choice: periodAfterChoice() }
      : {}),
    run: async (reason, chosen) => {
      const answer = chosenPeriodAfter(chosen)
      const result = selected.allMatching
        ? await defined(group.runByFilter)({
            ...selected.allMatching.filter,
            count: selected.allMatching.count,
            sum: asFen(Number(selected.allMatching.sum.receivable)),
            reason,
            ...answer,
          })
        : await group.run({ ids: selected.ids, reason, ...answer })
      const reverse = group.undo
      const undo =
        reverse && !selected.allMatching && allowed(reverse.permission)
          ? async (): Promise<void> => {
              const reversed = await reverse.run({ ids: selected.ids, reason: reverse.reason })
              showOutcome('恢复', selected.count, reversed, { name: singleBill && billName(singleBill) })
            }
          : undefined
      showOutcome(group.actionLabel, selected.count, result, {
        name: singleBill && billName(singleBill),
        undo,
      })
    },
  })
}

export const sensitiveRowAction = (
  group: SensitiveAction,
  billRow: Bill,
  allowed: PermissionCheck,
): Action => ({
  label: group.actionLabel,
  needs: group.permission,
  danger: true,
  disabledReason: findActionRefusal(group.action, billRow),
  run: () =>
    confirmSensitive(
      group,
      { ids: [String(billRow.id)], rows: [billRow], count: 1, allMatching: undefined },
      allowed,
    ),
})

export const sensitiveBatchAction = (
  group: SensitiveAction,
  allowed: PermissionCheck,
): BatchAction<Bill, BillFilter> => ({
  label: group.actionLabel,
  needs: group.permission,
  danger: true,
  acceptsAllMatching: group.runByFilter !== undefined,
  run: t => confirmSensitive(group, t, allowed),
})

export const auditSelected = async (
  ids: readonly string[],
  allMatching?: SelectedRows<Bill, BillFilter>['allMatching'],
): Promise<boolean> => {
  const result: BulkOutcome = allMatching
    ? await sendAndInvalidate(auditBillsByFilter, {
        ...allMatching.filter,
        count: allMatching.count,
        sum: asFen(Number(allMatching.sum.receivable)),
      })
    : await sendAndInvalidate(auditBills, { ids })
  showOutcome('审核', allMatching?.count ?? ids.length, result)
  return true
}

export const mergeBack = (billRow: Bill): Promise<boolean> =>
  confirmAndSend(mergeBill, {
    actionLabel: '合并还原',
    unit: '张账单',
    title: `合并还原「${billName(billRow)}」`,
    consequences: [
      '拆分出的账单会删除，原账单恢复为待缴，拆分后做的减免并回原账单，缴费人与应缴日按原账单。',
      '拆分出的账单有缴费、支付中或已开票时不能还原。',
    ],
    reason: { presets: ['拆分有误', '不再分开缴'] },
    input: { id: billRow.id, version: billRow.version },
  })

export const recoverByFilter = (
  matching: NonNullable<SelectedRows<Bill, BillFilter>['allMatching']>,
): Promise<boolean> =>
  confirmDanger({
    actionLabel: '恢复',
    unit: '张账单',
    count: matching.count,
    consequences: ['本期已有其他有效账单、对象已删除的不会恢复，会单独列出。', '违约金从原应缴日补算。'],
    reason: { presets: ['误作废', '重新计费'] },
    run: async reason => {
      const result = await sendAndInvalidate(
        recoverBillsByFilter,
        { ...matching.filter, count: matching.count, sum: asFen(Number(matching.sum.receivable)), reason },
        { quiet: true },
      )
      showOutcome('恢复', matching.count, result)
    },
  })
