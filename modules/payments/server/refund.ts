import { formatYuan, parseYuan, sumFen, type Fen } from '#kit/domain/money.ts'
import { dayOfMoment, type Moment } from '#kit/domain/moment.ts'
import { codeOf } from '#kit/contract/field.ts'
import { Refused, code, refuse, wrong } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handle.ts'
import type { Scope } from '#kit/server/scope.ts'
import { insert, need, page } from '#kit/server/table.ts'
import { giveBack, refundRefusal, undoMoney } from '#modules/bills/server/public.ts'
import { payMethod } from '../contract/choices.ts'
import { payRecord, type PayRecord } from '../contract/record.ts'
import {
  askRefund,
  auditRefund,
  cancelRefund,
  feeRefund,
  listRefunds,
  oneRefund,
  retryRefund,
  type FeeRefund,
} from '../contract/refund.ts'
import {
  auditRefusal,
  intoInvoiced,
  refundStates,
  wishFaults,
  wished,
  type RefundState,
} from '../domain/refund.ts'
import { channelOf } from './channels.ts'
import { detailsOf } from './record.ts'
import { refundAuditFrom, refundWithInvoice } from './settings.ts'
import { dayLock, holdDays, openDay, payingFor } from './settle.ts'
import { purseOf, tellPaid, type PayMethod } from './tenders.ts'
import { sealed } from './void.ts'

type Line = FeeRefund['lines'][number]
const live = "('10', '20', '60')"

/** What refunds under way ask of each detail of a record. */
async function asked(
  tx: Tx,
  owner: number,
  record: number,
  but = 0,
): Promise<ReadonlyMap<number, { principal: Fen; late: Fen }>> {
  const rows = await tx.rows<{
    id: number
    principal: number
    late: number
  }>(sql`
    select (l->>'detailId')::int as id, sum((l->>'principal')::bigint)::bigint as principal,
      sum((l->>'late')::bigint)::bigint as late
    from fee_refund r, jsonb_array_elements(r.lines) l
    where r.owner_id = ${owner}
      and r.record_id = ${record}
      and r.id <> ${but}
      and r.state::text in ${sql.raw(live)}
      and r.delete_tag = 0
    group by 1
  `)
  return new Map(rows.map(r => [r.id, r]))
}

const move = (f: FeeRefund, to: RefundState): void => {
  const no = refundStates.check(f.state, to)
  if (no) refuse(no)
}

const set = async (
  tx: Tx,
  scope: Scope,
  f: FeeRefund,
  state: RefundState,
  more: object,
  reason?: string,
): Promise<void> => {
  const cols = Object.entries({
    ...more,
    state: { pending: 10, doing: 20, done: 30, rejected: 40, cancelled: 50, failed: 60 }[state],
  })
  await tx.run(
    sql`
      update fee_refund
      set ${sql.join(cols.map(([k, v]) => sql`${sql.id(k)} = ${v}`))}, version = version + 1,
        update_time = now(), update_by = ${scope.operatorId}
      where owner_id = ${scope.ownerId} and id = ${f.id}
    `,
  )
  await audit(tx, scope, [
    {
      action: 'state',
      entity: 'feeRefund',
      entityId: f.id,
      projectCode: f.projectCode,
      before: { state: f.state },
      after: { state, ...more },
      reason,
    },
  ])
}

const refunding = (tx: Tx, owner: number, record: number, by: Fen): Promise<number> =>
  tx.run(
    sql`
      update pay_record
      set refunding_amount = refunding_amount + ${formatYuan(by)}
      where owner_id = ${owner} and id = ${record}
    `,
  )

/** How the money leaves: prestore back to its purse first (REF-9), the rest as the way says. */
function waysOut(
  r: PayRecord,
  amount: Fen,
  way: FeeRefund['refundWay'],
  prestoreBack: Fen,
): readonly { readonly method: PayMethod; readonly amount: Fen }[] {
  if (way === 'prestore') return [{ method: 'prestore', amount }]
  const fromPurse = Math.min(amount, Math.max(0, r.prestoreAmount - prestoreBack))
  const rest = amount - fromPurse
  const money: PayMethod =
    way === 'cash'
      ? 'cash'
      : way === 'transfer'
        ? 'transfer'
        : (r.methods.find(m => m.method !== 'prestore')?.method ?? 'cash')
  return [
    ...(fromPurse ? [{ method: 'prestore' as const, amount: fromPurse }] : []),
    ...(rest ? [{ method: money, amount: rest }] : []),
  ]
}

/**
 * REF-5: a negative record of today (whose day the caller holds already: `holdToday`), bills changed as
 * asked, the payment's own sums; all at once. It stands in the till of who asked for it: the payer is at his
 * counter, the one who agrees may be anywhere (PAY-23).
 */
export async function finish(
  tx: Tx,
  scope: Scope,
  f: FeeRefund,
  now: Moment,
  channelNo?: string,
): Promise<void> {
  const owner = scope.ownerId
  const day = dayOfMoment(now)
  await dayLock(tx, owner, f.projectCode, day)
  await openDay(tx, owner, f.projectCode, day)
  const r = await need(tx, payRecord, scope, f.recordId, true)
  const details = await detailsOf(tx, owner, r.id, true)
  const by = new Map(details.map(d => [d.id, d]))
  const about = { ...payingFor(r, details), at: now }
  const back = (await tx.one<{ sum: string }>(
    sql`
      select coalesce(-sum(l.amount), 0)::text as sum
      from pay_record n
      join pay_line l on l.owner_id = n.owner_id and l.record_id = n.id
      where n.owner_id = ${owner}
        and n.origin_record_id = ${r.id}
        and n.record_type = 20
        and n.state <> 40
        and l.method = 200
    `,
  ))!.sum
  const ways = waysOut(r, f.amount, f.refundWay, parseYuan(back))
  const principal = sumFen(f.lines.map(l => l.principal))
  const late = sumFen(f.lines.map(l => l.late))
  const neg = (await tx.one<{
    id: number
  }>(sql`
    insert into pay_record (
      owner_id, create_by, update_by, project_code, record_no, record_type, source_name, build_code,
      payer_kind, payer_id, payer_name, principal_amount, late_fee_amount, received_amount, prestore_amount,
      pay_method, methods, pay_time, pay_day, cashier_id, cashier_name, origin_record_id, remark, state
    )
    select ${owner}, ${scope.operatorId}, ${scope.operatorId}, o.project_code, next_code('TK'), 20,
      o.source_name, o.build_code, o.payer_kind, o.payer_id, o.payer_name, ${formatYuan(-principal)},
      ${formatYuan(-late)}, ${formatYuan(-f.amount)},
      ${formatYuan(-sumFen(ways.filter(w => w.method === 'prestore').map(w => w.amount)))},
      ${codeOf(payMethod, ways.at(-1)!.method)},
      ${JSON.stringify(ways.map(w => ({ ...w, amount: -w.amount })))}, ${now}, ${day}, ${f.applyBy},
      ${f.applyName}, o.id, ${f.reason}, 10
    from pay_record o
    where o.owner_id = ${owner} and o.id = ${r.id}
    returning id
  `))!.id
  const lines = f.lines.map(l => ({
    id: l.detailId,
    principal: formatYuan(l.principal),
    late: formatYuan(l.late),
  }))
  await tx.run(sql`
    with l as (
      select *
      from json_to_recordset(${JSON.stringify(lines)}::json) as l(
        id bigint, principal numeric, late numeric
      )
    ),
      o as (
        update pay_detail d
        set refunded_principal = d.refunded_principal + l.principal,
          refunded_late_fee = d.refunded_late_fee + l.late
        from l
        where d.owner_id = ${owner} and d.id = l.id
        returning d.*, l.principal as p, l.late as x
      ),
      w as (
        insert into pay_line (owner_id, record_id, seq, method, amount)
        select ${owner}::bigint, ${neg}::bigint, w.seq, w.method, w.amount
        from json_to_recordset(
          ${JSON.stringify(ways.map((w, seq) => ({ seq, method: codeOf(payMethod, w.method), amount: formatYuan(-w.amount) })))}::json
        ) as w(seq smallint, method smallint, amount numeric)
      )
    insert into pay_detail (
      owner_id, create_by, update_by, record_id, bill_id, bill_no, source_type, source_code, source_name,
      fee_item_id, fee_item_name, begin_date, end_date, principal, late_fee
    )
    select ${owner}::bigint, ${scope.operatorId}::bigint, ${scope.operatorId}::bigint, ${neg}::bigint,
      o.bill_id, o.bill_no, o.source_type, o.source_code, o.source_name, o.fee_item_id, o.fee_item_name,
      o.begin_date, o.end_date, -o.p, -o.x
    from o
  `)
  await tx.run(sql`
    update pay_record
    set refunded_amount = refunded_amount + ${formatYuan(f.amount)},
      refunding_amount = refunding_amount - ${formatYuan(f.amount)}, version = version + 1,
      update_time = now(),
      state = case
        when refunded_amount + ${formatYuan(f.amount)} >= received_amount - change_amount - to_prestore then 30
        else 20
        end
    where owner_id = ${owner} and id = ${r.id}
  `)
  await giveBack(
    tx,
    scope,
    f.lines.map(l => ({ billId: by.get(l.detailId)!.billId, principal: l.principal, late: l.late })),
    f.billAfter,
    { day, from: { type: 'refund', id: f.id }, reason: f.reason },
  )
  for (const w of ways) {
    if (w.method === 'prestore') {
      await (f.refundWay === 'prestore'
        ? (purseOf('prestore') ?? refuse('没有启用预存账户，不能转预存')).keep(
            tx,
            scope,
            w.amount,
            about,
            'refund',
          )
        : purseOf('prestore')!.giveBack(tx, scope, w.amount, about))
    }
  }
  await set(tx, scope, f, 'done', {
    neg_record_id: neg,
    finish_time: now,
    ...(channelNo ? { channel_refund_no: channelNo } : {}),
  })
  await tellPaid(tx, scope, {
    recordId: r.id,
    projectCode: r.projectCode,
    days: [r.payDay, day],
    billIds: f.lines.map(l => l.billId),
    what: 'refunded',
  })
}

/** The channel says it cannot: to be tried again under the same number, or given up (C6.1). */
export const failed = (tx: Tx, scope: Scope, f: FeeRefund, why: string): Promise<void> => {
  move(f, 'failed')
  return set(tx, scope, f, 'failed', { fail_reason: why.slice(0, 200), query_time: null }, why)
}

/** Approved: paid out at once, or asked of the channel that had brought the money (REF-4). */
async function begin(tx: Tx, scope: Scope, f: FeeRefund, now: Moment): Promise<void> {
  const r = await need(tx, payRecord, scope, f.recordId)
  if (f.refundWay === 'original' && channelOf(r.payMethod) !== undefined) {
    await set(tx, scope, f, 'doing', { query_time: now })
  } else {
    await set(tx, scope, f, 'doing', {})
    await finish(tx, scope, { ...f, state: 'doing' }, now)
  }
}

/** A refund is of the day on which it is paid out; the day is held before the record. */
export async function holdToday(
  tx: Tx,
  scope: Scope,
  of: typeof payRecord | typeof feeRefund,
  id: number,
  now: Moment,
): Promise<void> {
  const { projectCode } = await need(tx, of as typeof payRecord, scope, id)
  await holdDays(tx, scope.ownerId, projectCode, [dayOfMoment(now)])
}

export const refundHandlers = [
  reads(listRefunds, (q, { db, scope }) =>
    page(db, feeRefund, scope, q, {
      filters: [
        'recordId',
        'refundWay',
        'billAfter',
        'state',
        'amount',
        'buildCode',
        'createTime',
        'finishTime',
      ],
      sums: ['amount'],
    }),
  ),
  reads(oneRefund, ({ id }, { db, scope }) => need(db, feeRefund, scope, id)),
  writes(askRefund, async ({ recordId, lines, refundWay: way, billAfter, reason }, { tx, scope, now }) => {
    await holdToday(tx, scope, payRecord, recordId, now)
    const r = await need(tx, payRecord, scope, recordId, true)
    if (r.recordType !== 'payment' && r.recordType !== 'deduction') refuse('只有收款和冲抵可以这样退款')
    if (r.state === 'voided' || r.state === 'refunded')
      refuse(r.state === 'voided' ? '该收款已作废' : '该收款已全部退款')
    const details = await detailsOf(tx, scope.ownerId, r.id, true)
    const others = await asked(tx, scope.ownerId, r.id)
    const amount = wished(lines)
    const parts = details.map(d => ({
      id: d.id,
      billNo: d.billNo,
      principal: d.principal,
      late: d.lateFee,
      backPrincipal: d.refundedPrincipal,
      backLate: d.refundedLateFee,
      askedPrincipal: others.get(d.id)?.principal ?? 0,
      askedLate: others.get(d.id)?.late ?? 0,
      invoiced: d.invoicedAmount,
    }))
    const faults = wishFaults(parts, lines)
    if (faults.length)
      throw wrong(faults.map(x => ({ Field: `DetailJson[${x.at}].Principal`, Message: x.message })))
    const no = refundRefusal(
      {
        received: r.receivedAmount,
        change: r.changeAmount + r.toPrestore,
        refunded: r.refundedAmount,
        refunding: r.refundingAmount,
        invoiced: intoInvoiced(parts, lines),
      },
      amount,
      await refundWithInvoice(tx, scope.ownerId, r.projectCode),
    )
    if (no) refuse(no)
    if (way === 'prestore' && !purseOf('prestore'))
      throw wrong([{ Field: 'RefundWay', Message: '没有启用预存账户，不能转预存' }])
    const by = new Map(details.map(d => [d.id, d]))
    const filled: Line[] = lines.map(l => ({ ...l, billId: by.get(l.detailId)!.billId }))
    const number = (await tx.one<{ code: string }>(sql`select next_code('TKD') as code`))!.code
    const made = await insert(tx, feeRefund, scope, {
      projectCode: r.projectCode,
      refundNo: number,
      recordId: r.id,
      sourceName: r.sourceName,
      buildCode: r.buildCode,
      payerName: r.payerName,
      lines: filled,
      amount,
      refundWay: way,
      billAfter,
      reason,
      applyBy: scope.operatorId,
      applyName: scope.name,
      state: 'pending',
    })
    await refunding(tx, scope.ownerId, r.id, amount)
    if (amount < (await refundAuditFrom(tx, scope.ownerId, r.projectCode))) {
      await begin(tx, scope, made, now)
    }
    return need(tx, feeRefund, scope, made.id)
  }),
  writes(auditRefund, async ({ id, pass, note }, { tx, scope, now }) => {
    await holdToday(tx, scope, feeRefund, id, now)
    const f = await need(tx, feeRefund, scope, id, true)
    const no = auditRefusal(f.applyBy, scope.operatorId)
    move(f, pass ? 'doing' : 'rejected')
    if (no) throw new Refused(code.input, no)
    if (!pass && !note?.trim()) throw wrong([{ Field: 'Note', Message: '请填写驳回的原因' }])
    await tx.run(
      sql`
        update fee_refund
        set audit_by = ${scope.operatorId}, audit_name = ${scope.name}, audit_time = ${now},
          audit_note = ${note ?? null}
        where owner_id = ${scope.ownerId} and id = ${id}
      `,
    )
    if (pass) {
      await begin(tx, scope, f, now)
    } else {
      await refunding(tx, scope.ownerId, f.recordId, -f.amount)
      await set(tx, scope, f, 'rejected', {}, note)
    }
    return need(tx, feeRefund, scope, id)
  }),
  writes(cancelRefund, async ({ id, reason }, { tx, scope, now }) => {
    await holdToday(tx, scope, feeRefund, id, now)
    const f = await need(tx, feeRefund, scope, id, true)
    move(f, 'cancelled')
    const r = await need(tx, payRecord, scope, f.recordId, true)
    if (f.state === 'doing' && channelOf(r.payMethod) !== undefined)
      refuse('退款已提交支付渠道，不能取消；请等渠道的结果')
    if (f.state === 'done') {
      await reverse(tx, scope, f, r, now)
    } else {
      await refunding(tx, scope.ownerId, f.recordId, -f.amount)
    }
    await set(tx, scope, f, 'cancelled', {}, reason)
    return need(tx, feeRefund, scope, id)
  }),
  writes(retryRefund, async ({ id }, { tx, scope, now }) => {
    await holdToday(tx, scope, feeRefund, id, now)
    const f = await need(tx, feeRefund, scope, id, true)
    move(f, 'doing')
    await begin(tx, scope, f, now)
    return need(tx, feeRefund, scope, id)
  }),
]

/** REF-6: an offline refund of today taken back: its negative record is voided, the bills are paid again. */
async function reverse(tx: Tx, scope: Scope, f: FeeRefund, r: PayRecord, now: Moment): Promise<void> {
  const today = dayOfMoment(now)
  if (f.refundWay === 'original' && channelOf(r.payMethod) !== undefined) refuse('线上退款已完成，不能取消')
  if (f.finishTime === undefined || dayOfMoment(f.finishTime) !== today) refuse('只能撤销当天完成的退款')
  if (f.billAfter !== 'owed') refuse('账单已随退款作废或减免，不能撤销退款；请恢复账单后重新收款')
  await dayLock(tx, scope.ownerId, f.projectCode, today)
  await openDay(tx, scope.ownerId, f.projectCode, today)
  const details = await detailsOf(tx, scope.ownerId, r.id, true)
  const about = { ...payingFor(r, details), at: now }
  const neg = await need(tx, payRecord, scope, f.negRecordId!, true)
  await sealed(tx, scope.ownerId, neg, '该退款已交账确认，不能撤销；请重新收款')
  await undoMoney(tx, scope, { type: 'refund', id: f.id }, r.payTime)
  for (const m of neg.methods) {
    if (m.method === 'prestore') {
      await (f.refundWay === 'prestore'
        ? purseOf('prestore')!.unkeep(tx, scope, -m.amount, about)
        : purseOf('prestore')!.take(tx, scope, -m.amount, about))
    }
  }
  await tx.run(sql`
    with l as (
      select (l->>'detailId')::bigint as id, (l->>'principal')::numeric / 100 as p,
        (l->>'late')::numeric / 100 as x
      from jsonb_array_elements(${JSON.stringify(f.lines)}::jsonb) l
    )
    update pay_detail d
    set refunded_principal = d.refunded_principal - l.p, refunded_late_fee = d.refunded_late_fee - l.x
    from l
    where d.owner_id = ${scope.ownerId} and d.id = l.id
  `)
  await tx.run(
    sql`
      update pay_record
      set state = 40, void_reason = '退款已撤销'
      where owner_id = ${scope.ownerId} and id = ${neg.id}
    `,
  )
  await tx.run(
    sql`
      update pay_record
      set refunded_amount = refunded_amount - ${formatYuan(f.amount)},
        state = case when refunded_amount > ${formatYuan(f.amount)} then 20 else 10 end
      where owner_id = ${scope.ownerId} and id = ${r.id}
    `,
  )
  await tellPaid(tx, scope, {
    recordId: r.id,
    projectCode: r.projectCode,
    days: [r.payDay, today],
    billIds: f.lines.map(l => l.billId),
    what: 'paid',
  })
}
