import { formatYuan, parseYuan, sumFen, type Fen } from '#kit/domain/money.ts'
import { dayOfMoment, type Moment } from '#kit/domain/moment.ts'
import { codeOf } from '#kit/contract/field.ts'
import { Refused, resultCode, refuse, invalidInput } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { insert, requireById, findPage } from '#kit/server/table.ts'
import { live, touch } from '#kit/server/sql.ts'
import { bookRefund, refundRefusal, undoBooking } from '#modules/bills/server/public.ts'
import { payMethod } from '../contract/choices.ts'
import { payRecord, type PayRecord } from '../contract/record.ts'
import {
  requestRefund,
  auditRefund,
  cancelRefund,
  feeRefund,
  listRefunds,
  getRefund,
  retryRefund,
  type FeeRefund,
} from '../contract/refund.ts'
import {
  auditRefusal,
  hasInvoicedPart,
  refundStates,
  findRefundLineFaults,
  sumRefundLines,
  type RefundState,
} from '../domain/refund.ts'
import { channelOfMethod } from './method-channel.ts'
import { findDetails } from './record.ts'
import { getRefundAuditThreshold, canRefundInvoiced } from './settings.ts'
import { lockDay, lockDays, assertDayOpen, paymentContextOfRecord } from './settlement.ts'
import { tenderProviderOf, publishPaid, type PayMethod } from './tenders.ts'
import { assertNotHandedOver } from './void.ts'

type RefundLineRow = FeeRefund['lines'][number]
const liveStates = "('10', '20', '60')"

/** What refunds under way ask of each detail of a record. */
async function findPendingAmounts(
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
      and r.state::text in ${sql.raw(liveStates)}
      and ${live('r')}
    group by 1
  `)
  return new Map(rows.map(r => [r.id, r]))
}

const assertTransition = (f: FeeRefund, to: RefundState): void => {
  const no = refundStates.checkTransition(f.state, to)
  if (no) refuse(no)
}

const setRefundState = async (
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
  await tx.execute(
    sql`
      update fee_refund
      set ${sql.join(cols.map(([k, v]) => sql`${sql.id(k)} = ${v}`))}, ${touch(scope)}
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

const addRefundingAmount = (tx: Tx, owner: number, record: number, by: Fen): Promise<number> =>
  tx.execute(
    sql`
      update pay_record
      set refunding_amount = refunding_amount + ${formatYuan(by)}
      where owner_id = ${owner} and id = ${record}
    `,
  )

/** How the money leaves: prestore back to its purse first (REF-9), the rest as the way says. */
function refundTenders(
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
 * REF-5: a negative record of today (whose day the caller holds already: `lockToday`), bills changed as
 * asked, the payment's own sums; all at once. It stands in the till of who asked for it: the payer is at his
 * counter, the one who agrees may be anywhere (PAY-23).
 */
export async function finishRefund(
  tx: Tx,
  scope: Scope,
  f: FeeRefund,
  now: Moment,
  channelNo?: string,
): Promise<void> {
  const owner = scope.ownerId
  const day = dayOfMoment(now)
  await lockDay(tx, owner, f.projectCode, day)
  await assertDayOpen(tx, owner, f.projectCode, day)
  const r = await requireById(tx, payRecord, scope, f.recordId, true)
  const details = await findDetails(tx, owner, r.id, true)
  const by = new Map(details.map(d => [d.id, d]))
  const about = { ...paymentContextOfRecord(r, details), at: now }
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
  const ways = refundTenders(r, f.amount, f.refundWay, parseYuan(back))
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
  await tx.execute(sql`
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
  await tx.execute(sql`
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
  await bookRefund(
    tx,
    scope,
    f.lines.map(l => ({ billId: by.get(l.detailId)!.billId, principal: l.principal, late: l.late })),
    f.billAfter,
    { day, from: { type: 'refund', id: f.id }, reason: f.reason },
  )
  for (const w of ways) {
    if (w.method === 'prestore') {
      await (f.refundWay === 'prestore'
        ? (tenderProviderOf('prestore') ?? refuse('没有启用预存账户，不能转预存')).credit(
            tx,
            scope,
            w.amount,
            about,
            'refund',
          )
        : tenderProviderOf('prestore')!.reverseDebit(tx, scope, w.amount, about))
    }
  }
  await setRefundState(tx, scope, f, 'done', {
    neg_record_id: neg,
    finish_time: now,
    ...(channelNo ? { channel_refund_no: channelNo } : {}),
  })
  await publishPaid(tx, scope, {
    recordId: r.id,
    projectCode: r.projectCode,
    days: [r.payDay, day],
    billIds: f.lines.map(l => l.billId),
    kind: 'refunded',
  })
}

/** The channel says it cannot: to be tried again under the same number, or given up (C6.1). */
export const failRefund = (tx: Tx, scope: Scope, f: FeeRefund, why: string): Promise<void> => {
  assertTransition(f, 'failed')
  return setRefundState(tx, scope, f, 'failed', { fail_reason: why.slice(0, 200), query_time: null }, why)
}

/** Approved: paid out at once, or asked of the channel that had brought the money (REF-4). */
async function startRefund(tx: Tx, scope: Scope, f: FeeRefund, now: Moment): Promise<void> {
  const r = await requireById(tx, payRecord, scope, f.recordId)
  if (f.refundWay === 'original' && channelOfMethod(r.payMethod) !== undefined) {
    await setRefundState(tx, scope, f, 'doing', { query_time: now })
  } else {
    await setRefundState(tx, scope, f, 'doing', {})
    await finishRefund(tx, scope, { ...f, state: 'doing' }, now)
  }
}

/** A refund is of the day on which it is paid out; the day is held before the record. */
export async function lockToday(
  tx: Tx,
  scope: Scope,
  of: typeof payRecord | typeof feeRefund,
  id: number,
  now: Moment,
): Promise<void> {
  const { projectCode } = await requireById(tx, of as typeof payRecord, scope, id)
  await lockDays(tx, scope.ownerId, projectCode, [dayOfMoment(now)])
}

export const refundHandlers = [
  reads(listRefunds, (q, { db, scope }) =>
    findPage(db, feeRefund, scope, q, {
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
  reads(getRefund, ({ id }, { db, scope }) => requireById(db, feeRefund, scope, id)),
  writes(
    requestRefund,
    async ({ recordId, lines, refundWay: way, billAfter, reason }, { tx, scope, now }) => {
      await lockToday(tx, scope, payRecord, recordId, now)
      const r = await requireById(tx, payRecord, scope, recordId, true)
      if (r.recordType !== 'payment' && r.recordType !== 'deduction') refuse('只有收款和冲抵可以这样退款')
      if (r.state === 'voided' || r.state === 'refunded')
        refuse(r.state === 'voided' ? '该收款已作废' : '该收款已全部退款')
      const details = await findDetails(tx, scope.ownerId, r.id, true)
      const others = await findPendingAmounts(tx, scope.ownerId, r.id)
      const amount = sumRefundLines(lines)
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
      const faults = findRefundLineFaults(parts, lines)
      if (faults.length)
        throw invalidInput(faults.map(x => ({ Field: `DetailJson[${x.at}].Principal`, Message: x.message })))
      const no = refundRefusal(
        {
          received: r.receivedAmount,
          change: r.changeAmount + r.toPrestore,
          refunded: r.refundedAmount,
          refunding: r.refundingAmount,
          invoiced: hasInvoicedPart(parts, lines),
        },
        amount,
        await canRefundInvoiced(tx, scope.ownerId, r.projectCode),
      )
      if (no) refuse(no)
      if (way === 'prestore' && !tenderProviderOf('prestore'))
        throw invalidInput([{ Field: 'RefundWay', Message: '没有启用预存账户，不能转预存' }])
      const by = new Map(details.map(d => [d.id, d]))
      const filled: RefundLineRow[] = lines.map(l => ({ ...l, billId: by.get(l.detailId)!.billId }))
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
      await addRefundingAmount(tx, scope.ownerId, r.id, amount)
      if (amount < (await getRefundAuditThreshold(tx, scope.ownerId, r.projectCode))) {
        await startRefund(tx, scope, made, now)
      }
      return requireById(tx, feeRefund, scope, made.id)
    },
  ),
  writes(auditRefund, async ({ id, pass, note }, { tx, scope, now }) => {
    await lockToday(tx, scope, feeRefund, id, now)
    const f = await requireById(tx, feeRefund, scope, id, true)
    const no = auditRefusal(f.applyBy, scope.operatorId)
    assertTransition(f, pass ? 'doing' : 'rejected')
    if (no) throw new Refused(resultCode.invalidInput, no)
    if (!pass && !note?.trim()) throw invalidInput([{ Field: 'Note', Message: '请填写驳回的原因' }])
    await tx.execute(
      sql`
        update fee_refund
        set audit_by = ${scope.operatorId}, audit_name = ${scope.name}, audit_time = ${now},
          audit_note = ${note ?? null}
        where owner_id = ${scope.ownerId} and id = ${id}
      `,
    )
    if (pass) {
      await startRefund(tx, scope, f, now)
    } else {
      await addRefundingAmount(tx, scope.ownerId, f.recordId, -f.amount)
      await setRefundState(tx, scope, f, 'rejected', {}, note)
    }
    return requireById(tx, feeRefund, scope, id)
  }),
  writes(cancelRefund, async ({ id, reason }, { tx, scope, now }) => {
    await lockToday(tx, scope, feeRefund, id, now)
    const f = await requireById(tx, feeRefund, scope, id, true)
    assertTransition(f, 'cancelled')
    const r = await requireById(tx, payRecord, scope, f.recordId, true)
    if (f.state === 'doing' && channelOfMethod(r.payMethod) !== undefined)
      refuse('退款已提交支付渠道，不能取消；请等渠道的结果')
    if (f.state === 'done') {
      await reverseRefund(tx, scope, f, r, now)
    } else {
      await addRefundingAmount(tx, scope.ownerId, f.recordId, -f.amount)
    }
    await setRefundState(tx, scope, f, 'cancelled', {}, reason)
    return requireById(tx, feeRefund, scope, id)
  }),
  writes(retryRefund, async ({ id }, { tx, scope, now }) => {
    await lockToday(tx, scope, feeRefund, id, now)
    const f = await requireById(tx, feeRefund, scope, id, true)
    assertTransition(f, 'doing')
    await startRefund(tx, scope, f, now)
    return requireById(tx, feeRefund, scope, id)
  }),
]

/** REF-6: an offline refund of today taken back: its negative record is voided, the bills are paid again. */
async function reverseRefund(tx: Tx, scope: Scope, f: FeeRefund, r: PayRecord, now: Moment): Promise<void> {
  const today = dayOfMoment(now)
  if (f.refundWay === 'original' && channelOfMethod(r.payMethod) !== undefined)
    refuse('线上退款已完成，不能取消')
  if (f.finishTime === undefined || dayOfMoment(f.finishTime) !== today) refuse('只能撤销当天完成的退款')
  if (f.billAfter !== 'owed') refuse('账单已随退款作废或减免，不能撤销退款；请恢复账单后重新收款')
  await lockDay(tx, scope.ownerId, f.projectCode, today)
  await assertDayOpen(tx, scope.ownerId, f.projectCode, today)
  const details = await findDetails(tx, scope.ownerId, r.id, true)
  const about = { ...paymentContextOfRecord(r, details), at: now }
  const neg = await requireById(tx, payRecord, scope, f.negRecordId!, true)
  await assertNotHandedOver(tx, scope.ownerId, neg, '该退款已交账确认，不能撤销；请重新收款')
  await undoBooking(tx, scope, { type: 'refund', id: f.id }, r.payTime)
  for (const m of neg.methods) {
    if (m.method === 'prestore') {
      await (f.refundWay === 'prestore'
        ? tenderProviderOf('prestore')!.reverseCredit(tx, scope, -m.amount, about)
        : tenderProviderOf('prestore')!.debit(tx, scope, -m.amount, about))
    }
  }
  await tx.execute(sql`
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
  await tx.execute(
    sql`
      update pay_record
      set state = 40, void_reason = '退款已撤销'
      where owner_id = ${scope.ownerId} and id = ${neg.id}
    `,
  )
  await tx.execute(
    sql`
      update pay_record
      set refunded_amount = refunded_amount - ${formatYuan(f.amount)},
        state = case when refunded_amount > ${formatYuan(f.amount)} then 20 else 10 end
      where owner_id = ${scope.ownerId} and id = ${r.id}
    `,
  )
  await publishPaid(tx, scope, {
    recordId: r.id,
    projectCode: r.projectCode,
    days: [r.payDay, today],
    billIds: f.lines.map(l => l.billId),
    kind: 'paid',
  })
}
