import { Suspense, lazy, useState, type ReactNode } from 'react'
import type { Call, Permission } from '#kit/contract/call.ts'
import { act, tellDone, type bulkWords } from '#kit/web/acts.ts'
import { danger } from '#kit/web/confirm.tsx'
import { count, yuan } from '#kit/web/figure.tsx'
import type { Batch } from '#kit/web/list/batch-bar.tsx'
import type { Ticked } from '#kit/web/list/selection.ts'
import { usePermission } from '#kit/web/session.ts'
import { toast } from '#kit/web/toast.ts'
import type { Verb } from '#kit/web/verb.tsx'
import {
  abolishBills,
  abolishSearch,
  auditBills,
  auditSearch,
  deleteBills,
  deleteSearch,
  mergeBill,
  recoverBills,
  recoverSearch,
  reverseWriteOff,
  writeOffBills,
} from '../contract/actions.ts'
import type { Bill } from '../contract/bill.ts'
import type { BillAsk } from '../contract/list.ts'
import { menu } from '../module.ts'
import { actions, type Action } from '../domain/actions.ts'
import { billName, whyNot } from './words.tsx'
import type { Asking } from './dialogs.tsx'

const { may } = menu.bill
const Dialogs = lazy(() => import('./dialogs.tsx').then(m => ({ default: m.DeedDialog })))

const total = (rows: readonly Bill[], key: 'receivable' | 'discountAmount' | 'unpaid'): number =>
  rows.reduce((n, b) => n + b[key], 0)

const homes = (rows: readonly Bill[]): number =>
  new Set(rows.map(b => `${b.sourceType}/${b.sourceCode}`)).size

/** A deed that needs a reason, on ticked bills or on all that a filter finds (BILL-1). */
interface Grave {
  readonly verb: string
  readonly action: Action
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

const graves = {
  abolish: {
    verb: '作废',
    action: 'abolish',
    may: may.abolish,
    ids: abolishBills,
    search: abolishSearch,
    back: { of: recoverBills, may: may.recover, reason: '撤销作废' },
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
    may: may.del,
    ids: deleteBills,
    search: deleteSearch,
    presets: ['录入有误', '重复录入'],
    follows: [
      '删除后在任何列表和统计中都不再出现，自己不能恢复。',
      '缴过费或通知过住户的账单不能删除，请先作废。',
    ],
  },
  writeOff: {
    verb: '核销',
    action: 'writeOff',
    may: may.writeOff,
    ids: writeOffBills,
    back: { of: reverseWriteOff, may: may.writeOff, reason: '误核销' },
    presets: ['超过诉讼时效', '住户失联', '法院裁定', '领导批准'],
    follows: ['不再计入账龄，不再催缴，仍列在坏账中。', '可以撤销核销，违约金从头补算。'],
  },
  unwrite: {
    verb: '撤销核销',
    action: 'reverseWriteOff',
    may: may.writeOff,
    ids: reverseWriteOff,
    presets: ['又联系上住户', '误核销'],
    follows: ['账单恢复为待缴，违约金从应缴日补算。'],
  },
} as const satisfies Record<string, Grave>

type Bulked = Parameters<typeof bulkWords>[0] & { readonly taskId?: number | undefined }

/**
 * Said of a deed on bills: what came of it, or that it goes on in the background; with a way back while
 * nothing was skipped.
 */
function tellDeed(
  verb: string,
  n: number,
  said: Bulked,
  more: { readonly name?: string | undefined; readonly undo?: (() => Promise<void>) | undefined } = {},
): void {
  const done = `已${verb}${more.name ? `「${more.name}」` : ` ${count(said.success)} 条账单`}`
  if (said.taskId) {
    toast.success(`已转入后台${verb} ${count(n)} 条，可在任务中心查看进度`)
  } else if (said.fail || said.skipped) {
    tellDone(said, '')
  } else if (more.undo) {
    toast.undo(done, more.undo)
  } else {
    toast.success(done)
  }
}

type May = ReturnType<typeof usePermission>

async function grave(
  g: Grave,
  t: Pick<Ticked<Bill, BillAsk>, 'ids' | 'rows' | 'whole' | 'count'>,
  allowed: May,
): Promise<boolean> {
  const one = t.rows.length === 1 && !t.whole ? t.rows[0]! : undefined
  const sum = (k: 'receivable' | 'discountAmount' | 'unpaid'): number =>
    t.whole ? Number(t.whole.sum[k] ?? 0) : total(t.rows, k)
  return danger({
    verb: g.verb,
    what: '条账单',
    count: t.count,
    ...(one ? { title: `${g.verb}「${billName(one)}」` } : {}),
    follows: g.follows,
    reason: { presets: g.presets, note: '会写入操作日志和账单变更记录' },
    amount: sum('unpaid'),
    sums: [
      ...(t.whole ? [] : [['涉及', `${count(homes(t.rows))} 户`] as const]),
      ['应收', yuan(sum('receivable'))],
      ['减免', yuan(sum('discountAmount'))],
      ['未缴合计', yuan(sum('unpaid'))],
    ],
    run: async reason => {
      const said = t.whole
        ? await act(
            g.search!,
            { ...t.whole.filter, count: t.whole.count, sum: Number(t.whole.sum.receivable), reason },
            { quiet: true },
          )
        : await act(g.ids, { ids: t.ids, reason }, { quiet: true })
      const { back } = g
      const undo =
        back && !t.whole && allowed(back.may)
          ? async (): Promise<void> => {
              const again = await act(back.of, { ids: t.ids, reason: back.reason })
              tellDeed('恢复', t.count, again as Bulked, { name: one && billName(one) })
            }
          : undefined
      tellDeed(g.verb, t.count, said as Bulked, { name: one && billName(one), undo })
    },
  })
}

const graveRow = (g: Grave, b: Bill, allowed: May): Verb => ({
  label: g.verb,
  may: g.may,
  danger: true,
  why: whyNot(g.action, b),
  run: () => grave(g, { ids: [String(b.id)], rows: [b], count: 1, whole: undefined }, allowed),
})

const graveBatch = (g: Grave, allowed: May): Batch<Bill, BillAsk> => ({
  label: g.verb,
  may: g.may,
  danger: true,
  whole: g.search !== undefined,
  run: t => grave(g, t, allowed),
})

const audit = async (ids: readonly string[], whole?: Ticked<Bill, BillAsk>['whole']): Promise<boolean> => {
  const said: Bulked = whole
    ? await act(auditSearch, {
        ...whole.filter,
        count: whole.count,
        sum: Number(whole.sum.receivable),
      } as never)
    : await act(auditBills, { ids })
  tellDeed('审核', whole?.count ?? ids.length, said)
  return true
}

const merge = (b: Bill): Promise<boolean> =>
  danger({
    verb: '合并还原',
    what: '条账单',
    count: 1,
    title: `合并还原「${billName(b)}」`,
    follows: [
      '拆分出的账单会删除，原账单恢复为待缴，拆分后做的减免并回原账单，缴费人与应缴日按原账单。',
      '拆分出的账单有缴费、支付中或已开票时不能还原。',
    ],
    reason: { presets: ['拆分有误', '不再分开缴'] },
    run: async reason => {
      await act(mergeBill, { id: b.id, version: b.version, reason }, { quiet: true })
      toast.success('已合并还原')
    },
  })

/** Dialogs whose deed may go over all that a filter finds. */
const wholes: ReadonlySet<Asking['what']> = new Set(['urge', 'discount', 'lateFee'])

export interface Deeds {
  readonly row: (b: Bill) => readonly Verb[]
  readonly drawer: (b: Bill) => readonly Verb[]
  readonly batch: readonly Batch<Bill, BillAsk>[]
  readonly abolished: readonly Batch<Bill, BillAsk>[]
  readonly pending: readonly Batch<Bill, BillAsk>[]
  readonly dialog: ReactNode
}

/** Everything a clerk can do with bills: verbs of a row, of ticked rows, and the dialog that stands open. */
export function useDeeds(): Deeds {
  const allowed = usePermission()
  const [open, setOpen] = useState<Asking>()
  const close = (): void => setOpen(undefined)
  const ask = (
    what: Asking['what'],
    of: Action | undefined,
    label: string,
    right: Permission,
    b: Bill,
  ): Verb => ({ label, may: right, why: of && whyNot(of, b), run: () => setOpen({ what, bills: [b] }) })
  /** Verbs whose action starts from the bill's state; the others would only say no. */
  const fits = (b: Bill, list: readonly (readonly [Action, Verb])[]): Verb[] =>
    list.filter(([a]) => actions[a].from.includes(b.state)).map(([, v]) => v)
  const row = (b: Bill): Verb[] =>
    fits(b, [
      ['audit', { label: '审核', may: may.audit, run: () => audit([String(b.id)]) }],
      ['recover', ask('recover', 'recover', '恢复', may.recover, b)],
      ['mergeBack', { label: '合并还原', may: may.split, run: () => merge(b) }],
      ...(b.payState === 'unpaid'
        ? ([['discount', ask('urge', undefined, '发催缴', menu.notice.may.urge, b)]] as const)
        : []),
      ...(b.payState === 'unpaid'
        ? ([['discount', ask('discount', 'discount', '减免', may.discount, b)]] as const)
        : []),
      // Of a paid bill nothing is left to let off, split or ask another for; a late fee may be, where the
      // principal settles it.
      ...(b.payState === 'unpaid' || b.lateFeeUnpaid > 0
        ? ([['lateFee', ask('lateFee', 'lateFee', '调整违约金', may.lateFee, b)]] as const)
        : []),
      ...(b.payState === 'unpaid'
        ? ([
            ['split', ask('split', 'split', '拆分', may.split, b)],
            ['changePayer', ask('payer', 'changePayer', '变更缴费人', may.payer, b)],
          ] as const)
        : []),
      ...(b.billSource === 'imported' || b.billSource === 'temporary'
        ? ([
            ['editAmount', ask('amount', 'editAmount', '修改金额', may.amount, b)],
            ['abolish', ask('reissue', 'abolish', '重开', may.amount, b)],
          ] as const)
        : []),
      ...(b.payState === 'unpaid'
        ? ([['discount', ask('mark', undefined, '标记争议与承诺', menu.notice.may.urge, b)]] as const)
        : []),
      ['abolish', graveRow(graves.abolish, b, allowed)],
      ...(b.payState === 'unpaid' ? ([['writeOff', graveRow(graves.writeOff, b, allowed)]] as const) : []),
      ['reverseWriteOff', graveRow(graves.unwrite, b, allowed)],
      ...(b.state === 'abolished' || (b.state === 'normal' && b.urgeCount === 0)
        ? ([['delete', graveRow(graves.remove, b, allowed)]] as const)
        : []),
    ])
  const batch = (what: Asking['what'], label: string, right: Permission): Batch<Bill, BillAsk> => ({
    label,
    may: right,
    whole: wholes.has(what),
    run: t => {
      setOpen({ what, bills: t.rows, ids: t.ids, ...(t.whole ? { whole: t.whole } : {}) })
    },
  })
  return {
    row,
    drawer: row,
    batch: [
      batch('urge', '发催缴', menu.notice.may.urge),
      batch('discount', '减免', may.discount),
      batch('lateFee', '调整违约金', may.lateFee),
      batch('payer', '变更缴费人', may.payer),
      batch('mark', '标记争议与承诺', menu.notice.may.urge),
      graveBatch(graves.abolish, allowed),
      graveBatch(graves.remove, allowed),
      graveBatch(graves.writeOff, allowed),
    ],
    abolished: [
      {
        ...batch('recover', '恢复', may.recover),
        whole: true,
        run: t => {
          if (t.whole) return recoverWhole(t.whole)
          setOpen({ what: 'recover', bills: t.rows, ids: t.ids })
          return undefined
        },
      },
      graveBatch(graves.remove, allowed),
    ],
    pending: [
      { label: '审核', may: may.audit, whole: true, run: t => audit(t.ids, t.whole) },
      graveBatch(graves.abolish, allowed),
    ],
    dialog: open && (
      <Suspense>
        <Dialogs of={open} onClose={close} />
      </Suspense>
    ),
  }
}

const recoverWhole = (w: NonNullable<Ticked<Bill, BillAsk>['whole']>): Promise<boolean> =>
  danger({
    verb: '恢复',
    what: '条账单',
    count: w.count,
    amount: Number(w.sum.receivable ?? 0),
    sums: [['应收', yuan(Number(w.sum.receivable ?? 0))]],
    follows: ['本期已有其他有效账单、对象已删除的不会恢复，会单独列出。', '违约金从原应缴日补算。'],
    reason: { presets: ['误作废', '重新计费'] },
    run: async reason => {
      const said = await act(
        recoverSearch,
        { ...w.filter, count: w.count, sum: Number(w.sum.receivable), reason } as never,
        { quiet: true },
      )
      tellDeed('恢复', w.count, said as Bulked)
    },
  })
