import { useMemo } from 'react'
import type { Call } from '#kit/contract/call.ts'
import { requiredConfirmText } from '#kit/web/confirm.tsx'
import { formatCount, displayYuan } from '#kit/web/numbers.tsx'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import type { FormFieldGroup } from '#kit/web/form/form-fields.tsx'
import type { Faults } from '#kit/web/form/use-form.ts'
import { BulkResultDialog, useBulkResult, type BulkResult } from '#kit/web/bulk-result-dialog.tsx'
import type { SelectedRows } from '#kit/web/list/selection.ts'
import { useSend } from '#kit/web/query.ts'
import { toast } from '#kit/web/toast.ts'
import {
  changePayer,
  setDiscountByFilter,
  editBillAmount,
  setLateFeeByFilter,
  markBills,
  setDiscount,
  setLateFee,
  recoverBills,
  reissueBill,
  splitBill,
} from '../contract/actions.ts'
import type { Bill } from '../contract/bill.ts'
import type { BillFilter } from '../contract/list.ts'
import { applyDiscount, percentToFraction, splitByAmount, splitByDate } from '../domain/adjustment.ts'
import { toBill } from '../domain/bill-row.ts'
import { billName } from './labels.tsx'
import { ReminderDialog } from './reminder-dialog.tsx'

export interface DialogRequest {
  readonly what:
    | 'discount'
    | 'lateFee'
    | 'split'
    | 'payer'
    | 'amount'
    | 'reissue'
    | 'mark'
    | 'recover'
    | 'urge'
  readonly bills: readonly Bill[]
  readonly ids?: readonly string[]
  /** All that a filter finds. */ readonly whole?: SelectedRows<Bill, BillFilter>['allMatching']
}

interface ActionForm {
  readonly of: Call<any, any>
  /** The same over a filter. */ readonly search?: Call<any, any>
  /** Yuan in fen that it touches: above ¥10,000 the count is typed. */ readonly touches?: (
    values: any,
    t: AffectedBills,
  ) => number
  readonly verb: string
  readonly groups: readonly FormFieldGroup[]
  readonly initial: (bills: readonly Bill[]) => object
  readonly below?: (values: any, t: AffectedBills) => React.ReactNode
  readonly rules?: (values: any, bills: readonly Bill[]) => Faults | undefined
  /** One bill alone, told by its id and version. */ readonly single?: boolean
  /** Where one bill is meant: the fields it then needs, and what they say. */ readonly alone?: {
    readonly groups: readonly FormFieldGroup[]
    readonly says: (values: any, b: Bill) => object
  }
}

interface AffectedBills {
  readonly bills: readonly Bill[]
  readonly count: number
  readonly sum: (key: 'receivable' | 'unpaid' | 'lateFeeUnpaid') => number
}

const reasonField = (help = '会写入账单变更记录'): FormFieldGroup['keys'][number] => ({
  key: 'reason',
  wide: true,
  help,
})

const isOtherKind =
  (kind: string) =>
  (v: { kind?: string }): boolean =>
    v.kind !== kind

const isDecimal = (v: string | undefined): v is string => v !== undefined && /^\d{1,3}(\.\d{1,4})?$/.test(v)

const Note = ({ children, bad }: { readonly children: React.ReactNode; readonly bad?: boolean }) => (
  <p className={bad ? 'bill-note bad' : 'bill-note'} role="status">
    {children}
  </p>
)

type DiscountValues = { readonly kind?: string; readonly amount?: number; readonly percent?: string }

const parseDiscount = (v: DiscountValues) =>
  v.kind === 'rate'
    ? isDecimal(v.percent) && { kind: 'rate' as const, off: percentToFraction(v.percent) }
    : v.amount !== undefined && { kind: 'amount' as const, off: v.amount }

/**
 * What is let off of bills by the same rule that the server asks; of a whole filter what the figures come to
 * at most.
 */
const sumDiscount = (v: DiscountValues, { bills, count: n, sum }: AffectedBills): number => {
  const d = parseDiscount(v)
  if (!d) return 0
  if (!bills.length)
    return d.kind === 'rate'
      ? Math.round(sum('receivable') * Number(d.off))
      : Math.min(d.off * n, sum('receivable'))
  return bills.reduce((all, b) => {
    const said = applyDiscount(toBill(b), d)
    return typeof said === 'string' ? all : all + Math.abs(said.discount! - b.discountAmount)
  }, 0)
}

/** What the discount will make of the bills. */
function DiscountPreview({ v, t }: { readonly v: DiscountValues; readonly t: AffectedBills }) {
  const d = parseDiscount(v)
  const { bills } = t
  if (!d) return <Note>减免是整个的值，会替换之前的减免；填 0 取消减免</Note>
  if (!bills.length)
    return (
      <Note>
        {formatCount(t.count)} 条各减免
        {d.kind === 'rate' ? `原始金额的 ${v.percent}%` : ` ${displayYuan(d.off)}`}
        ，替换之前的减免；超出可减免金额的会跳过，原因列在结果里
      </Note>
    )
  const said = bills.map(b => applyDiscount(toBill(b), d))
  const good = said.filter(s => typeof s !== 'string')
  const off = good.reduce((n, s) => n + (s.discount ?? 0), 0)
  const before = bills.reduce((n, b) => n + b.discountAmount, 0)
  return (
    <Note bad={good.length < bills.length}>
      减免合计 {displayYuan(before)} → <b>{displayYuan(off)}</b>
      {good.length < bills.length &&
        `；${formatCount(bills.length - good.length)} 条超出可减免的金额，会跳过`}
    </Note>
  )
}

function SplitPreview({
  v,
  b,
}: {
  readonly v: { on?: string; amount?: number; secondDue?: string }
  readonly b: Bill
}) {
  if (v.on === undefined && v.amount === undefined)
    return <Note>填拆分日期或第一张金额，二者选一；两张合计不变</Note>
  const said =
    v.on !== undefined
      ? splitByDate(toBill(b), v.on, v.secondDue)
      : splitByAmount(toBill(b), v.amount!, v.secondDue)
  if (typeof said === 'string') return <Note bad>{said}</Note>
  return (
    <Note>
      第一张 {said[0].begin} 至 {said[0].end} <b>{displayYuan(said[0].amount - said[0].discount)}</b>；第二张{' '}
      {said[1].begin} 至 {said[1].end} <b>{displayYuan(said[1].amount - said[1].discount)}</b>，应缴{' '}
      {said[1].dueDate}
    </Note>
  )
}

const actionForms: Readonly<Record<Exclude<DialogRequest['what'], 'urge'>, ActionForm>> = {
  discount: {
    of: setDiscount,
    search: setDiscountByFilter,
    verb: '减免',
    groups: [
      {
        keys: [
          'kind',
          { key: 'amount', isHidden: isOtherKind('amount') },
          { key: 'percent', isHidden: isOtherKind('rate'), help: '减去的部分：15 表示打八五折' },
          reasonField(),
        ],
      },
    ],
    initial: () => ({ kind: 'amount' }),
    rules: (v): Faults | undefined =>
      v.kind === 'rate'
        ? v.percent === undefined
          ? { percent: '请填写减免比例，0 到 100' }
          : undefined
        : v.amount === undefined
          ? { amount: '请填写减免金额' }
          : undefined,
    below: (v, t) => <DiscountPreview v={v} t={t} />,
    touches: sumDiscount,
  },
  lateFee: {
    of: setLateFee,
    search: setLateFeeByFilter,
    verb: '调整违约金',
    groups: [
      {
        keys: [
          'kind',
          {
            key: 'amount',
            isHidden: v => v.kind === 'auto',
            help: '减免：留空减免全部未收的；定额：未收违约金改为这个数，不再增加',
          },
          reasonField(),
        ],
      },
    ],
    initial: () => ({ kind: 'waive' }),
    rules: v => (v.kind === 'fix' && v.amount === undefined ? { amount: '请填写违约金定额' } : undefined),
    below: (_, t) => <Note>现在未收违约金 {displayYuan(t.sum('lateFeeUnpaid'))}，提交时按今天重算</Note>,
    touches: (v, t) =>
      v.kind === 'fix'
        ? Math.max(t.sum('lateFeeUnpaid'), (v.amount ?? 0) * t.count)
        : v.amount === undefined
          ? t.sum('lateFeeUnpaid')
          : v.amount * t.count,
  },
  split: {
    of: splitBill,
    verb: '拆分',
    single: true,
    groups: [
      {
        keys: [
          { key: 'on', help: '第二张从这一天开始' },
          { key: 'amount', help: '或按金额拆分，账期不变' },
          { key: 'secondDue', help: '留空与原账单相同' },
          reasonField(),
        ],
      },
    ],
    initial: () => ({}),
    below: (v, t) => <SplitPreview v={v} b={t.bills[0]!} />,
  },
  payer: {
    of: changePayer,
    verb: '变更缴费人',
    groups: [
      { keys: ['payerKind', { key: 'payerId', wide: true }, reasonField('已缴费或已开票的账单不能变更')] },
    ],
    initial: () => ({ payerKind: 'resident' }),
  },
  amount: {
    of: editBillAmount,
    verb: '修改金额',
    single: true,
    groups: [{ keys: ['amount', reasonField('只有导入和手工临时的账单可以直接改金额')] }],
    initial: bills => ({ amount: bills[0]!.amount }),
    touches: (v, t) => Math.abs((v.amount ?? 0) - t.bills[0]!.amount),
  },
  reissue: {
    of: reissueBill,
    verb: '重开',
    single: true,
    groups: [
      {
        keys: [
          'amount',
          'dueDate',
          'beginDate',
          'endDate',
          { key: 'remark', wide: true },
          reasonField('原账单作废，新账单注明替换了哪一张'),
        ],
      },
    ],
    initial: ([b]) => ({
      amount: b!.amount,
      dueDate: b!.dueDate,
      beginDate: b!.beginDate,
      endDate: b!.endDate,
    }),
  },
  mark: {
    of: markBills,
    verb: '标记',
    groups: [
      {
        keys: [
          'disputed',
          { key: 'promiseDate', help: '到这一天之前不自动催缴' },
          'clearPromise',
          { key: 'remark', wide: true },
          'clearRemark',
        ],
      },
    ],
    initial: ([b, more]) =>
      more ? {} : { disputed: b!.disputed, promiseDate: b!.promiseDate, remark: b!.remark },
    below: () => <Note>有争议的账单不催缴，直到取消标记</Note>,
    // What is taken out of its box is taken back.
    alone: {
      groups: [
        {
          keys: [
            'disputed',
            { key: 'promiseDate', help: '到这一天之前不自动催缴；清空即取消承诺' },
            { key: 'remark', wide: true },
          ],
        },
      ],
      says: (v, b) => ({
        ...v,
        ...(v.promiseDate === undefined && b.promiseDate !== undefined ? { clearPromise: true } : {}),
        ...(!v.remark && b.remark ? { clearRemark: true } : {}),
      }),
    },
  },
  recover: {
    of: recoverBills,
    verb: '恢复',
    groups: [{ keys: [{ key: 'resetDue', help: '不勾选时违约金从原应缴日补算' }, reasonField('可不填')] }],
    initial: () => ({ resetDue: false }),
    below: () => <Note>本期已有其他有效账单、对象已删除或读数已被计费的不能恢复</Note>,
  },
}

function FormDialog({
  what,
  bills,
  ids,
  whole,
  onClose,
}: DialogRequest & { readonly what: Exclude<DialogRequest['what'], 'urge'>; readonly onClose: () => void }) {
  const f = actionForms[what]
  const of = whole ? f.search! : f.of
  const go = useSend(of, { quiet: true })
  const [outcome, show] = useBulkResult()
  const one = bills.length === 1 && !(ids && ids.length > 1) ? bills[0] : undefined
  const n = whole?.count ?? ids?.length ?? bills.length
  const t: AffectedBills = {
    bills,
    count: n,
    sum: key => (whole ? Number(whole.sum[key] ?? 0) : bills.reduce((all, b) => all + b[key], 0)),
  }
  const fixed = useMemo(
    () =>
      f.single
        ? { id: one!.id, version: one!.version }
        : whole
          ? { ...whole.filter, count: whole.count, sum: Number(whole.sum.receivable) }
          : { ids: ids ?? bills.map(b => String(b.id)) },
    [f, one, ids, bills, whole],
  )
  const initial = useMemo(() => ({ ...f.initial(bills) }), [f, bills])
  if (outcome) return <BulkResultDialog result={outcome} title={`${f.verb}结果`} onClose={onClose} />
  const done = (a: unknown): void => {
    const b = a as BulkResult & { taskId?: number }
    if (typeof b === 'object' && b?.taskId) {
      toast.success(`已转入后台${f.verb} ${formatCount(n)} 条，可在任务中心查看进度`)
      onClose()
      return
    }
    if (typeof b === 'object' && b !== null && 'success' in b && (b.skipped || b.fail)) {
      show(b)
      return
    }
    toast.success(one ? `已${f.verb}「${billName(one)}」` : `已${f.verb} ${formatCount(b.success)} 条账单`)
    onClose()
  }
  return (
    <EditDialog
      shape={of.input}
      title={one ? `${f.verb}「${billName(one)}」` : `${f.verb} ${formatCount(n)} 条账单`}
      groups={(one && f.alone?.groups) ?? f.groups}
      initial={initial as never}
      submitLabel={f.verb}
      presentation="dialog"
      rules={f.rules ? v => f.rules!(v, bills) : undefined}
      below={f.below ? v => f.below!(v, t) : undefined}
      confirmText={
        f.single && !f.touches
          ? undefined
          : v => requiredConfirmText({ count: n, amount: f.touches?.(v, t) ?? 0 })
      }
      save={v => go.mutateAsync({ ...(one && f.alone ? f.alone.says(v, one) : (v as object)), ...fixed })}
      onClose={onClose}
      onDone={done}
    />
  )
}

export function ActionDialog({ of, onClose }: { readonly of: DialogRequest; readonly onClose: () => void }) {
  return of.what === 'urge' ? (
    <ReminderDialog bills={of.bills} ids={of.ids} whole={of.whole} onClose={onClose} />
  ) : (
    <FormDialog {...of} what={of.what} onClose={onClose} />
  )
}
