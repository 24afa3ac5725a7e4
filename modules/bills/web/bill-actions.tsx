import { Suspense, lazy, useState, type ReactNode } from 'react'
import type { Call, Permission } from '#kit/contract/call.ts'
import { sendAndInvalidate, toastResult, type bulkResultText } from '#kit/web/record-actions.ts'
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
  mergeBill,
  recoverBills,
  recoverBillsByFilter,
  reverseWriteOff,
  writeOffBills,
} from '../contract/actions.ts'
import type { Bill } from '../contract/bill.ts'
import type { BillFilter } from '../contract/list.ts'
import { menu } from '../module.ts'
import { actionRules, type BillAction } from '../domain/actions.ts'
import { billName, findActionRefusal } from './labels.tsx'
import type { DialogRequest } from './action-dialogs.tsx'

const { permissions } = menu.bill
const ActionDialog = lazy(() => import('./action-dialogs.tsx').then(m => ({ default: m.ActionDialog })))

const sumOf = (rows: readonly Bill[], key: 'receivable' | 'discountAmount' | 'unpaid'): number =>
  rows.reduce((n, b) => n + b[key], 0)

const countHomes = (rows: readonly Bill[]): number =>
  new Set(rows.map(b => `${b.sourceType}/${b.sourceCode}`)).size

/** A deed that needs a reason, on ticked bills or on all that a filter finds (BILL-1). */
interface SensitiveAction {
  readonly verb: string
  readonly action: BillAction
  readonly may: Permission
  readonly ids: Call<any, any>
  readonly search?: Call<any, any>
  readonly follows: readonly string[]
  readonly presets: readonly string[]
  /** What takes it back, for who may. */ readonly back?: {
    readonly of: Call<any, any>
    readonly may: Permission
    readonly reason: string
  }
}

const sensitiveActions = {
  abolish: {
    verb: '作废',
    action: 'abolish',
    may: permissions.abolish,
    ids: abolishBills,
    search: abolishBillsByFilter,
    back: { of: recoverBills, may: permissions.recover, reason: '撤销作废' },
    presets: ['重复出账', '面积有误', '单价有误', '住户已迁出', '其他'],
    follows: [
      '住户端立即看不到这些账单，违约金停止计算。',
      '账期释放，可以重新生成；账期未被占用时可在「已作废」中恢复。',
      '已缴费、支付中或已开票的账单不会被作废，会单独列出原因。',
    ],
  },
  remove: {
    verb: '删除',
    action: 'delete',
    may: permissions.del,
    ids: deleteBills,
    search: deleteBillsByFilter,
    presets: ['录入有误', '重复录入'],
    follows: [
      '删除后在任何列表和统计中都不再出现，自己不能恢复。',
      '缴过费或通知过住户的账单不能删除，请先作废。',
    ],
  },
  writeOff: {
    verb: '核销',
    action: 'writeOff',
    may: permissions.writeOff,
    ids: writeOffBills,
    back: { of: reverseWriteOff, may: permissions.writeOff, reason: '误核销' },
    presets: ['超过诉讼时效', '住户失联', '法院裁定', '领导批准'],
    follows: ['不再计入账龄，不再催缴，仍列在坏账中。', '可以撤销核销，违约金从头补算。'],
  },
  unwrite: {
    verb: '撤销核销',
    action: 'reverseWriteOff',
    may: permissions.writeOff,
    ids: reverseWriteOff,
    presets: ['又联系上住户', '误核销'],
    follows: ['账单恢复为待缴，违约金从应缴日补算。'],
  },
} as const satisfies Record<string, SensitiveAction>

type BulkOutcome = Parameters<typeof bulkResultText>[0] & { readonly taskId?: number | undefined }

/**
 * Said of a deed on bills: what came of it, or that it goes on in the background; with a way back while
 * nothing was skipped.
 */
function showOutcome(
  verb: string,
  n: number,
  said: BulkOutcome,
  more: { readonly name?: string | undefined; readonly undo?: (() => Promise<void>) | undefined } = {},
): void {
  const done = `已${verb}${more.name ? `「${more.name}」` : ` ${formatCount(said.success)} 条账单`}`
  if (said.taskId) {
    toast.success(`已转入后台${verb} ${formatCount(n)} 条，可在任务中心查看进度`)
  } else if (said.fail || said.skipped) {
    toastResult(said, '')
  } else if (more.undo) {
    toast.undo(done, more.undo)
  } else {
    toast.success(done)
  }
}

type PermissionCheck = ReturnType<typeof usePermission>

async function confirmSensitive(
  g: SensitiveAction,
  t: Pick<SelectedRows<Bill, BillFilter>, 'ids' | 'rows' | 'allMatching' | 'count'>,
  allowed: PermissionCheck,
): Promise<boolean> {
  const one = t.rows.length === 1 && !t.allMatching ? t.rows[0]! : undefined
  const sum = (k: 'receivable' | 'discountAmount' | 'unpaid'): number =>
    t.allMatching ? Number(t.allMatching.sum[k] ?? 0) : sumOf(t.rows, k)
  return confirmDanger({
    actionLabel: g.verb,
    unit: '条账单',
    count: t.count,
    ...(one ? { title: `${g.verb}「${billName(one)}」` } : {}),
    consequences: g.follows,
    reason: { presets: g.presets, note: '会写入操作日志和账单变更记录' },
    amount: sum('unpaid'),
    affectedSums: [
      ...(t.allMatching ? [] : [['涉及', `${formatCount(countHomes(t.rows))} 户`] as const]),
      ['应收', displayYuan(sum('receivable'))],
      ['减免', displayYuan(sum('discountAmount'))],
      ['未缴合计', displayYuan(sum('unpaid'))],
    ],
    run: async reason => {
      const said = t.allMatching
        ? await sendAndInvalidate(
            g.search!,
            {
              ...t.allMatching.filter,
              count: t.allMatching.count,
              sum: Number(t.allMatching.sum.receivable),
              reason,
            },
            { quiet: true },
          )
        : await sendAndInvalidate(g.ids, { ids: t.ids, reason }, { quiet: true })
      const { back } = g
      const undo =
        back && !t.allMatching && allowed(back.may)
          ? async (): Promise<void> => {
              const again = await sendAndInvalidate(back.of, { ids: t.ids, reason: back.reason })
              showOutcome('恢复', t.count, again as BulkOutcome, { name: one && billName(one) })
            }
          : undefined
      showOutcome(g.verb, t.count, said as BulkOutcome, { name: one && billName(one), undo })
    },
  })
}

const sensitiveRowAction = (g: SensitiveAction, b: Bill, allowed: PermissionCheck): Action => ({
  label: g.verb,
  needs: g.may,
  danger: true,
  disabledReason: findActionRefusal(g.action, b),
  run: () =>
    confirmSensitive(g, { ids: [String(b.id)], rows: [b], count: 1, allMatching: undefined }, allowed),
})

const sensitiveBatchAction = (
  g: SensitiveAction,
  allowed: PermissionCheck,
): BatchAction<Bill, BillFilter> => ({
  label: g.verb,
  needs: g.may,
  danger: true,
  acceptsAllMatching: g.search !== undefined,
  run: t => confirmSensitive(g, t, allowed),
})

const auditSelected = async (
  ids: readonly string[],
  whole?: SelectedRows<Bill, BillFilter>['allMatching'],
): Promise<boolean> => {
  const said: BulkOutcome = whole
    ? await sendAndInvalidate(auditBillsByFilter, {
        ...whole.filter,
        count: whole.count,
        sum: Number(whole.sum.receivable),
      } as never)
    : await sendAndInvalidate(auditBills, { ids })
  showOutcome('审核', whole?.count ?? ids.length, said)
  return true
}

const mergeBack = (b: Bill): Promise<boolean> =>
  confirmDanger({
    actionLabel: '合并还原',
    unit: '条账单',
    count: 1,
    title: `合并还原「${billName(b)}」`,
    consequences: [
      '拆分出的账单会删除，原账单恢复为待缴，拆分后做的减免并回原账单，缴费人与应缴日按原账单。',
      '拆分出的账单有缴费、支付中或已开票时不能还原。',
    ],
    reason: { presets: ['拆分有误', '不再分开缴'] },
    run: async reason => {
      await sendAndInvalidate(mergeBill, { id: b.id, version: b.version, reason }, { quiet: true })
      toast.success('已合并还原')
    },
  })

/** Dialogs whose deed may go over all that a filter finds. */
const filterDialogs: ReadonlySet<DialogRequest['what']> = new Set(['urge', 'discount', 'lateFee'])

export interface BillActions {
  readonly row: (b: Bill) => readonly Action[]
  readonly drawer: (b: Bill) => readonly Action[]
  readonly batch: readonly BatchAction<Bill, BillFilter>[]
  readonly abolished: readonly BatchAction<Bill, BillFilter>[]
  readonly pending: readonly BatchAction<Bill, BillFilter>[]
  readonly dialog: ReactNode
}

/** Everything a clerk can do with bills: verbs of a row, of ticked rows, and the dialog that stands open. */
export function useBillActions(): BillActions {
  const allowed = usePermission()
  const [open, setOpen] = useState<DialogRequest>()
  const close = (): void => setOpen(undefined)
  const ask = (
    what: DialogRequest['what'],
    of: BillAction | undefined,
    label: string,
    right: Permission,
    b: Bill,
  ): Action => ({
    label,
    needs: right,
    disabledReason: of && findActionRefusal(of, b),
    run: () => setOpen({ what, bills: [b] }),
  })
  /** Verbs whose action starts from the bill's state; the others would only say no. */
  const fits = (b: Bill, list: readonly (readonly [BillAction, Action])[]): Action[] =>
    list.filter(([a]) => actionRules[a].from.includes(b.state)).map(([, v]) => v)
  const row = (b: Bill): Action[] =>
    fits(b, [
      ['audit', { label: '审核', needs: permissions.audit, run: () => auditSelected([String(b.id)]) }],
      ['recover', ask('recover', 'recover', '恢复', permissions.recover, b)],
      ['mergeBack', { label: '合并还原', needs: permissions.split, run: () => mergeBack(b) }],
      ...(b.payState === 'unpaid'
        ? ([['discount', ask('urge', undefined, '发催缴', menu.notice.permissions.urge, b)]] as const)
        : []),
      ...(b.payState === 'unpaid'
        ? ([['discount', ask('discount', 'discount', '减免', permissions.discount, b)]] as const)
        : []),
      // Of a paid bill nothing is left to let off, split or ask another for; a late fee may be, where the
      // principal settles it.
      ...(b.payState === 'unpaid' || b.lateFeeUnpaid > 0
        ? ([['lateFee', ask('lateFee', 'lateFee', '调整违约金', permissions.lateFee, b)]] as const)
        : []),
      ...(b.payState === 'unpaid'
        ? ([
            ['split', ask('split', 'split', '拆分', permissions.split, b)],
            ['changePayer', ask('payer', 'changePayer', '变更缴费人', permissions.payer, b)],
          ] as const)
        : []),
      ...(b.billSource === 'imported' || b.billSource === 'temporary'
        ? ([
            ['editAmount', ask('amount', 'editAmount', '修改金额', permissions.amount, b)],
            ['abolish', ask('reissue', 'abolish', '重开', permissions.amount, b)],
          ] as const)
        : []),
      ...(b.payState === 'unpaid'
        ? ([['discount', ask('mark', undefined, '标记争议与承诺', menu.notice.permissions.urge, b)]] as const)
        : []),
      ['abolish', sensitiveRowAction(sensitiveActions.abolish, b, allowed)],
      ...(b.payState === 'unpaid'
        ? ([['writeOff', sensitiveRowAction(sensitiveActions.writeOff, b, allowed)]] as const)
        : []),
      ['reverseWriteOff', sensitiveRowAction(sensitiveActions.unwrite, b, allowed)],
      ...(b.state === 'abolished' || (b.state === 'normal' && b.urgeCount === 0)
        ? ([['delete', sensitiveRowAction(sensitiveActions.remove, b, allowed)]] as const)
        : []),
    ])
  const batch = (
    what: DialogRequest['what'],
    label: string,
    right: Permission,
  ): BatchAction<Bill, BillFilter> => ({
    label,
    needs: right,
    acceptsAllMatching: filterDialogs.has(what),
    run: t => {
      setOpen({ what, bills: t.rows, ids: t.ids, ...(t.allMatching ? { whole: t.allMatching } : {}) })
    },
  })
  return {
    row,
    drawer: row,
    batch: [
      batch('urge', '发催缴', menu.notice.permissions.urge),
      batch('discount', '减免', permissions.discount),
      batch('lateFee', '调整违约金', permissions.lateFee),
      batch('payer', '变更缴费人', permissions.payer),
      batch('mark', '标记争议与承诺', menu.notice.permissions.urge),
      sensitiveBatchAction(sensitiveActions.abolish, allowed),
      sensitiveBatchAction(sensitiveActions.remove, allowed),
      sensitiveBatchAction(sensitiveActions.writeOff, allowed),
    ],
    abolished: [
      {
        ...batch('recover', '恢复', permissions.recover),
        acceptsAllMatching: true,
        run: t => {
          if (t.allMatching) return recoverByFilter(t.allMatching)
          setOpen({ what: 'recover', bills: t.rows, ids: t.ids })
          return undefined
        },
      },
      sensitiveBatchAction(sensitiveActions.remove, allowed),
    ],
    pending: [
      {
        label: '审核',
        needs: permissions.audit,
        acceptsAllMatching: true,
        run: t => auditSelected(t.ids, t.allMatching),
      },
      sensitiveBatchAction(sensitiveActions.abolish, allowed),
    ],
    dialog: open && (
      <Suspense>
        <ActionDialog of={open} onClose={close} />
      </Suspense>
    ),
  }
}

const recoverByFilter = (w: NonNullable<SelectedRows<Bill, BillFilter>['allMatching']>): Promise<boolean> =>
  confirmDanger({
    actionLabel: '恢复',
    unit: '条账单',
    count: w.count,
    amount: Number(w.sum.receivable ?? 0),
    affectedSums: [['应收', displayYuan(Number(w.sum.receivable ?? 0))]],
    consequences: ['本期已有其他有效账单、对象已删除的不会恢复，会单独列出。', '违约金从原应缴日补算。'],
    reason: { presets: ['误作废', '重新计费'] },
    run: async reason => {
      const said = await sendAndInvalidate(
        recoverBillsByFilter,
        { ...w.filter, count: w.count, sum: Number(w.sum.receivable), reason } as never,
        { quiet: true },
      )
      showOutcome('恢复', w.count, said as BulkOutcome)
    },
  })
