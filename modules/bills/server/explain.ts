import { keyOf, type Field } from '#kit/contract/field.ts'
import { formatValue } from '#kit/contract/value.ts'
import { addDays, daysBetween, latest, type Day } from '#kit/domain/day.ts'
import { parseExact, formatExact, multiplyExact } from '#kit/domain/exact.ts'
import { formatYuan, parseYuan } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import { requireById, findAll } from '#kit/server/table.ts'
import { live } from '#kit/server/sql.ts'
import { recompute, explainAmount, type Snapshot } from '#modules/fees/server/public.ts'
import { bill, type Bill } from '../contract/bill.ts'
import { adjustType } from '../contract/choices.ts'
import { getBillHistory, getBill } from '../contract/list.ts'
import { feeNotice } from '../contract/notice.ts'
import { unpaidPrincipal } from '../domain/bill.ts'
import { overdueDays, type LateFeePolicy } from '../domain/late-fee.ts'
import { presentBills } from './bill-query.ts'
import { computeLateFees, findBillRules } from './late-fee.ts'
import { toBill } from './stored-bill.ts'

interface ExplanationLine {
  readonly label: string
  readonly words: string
  readonly amount?: number
}

const formatPercent = (rate: string): string =>
  `${formatExact(multiplyExact(parseExact(rate), parseExact('100')))}%`

/** How the late fee came about, as a resident can check it. */
function explainLateFee(b: Bill, p: LateFeePolicy, today: Day, late: number): ExplanationLine[] {
  const days = overdueDays(b.dueDate, today)
  if (b.lateFeeManual) return [{ label: '违约金', words: '人工定额，不再随天数增加', amount: late }]
  if (!p.on || b.feeType === 'deposit')
    return late ? [{ label: '违约金', words: '停用前已计的违约金', amount: late }] : []
  if (days === 0 || b.state !== 'normal')
    return late
      ? [
          {
            label: '违约金',
            words: b.state === 'normal' ? '应缴日前缴清后不再增加' : '已停止计算',
            amount: late,
          },
        ]
      : []
  const rate =
    p.rates
      .filter(r => r.from === undefined || r.from <= today)
      .toSorted((x, y) => ((x.from ?? '') < (y.from ?? '') ? -1 : 1))
      .at(-1)?.rate ?? '0'
  const owed = unpaidPrincipal(toBill(b))
  const inSegments = b.paidPrincipal > 0 || b.refundState !== 'none' || p.rates.length > 1
  const created = latest(
    addDays(b.dueDate, p.graceMode === 'beyond' ? p.graceDays + 1 : 1),
    p.from ?? b.dueDate,
  )
  const counted = Math.min(
    daysBetween(created, today) + 1,
    p.capMode === 'days' ? Number(p.capValue ?? '0') : Infinity,
  )
  const text =
    days <= p.graceDays
      ? `逾期 ${days} 天，在 ${p.graceDays} 天宽限期内`
      : counted <= 0
        ? `${p.from} 起才计违约金`
        : p.minPrincipal !== undefined && owed < p.minPrincipal && !inSegments
          ? `未缴本金不足 ${formatYuan(p.minPrincipal)} 元，不计违约金`
          : inSegments
            ? `按每天未缴的本金 × ${formatPercent(rate)}/天，逾期 ${days} 天分段累计`
            : `${formatYuan(owed)} × ${formatPercent(rate)}/天 × ${counted} 天${late === 0 && p.minAmount ? `，不足 ${formatYuan(p.minAmount)} 元不收` : ''}`
  const cap = {
    none: '',
    rate: `不超过本金的 ${formatPercent(p.capValue ?? '1')}`,
    amount: `不超过 ${p.capValue} 元`,
    days: `最多计 ${p.capValue} 天`,
  }[p.capMode]
  return [{ label: '违约金', words: text, amount: late }, ...(cap ? [{ label: '上限', words: cap }] : [])]
}

function explainPrincipal(b: Bill): { readonly lines: ExplanationLine[]; readonly exact: boolean } {
  const s = b.calcSnapshot
  const computed = s
    ? { words: explainAmount(s as Snapshot).replace(/ = [\d.]+ 元$/, ''), amount: recompute(s as Snapshot) }
    : undefined
  const calculation =
    computed?.words ??
    (b.qty !== undefined && b.price !== undefined ? `${b.qty} × ${b.price}` : '按登记的金额')
  const inSegments = b.parentId ? '（拆分前的整张账单）' : ''
  const lines: ExplanationLine[] = [
    {
      label: b.feeItemName,
      words: calculation + inSegments,
      amount: b.parentId ? (computed?.amount ?? b.amount) : b.amount,
    },
  ]
  if (b.parentId) {
    lines.push({ label: '拆分', words: `${b.beginDate} 至 ${b.endDate} 这一张`, amount: b.amount })
  }
  if (b.discountAmount) {
    lines.push({
      label: '减免',
      words: `应收 ${formatYuan(b.amount)} − ${formatYuan(b.discountAmount)}`,
      amount: b.receivable,
    })
  }
  return { lines, exact: computed === undefined || b.parentId !== undefined || computed.amount === b.amount }
}

export const explainHandlers = [
  reads(getBill, async ({ id }, { db, scope, today, now }) => {
    const b = await requireById(db, bill, scope, id)
    const ruleOf = await findBillRules(db, scope.ownerId, [b])
    const late = (await computeLateFees(db, scope.ownerId, [b], today)).get(id) ?? b.lateFeeDue
    const [beside, moves, adjusts, notices, children] = await Promise.all([
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
              and ${live('p')}
              and p.replaces_bill_id = t.id
          ) as replaced_by_no
        from bill t
        where t.owner_id = ${scope.ownerId} and t.id = ${id}
      `),
      db.rows<{ day: Day; principal: string; lateFee: string }>(
        sql`
          select day, principal::text, late_fee::text
          from bill_move
          where owner_id = ${scope.ownerId} and bill_id = ${id}
          order by day, id
        `,
      ),
      db.rows<{
        time: string
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
          where a.owner_id = ${scope.ownerId} and a.bill_id = ${id} and ${live('a')}
          order by a.id desc
          limit 100
        `,
      ),
      findAll(
        db,
        feeNotice,
        scope,
        { order: '-id' },
        {
          where: [
            sql`(
              t.source_code = ${b.sourceCode} ${b.payerId === undefined ? sql`` : sql`or t.payer_id = ${b.payerId}`}
            )
              and ${String(id)} = any(t.bill_ids)`,
          ],
          limit: 50,
        },
      ),
      b.state === 'split'
        ? findAll(db, bill, scope, { order: 'id' }, { where: [sql`t.parent_id = ${id}`] })
        : Promise.resolve([]),
    ])
    const { lines, exact } = explainPrincipal(b)
    const lateUnpaidNow = late - b.lateFeePaid - b.lateFeeWaived
    // What it owes today, not what the night's job last wrote (LATE-12).
    const asOf: Bill = {
      ...b,
      lateFeeDue: late,
      lateFeeUnpaid: lateUnpaidNow,
      unpaid: b.unpaidPrincipal + lateUnpaidNow,
    }
    return {
      ...presentBills([asOf], scope, today, now)[0]!,
      ...beside,
      exact,
      explanation: [...lines, ...explainLateFee(b, ruleOf(b).late, today, late)],
      moves: moves.map(m => ({
        day: m.day,
        principal: parseYuan(m.principal),
        lateFee: parseYuan(m.lateFee),
      })),
      adjusts: adjusts.map(({ type, ...a }) => ({
        ...a,
        adjustType: keyOf(adjustType, type)!,
        amount: parseYuan(a.amount),
      })),
      notices: notices.map(n => ({
        id: n.id,
        time: n.sendTime ?? n.createTime!,
        channel: n.channel,
        level: n.level,
        state: n.state,
        content: n.content,
        ...(n.promiseDate ? { promiseDate: n.promiseDate } : {}),
      })),
      ...(children.length
        ? {
            children: children.map(c => ({
              id: c.id,
              billNo: c.billNo,
              beginDate: c.beginDate,
              endDate: c.endDate,
              receivable: c.receivable,
              unpaid: c.unpaid,
            })),
          }
        : {}),
    }
  }),
  reads(getBillHistory, async ({ id }, { db, scope }) => {
    const b = await requireById(db, bill, scope, id)
    const fields = bill.fields as unknown as Readonly<Record<string, Field>>
    const entries = await db.rows<{
      time: string
      operatorName: string
      action: string
      before?: Record<string, unknown>
      after?: Record<string, unknown>
      reason?: string
    }>(
      sql`
        select create_time as time, operator_name, action, before, after, reason
        from audit_log
        where owner_id = ${scope.ownerId} and entity = 'bill' and entity_id = ${id}
        order by create_time desc, id desc
        limit 200
      `,
    )
    const created = entries.some(a => a.action === 'insert')
      ? []
      : [
          {
            time: b.createTime!,
            operatorName: '系统',
            what: '生成',
            newValue: b.batchNo ? `批次 ${b.batchNo}` : formatYuan(b.amount),
          },
        ]
    return [
      ...entries.flatMap(a => {
        if (a.action === 'insert')
          return [
            {
              time: a.time,
              operatorName: a.operatorName,
              what: '生成',
              newValue: formatYuan(b.amount),
              ...(a.reason ? { reason: a.reason } : {}),
            },
          ]
        const keys = Object.keys(a.after ?? a.before ?? {}).filter(
          k => fields[k] && !['payState'].includes(k),
        )
        return keys.map(k => ({
          time: a.time,
          operatorName: a.operatorName,
          what: fields[k]!.label,
          ...(a.before?.[k] === undefined || a.before[k] === null
            ? {}
            : { oldValue: formatValue(a.before[k], fields[k]!) }),
          ...(a.after?.[k] === undefined || a.after[k] === null
            ? {}
            : { newValue: formatValue(a.after[k], fields[k]!) }),
          ...(a.reason ? { reason: a.reason } : {}),
        }))
      }),
      ...created,
    ]
  }),
]
