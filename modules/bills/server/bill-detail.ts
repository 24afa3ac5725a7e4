import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { keyOf } from '#kit/contract/field.ts'
import { addDays, daysBetween, latest, type Day } from '#kit/domain/day.ts'
import { parseExact, formatExact, multiplyExact } from '#kit/domain/exact.ts'
import { addFen, displayYuan, type Fen, parseYuan, subtractFen } from '#kit/domain/money.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import { requireById, findAll } from '#kit/server/table.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { recompute, explainAmount, type Snapshot } from '#modules/fees/server/public.ts'
import { type Scope } from '#kit/server/scope.ts'
import { bill, type Bill } from '../contract/bill.ts'
import { adjustType } from '../contract/choices.ts'
import { getBill } from '../contract/bill-detail.ts'
import { feeNotice } from '../contract/notice.ts'
import { unpaidPrincipal } from '../domain/bill.ts'
import { overdueDays, type LateFeePolicy } from '../domain/late-fee.ts'
import { presentBills } from './bill-query.ts'
import { computeLateFees, findBillRules } from './late-fee.ts'
import { toBill } from './stored-bill.ts'

interface ExplanationLine {
  readonly label: string
  readonly words: string
  readonly amount?: Fen
}

const formatPercent = (rate: string): string =>
  `${formatExact(multiplyExact(parseExact(rate), parseExact('100')))}%`

/**
 * The days for which a late fee is charged, from the first one after grace and after the start of late fees.
 */
function chargedDays(billRow: Bill, policy: LateFeePolicy, today: Day): number {
  const firstAfterGrace = addDays(billRow.dueDate, policy.graceMode === 'beyond' ? policy.graceDays + 1 : 1)
  const first = latest(firstAfterGrace, policy.from ?? billRow.dueDate)
  const days = daysBetween(first, today) + 1
  return policy.capMode === 'days' ? Math.min(days, Number(policy.capValue ?? '0')) : days
}

const currentRate = (p: LateFeePolicy, today: Day): string =>
  p.rates
    .filter(r => r.from === undefined || r.from <= today)
    .toSorted((x, y) => ((x.from ?? '') < (y.from ?? '') ? -1 : 1))
    .at(-1)?.rate ?? '0'

function lateFeeText(billRow: Bill, policy: LateFeePolicy, today: Day, late: number): string {
  const days = overdueDays(billRow.dueDate, today)
  const rate = formatPercent(currentRate(policy, today))
  const owed = unpaidPrincipal(toBill(billRow))
  const charged = chargedDays(billRow, policy, today)
  // The principal or the rate changed in between: the fee adds up over segments.
  const inSegments = billRow.paidPrincipal > 0 || billRow.refundState !== 'none' || policy.rates.length > 1
  if (days <= policy.graceDays) return `逾期 ${days} 天，在 ${policy.graceDays} 天宽限期内`
  if (charged <= 0) return `${policy.from} 起才计违约金`
  if (inSegments) return `按每天未缴的本金 × ${rate}/天，逾期 ${days} 天分段累计`
  if (policy.minPrincipal !== undefined && owed < policy.minPrincipal)
    return `未缴本金不足 ${displayYuan(policy.minPrincipal)} 元，不计违约金`
  const minimum = late === 0 && policy.minAmount ? `，不足 ${displayYuan(policy.minAmount)} 元不收` : ''
  return `${displayYuan(owed)} × ${rate}/天 × ${charged} 天${minimum}`
}

/** How the late fee was computed, as a text that a resident can check. */
function explainLateFee(billRow: Bill, policy: LateFeePolicy, today: Day, late: Fen): ExplanationLine[] {
  const days = overdueDays(billRow.dueDate, today)
  if (billRow.lateFeeManual) return [{ label: '违约金', words: '人工定额，不再随天数增加', amount: late }]
  if (!policy.on || billRow.feeType === 'deposit')
    return late ? [{ label: '违约金', words: '停用前已计的违约金', amount: late }] : []
  if (days === 0 || billRow.state !== 'normal')
    return late
      ? [
          {
            label: '违约金',
            words: billRow.state === 'normal' ? '应缴日前缴清后不再增加' : '已停止计算',
            amount: late,
          },
        ]
      : []
  const text = lateFeeText(billRow, policy, today, late)
  const cap = {
    none: '',
    rate: `不超过本金的 ${formatPercent(policy.capValue ?? '1')}`,
    amount: `不超过 ${policy.capValue} 元`,
    days: `最多计 ${policy.capValue} 天`,
  }[policy.capMode]
  return [{ label: '违约金', words: text, amount: late }, ...(cap ? [{ label: '上限', words: cap }] : [])]
}

function explainPrincipal(billRow: Bill): { readonly lines: ExplanationLine[]; readonly exact: boolean } {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written from a Snapshot when the bill was computed
  const snapshot = billRow.calcSnapshot as Snapshot | undefined
  const computed = snapshot
    ? { words: explainAmount(snapshot).replace(/ = [\d.]+ 元$/, ''), amount: recompute(snapshot) }
    : undefined
  const calculation =
    computed?.words ??
    (billRow.qty !== undefined && billRow.price !== undefined
      ? `${billRow.qty} × ${billRow.price}`
      : '按登记的金额')
  const splitNote = billRow.parentId ? '（拆分前的整张账单）' : ''
  const lines: ExplanationLine[] = [
    {
      label: billRow.feeItemName,
      words: calculation + splitNote,
      amount: billRow.parentId ? (computed?.amount ?? billRow.amount) : billRow.amount,
    },
  ]
  if (billRow.parentId) {
    lines.push({
      label: '拆分',
      words: `${billRow.beginDate} 至 ${billRow.endDate} 这一张`,
      amount: billRow.amount,
    })
  }
  if (billRow.discountAmount) {
    lines.push({
      label: '减免',
      words: `应收 ${displayYuan(billRow.amount)} − ${displayYuan(billRow.discountAmount)}`,
      amount: billRow.receivable,
    })
  }
  return {
    lines,
    exact: computed === undefined || billRow.parentId !== undefined || computed.amount === billRow.amount,
  }
}

/** Numbers and names that a bill refers to. */
const findRelated = (db: Db, scope: Scope, id: Id) =>
  db.one<{
    standardName?: string
    operatorName?: string
    parentNo?: string
    replacesNo?: string
    replacedByNo?: string
  }>(sql`
    select (
      select name from fee_standard s where s.owner_id = ${scope.ownerId} and s.id = t.standard_id
    ) as standard_name,
      (
        select real_name from manager m where m.owner_id = ${scope.ownerId} and m.id = t.create_by
      ) as operator_name,
      (select bill_no from bill p where p.owner_id = ${scope.ownerId} and p.id = t.parent_id) as parent_no,
      (
        select bill_no from bill p where p.owner_id = ${scope.ownerId} and p.id = t.replaces_bill_id
      ) as replaces_no,
      (
        select string_agg(p.bill_no, '、' order by p.id)
        from bill p
        where p.owner_id = ${scope.ownerId}
          and p.project_code = t.project_code
          and p.source_type = t.source_type
          and p.source_code = t.source_code
          and p.fee_item_id = t.fee_item_id
          and ${notDeleted('p')}
          and p.replaces_bill_id = t.id
      ) as replaced_by_no
    from bill t
    where t.owner_id = ${scope.ownerId} and t.id = ${id}
  `)

const findLedgerEntries = (db: Db, scope: Scope, id: Id) =>
  db.rows<{ day: Day; principal: string; lateFee: string }>(
    sql`
      select day, principal::text, late_fee::text
      from bill_move
      where owner_id = ${scope.ownerId} and bill_id = ${id}
      order by day, id
    `,
  )

const findAdjustments = (db: Db, scope: Scope, id: Id) =>
  db.rows<{
    time: Moment
    type: number
    oldValue?: string
    newValue?: string
    amount: string
    reason?: string
    operatorName?: string
  }>(
    sql`
      select a.create_time as time, a.adjust_type as type, a.old_value, a.new_value, a.amount::text,
        a.reason, m.real_name as operator_name
      from bill_adjust a
      left join manager m on m.owner_id = ${scope.ownerId} and m.id = a.create_by
      where a.owner_id = ${scope.ownerId} and a.bill_id = ${id} and ${notDeleted('a')}
      order by a.id desc
      limit 100
    `,
  )

const findNotices = (db: Db, scope: Scope, billRow: Bill) =>
  findAll(
    db,
    feeNotice,
    scope,
    { order: '-id' },
    {
      where: [
        sql`(
          t.source_code = ${billRow.sourceCode} ${billRow.payerId === undefined ? sql`` : sql`or t.payer_id = ${billRow.payerId}`}
        )
          and ${String(billRow.id)} = any(t.bill_ids)`,
      ],
      limit: 50,
    },
  )

const toChildRow = (change: Bill) => ({
  id: change.id,
  billNo: change.billNo,
  beginDate: change.beginDate,
  endDate: change.endDate,
  receivable: change.receivable,
  unpaid: change.unpaid,
})

export const explainHandlers = [
  reads(getBill, async ({ id }, { db, scope, today, now }) => {
    const billRow = await requireById(db, bill, scope, id)
    const ruleOf = await findBillRules(db, scope.ownerId, [billRow])
    const late = (await computeLateFees(db, scope.ownerId, [billRow], today)).get(id) ?? billRow.lateFeeDue
    const [related, entries, adjusts, notices, children] = await Promise.all([
      findRelated(db, scope, id),
      findLedgerEntries(db, scope, id),
      findAdjustments(db, scope, id),
      findNotices(db, scope, billRow),
      billRow.state === 'split'
        ? findAll(db, bill, scope, { order: 'id' }, { where: [sql`t.parent_id = ${id}`] })
        : Promise.resolve([]),
    ])
    const { lines, exact } = explainPrincipal(billRow)
    const lateUnpaidNow = subtractFen(late, billRow.lateFeePaid, billRow.lateFeeWaived)
    // What it owes today; the stored late fee is from last night (LATE-12).
    const asOf: Bill = {
      ...billRow,
      lateFeeDue: late,
      lateFeeUnpaid: lateUnpaidNow,
      unpaid: addFen(billRow.unpaidPrincipal, lateUnpaidNow),
    }
    return {
      ...defined(presentBills([asOf], today, now)[0]),
      ...related,
      exact,
      explanation: [...lines, ...explainLateFee(billRow, ruleOf(billRow).late, today, late)],
      moves: entries.map(m => ({
        day: m.day,
        principal: parseYuan(m.principal),
        lateFee: parseYuan(m.lateFee),
      })),
      adjusts: adjusts.map(({ type, ...a }) => ({
        ...a,
        adjustType: defined(keyOf(adjustType, type)),
        amount: parseYuan(a.amount),
      })),
      notices: notices.map(notice => ({
        id: notice.id,
        time: notice.sendTime ?? defined(notice.createTime),
        channel: notice.channel,
        level: notice.level,
        state: notice.state,
        content: notice.content,
        ...(notice.promiseDate ? { promiseDate: notice.promiseDate } : {}),
      })),
      ...(children.length ? { children: children.map(toChildRow) } : {}),
    }
  }),
]
