import type { Day } from '#kit/domain/day.ts'
import { formatYuan, sumFen, type Fen } from '#kit/domain/money.ts'
import { dayOfMoment, type Moment } from '#kit/domain/moment.ts'
import { codeOf, type ChoiceOf } from '#kit/contract/field.ts'
import { refuse } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type RawBuilder, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { live } from '#kit/server/sql.ts'
import { bookPayment, type PayableBill, type Allocation } from '#modules/bills/server/public.ts'
import { payerSide, sourceType } from '#modules/fees/contract/choices.ts'
import { payMethod, recordType } from '../contract/choices.ts'
import { nextReceiptNumber } from './receipt-number.ts'
import type { PayDetail, PayRecord } from '../contract/record.ts'
import { tenderProviderOf, publishPaid, type PayMethod, type PaymentContext } from './tenders.ts'

export interface Tender {
  readonly method: PayMethod
  readonly amount: Fen
}

export interface Payer {
  readonly kind?: 'resident' | 'company' | undefined
  readonly id?: number | undefined
  readonly name?: string | undefined
}

export interface SettleInput {
  readonly projectCode: string
  readonly type: ChoiceOf<typeof recordType>
  /** Bills as `standings` locked them, and what each gets; empty for money without bills. */
  readonly bills: readonly PayableBill[]
  readonly allocations: readonly Allocation[]
  /** Σ tenders = Σ takes + change + kept + held. */
  readonly tenders: readonly Tender[]
  readonly change: Fen
  /** Money that stays the payer's in a ledger of its own (a deposit): neither for bills nor prestore. */
  readonly depositAmount?: Fen
  /** Kept as general prestore (PAY-13). */
  readonly toPrestore: Fen
  readonly payer: Payer
  readonly sourceName?: string
  readonly order?: number | undefined
  readonly at: Moment
  readonly cashier: { readonly id: number; readonly name: string }
  readonly remark?: string | undefined
  readonly isHistory?: boolean
  /** Takes what is kept instead of the payer's general account: a top-up names its own. */
  readonly creditPrestore?: (tx: Tx, amount: Fen, recordId: number) => Promise<void>
  /** LATE-9: what is left of late fees when the principal is clear is let off. */
  readonly waiveRemainingLateFee?: boolean
}

export interface SettleResult {
  readonly recordId: number
  readonly recordNo: string
  readonly receiptNo: string
}

/**
 * Refuses money booked into a closed day (PAY-9, CLO-3). The row is read for share: a day that is being
 * closed waits for us, or we for it.
 */
export async function assertDayOpen(tx: Tx, owner: number, project: string, day: Day): Promise<void> {
  const shut = await tx.one(
    sql`
      select 1 as x
      from day_close
      where owner_id = ${owner} and project_code = ${project} and day = ${day} and closed and ${live()}
    `,
  )
  if (shut) refuse(`${day} 已日结，不能再记收退款；请选择今天的日期`)
}

/** One lock per project and day, shared by payments, held alone by the closing of the day. */
export const lockDay = (tx: Tx, owner: number, project: string, day: Day, alone = false): Promise<unknown> =>
  tx.rows(
    alone
      ? sql`select pg_advisory_xact_lock(${dayLockKey(owner, project, day)})`
      : sql`select pg_advisory_xact_lock_shared(${dayLockKey(owner, project, day)})`,
  )

/**
 * The day before everything else: who is about to move money holds its days (ascending) before he locks a
 * row. So whoever waits for a day that is being closed holds nothing, and the closing waits only for those
 * who wait for nobody who waits for it: no ring (locks.test.ts).
 */
export const lockDays = (tx: Tx, owner: number, project: string, days: readonly Day[]): Promise<unknown> =>
  tx.rows(
    sql`
      select pg_advisory_xact_lock_shared(${dayLockKey(owner, project, sql`d`)})
      from unnest(${[...new Set(days)].sort()}::text[]) as d
    `,
  )

const dayLockKey = (owner: number, project: string, day: Day | RawBuilder<any>): RawBuilder<any> =>
  sql`hashtextextended('day/' || ${project}::text || '/' || ${day}::text, ${owner})`

const sourceNamesOf = (bills: readonly PayableBill[]): string => {
  const names = [...new Set(bills.map(b => b.row.sourceName))]
  return names.length > 2 ? `${names[0]} 等 ${names.length} 个` : names.join('、')
}

/** Whom and what money is for, as purses and listeners must know it. */
export const paymentContextOf = (
  recordId: number,
  s: Pick<SettleInput, 'projectCode' | 'bills' | 'payer' | 'allocations'>,
): PaymentContext => {
  const by = new Map(s.bills.map(b => [b.row.id, b.row]))
  return buildPaymentContext(
    recordId,
    s.projectCode,
    s.payer,
    s.allocations.map(t => {
      const b = by.get(t.billId)!
      return {
        billId: b.id,
        sourceType: b.sourceType,
        sourceCode: b.sourceCode,
        feeItemId: b.feeItemId,
        principal: t.principal,
        lateFee: t.late,
      }
    }),
  )
}

interface PaidPart {
  readonly billId: number
  readonly sourceType: string
  readonly sourceCode: string
  readonly feeItemId: number
  readonly principal: Fen
  readonly lateFee: Fen
}

export const buildPaymentContext = (
  recordId: number,
  projectCode: string,
  payer: Payer,
  list: readonly PaidPart[],
): PaymentContext => ({
  recordId,
  projectCode,
  payer,
  sources: [
    ...new Map(
      list.map(d => [
        `${d.sourceType}/${d.sourceCode}`,
        { sourceType: d.sourceType, sourceCode: d.sourceCode },
      ]),
    ).values(),
  ],
  shares: list.map(d => ({ billId: d.billId, itemId: d.feeItemId, amount: d.principal + d.lateFee })),
})

/** What a stored record and its details tell the ways of paying. */
export const paymentContextOfRecord = (r: PayRecord, details: readonly PayDetail[]): PaymentContext =>
  buildPaymentContext(r.id, r.projectCode, { kind: r.payerKind, id: r.payerId, name: r.payerName }, details)

const mainMethodOf = (tenders: readonly Tender[]): PayMethod =>
  tenders.reduce((a, b) => (b.amount > a.amount ? b : a)).method

/**
 * One payment, whole or not at all (PAY-4): the record with its gapless receipt, what each bill got, the ways
 * of paying, the bills, prestore. The caller has locked the bills and checked the amounts; an order is
 * settled once by the unique key of its record. Locks are taken in one order, the day (`lockDays`), bills,
 * prestore, and the receipt's counter at last: everybody who is paid in the project waits for that one.
 */
export async function settle(tx: Tx, scope: Scope, s: SettleInput): Promise<SettleResult> {
  const day = dayOfMoment(s.at)
  const owner = scope.ownerId
  const principal = sumFen(s.allocations.map(t => t.principal))
  const late = sumFen(s.allocations.map(t => t.late))
  const off = sumFen(s.allocations.map(t => t.off ?? 0))
  const received = sumFen(s.tenders.map(t => t.amount))
  if (received !== principal + late + s.change + s.toPrestore + (s.depositAmount ?? 0))
    throw new RangeError(
      `money does not add up: ${received} ≠ ${principal} + ${late} + ${s.change} + ${s.toPrestore} + ${s.depositAmount ?? 0}`,
    )
  // Sent together, answered in order: the day is looked at once its lock is there.
  const [drawn] = await Promise.all([
    tx.one<{ id: number }>(
      sql`select nextval('pay_record_id_seq') as id${
        s.isHistory
          ? sql``
          : sql`,
        pg_advisory_xact_lock_shared(${dayLockKey(owner, s.projectCode, day)})`
      }`,
    ),
    ...(s.isHistory ? [] : [assertDayOpen(tx, owner, s.projectCode, day)]),
  ])
  const { id } = drawn!
  const about = { ...paymentContextOf(id, s), at: s.at }
  if (s.allocations.length) {
    await bookPayment(tx, scope, s.bills, s.allocations, {
      day,
      at: s.at,
      from: { type: 'pay', id },
      waiveLeft: s.waiveRemainingLateFee ?? false,
    })
  }
  for (const t of s.tenders) {
    await tenderProviderOf(t.method)?.debit(tx, scope, t.amount, about)
  }
  if (s.toPrestore > 0) {
    await (
      s.creditPrestore ??
      ((x, n) =>
        (tenderProviderOf('prestore') ?? refuse('没有启用预存账户，不能转预存')).credit(
          x,
          scope,
          n,
          about,
          'change',
        ))
    )(tx, s.toPrestore, id)
  }
  const made = await insertRecord(tx, scope, s, { id, day, principal, late, off, received })
  await audit(tx, scope, [
    {
      action: 'insert',
      entity: 'payRecord',
      entityId: id,
      projectCode: s.projectCode,
      after: {
        recordNo: made.recordNo,
        receiptNo: made.receiptNo,
        received,
        change: s.change,
        toPrestore: s.toPrestore,
        methods: s.tenders,
        bills: s.allocations,
      },
    },
  ])
  await publishPaid(tx, scope, {
    recordId: id,
    projectCode: s.projectCode,
    days: [day],
    billIds: s.allocations.map(t => t.billId),
    kind: 'paid',
  })
  return { recordId: id, recordNo: made.recordNo, receiptNo: made.receiptNo }
}

/** The record with its receipt, its details and lines, in one statement (PAY-20). */
function insertRecord(
  tx: Tx,
  scope: Scope,
  s: SettleInput,
  sum: {
    readonly id: number
    readonly day: Day
    readonly principal: Fen
    readonly late: Fen
    readonly off: Fen
    readonly received: Fen
  },
): Promise<Pick<SettleResult, 'recordNo' | 'receiptNo'>> {
  const owner = scope.ownerId
  const buildings = new Set(s.bills.map(b => b.row.buildCode))
  const by = new Map(s.bills.map(b => [b.row.id, b.row]))
  const of = (method: PayMethod): Fen => sumFen(s.tenders.filter(t => t.method === method).map(t => t.amount))
  const details = s.allocations.map(t => {
    const b = by.get(t.billId)!
    return {
      bill_id: b.id,
      bill_no: b.billNo,
      source_type: codeOf(sourceType, b.sourceType),
      source_code: b.sourceCode,
      source_name: b.sourceName,
      fee_item_id: b.feeItemId,
      fee_item_name: b.feeItemName,
      begin_date: b.beginDate,
      end_date: b.endDate,
      principal: formatYuan(t.principal),
      late_fee: formatYuan(t.late),
    }
  })
  const lines = s.tenders.map((t, seq) => ({
    seq,
    method: codeOf(payMethod, t.method),
    amount: formatYuan(t.method === 'cash' ? t.amount - s.change : t.amount),
  }))
  return tx.one<Pick<SettleResult, 'recordNo' | 'receiptNo'>>(sql`
    with c as (${nextReceiptNumber(owner, s.projectCode, Number(sum.day.slice(0, 4)))}),
      d as (
        insert into pay_detail (
          owner_id, create_by, update_by, record_id, bill_id, bill_no, source_type, source_code,
          source_name, fee_item_id, fee_item_name, begin_date, end_date, principal, late_fee
        )
        select ${owner}::bigint, ${scope.operatorId}::bigint, ${scope.operatorId}::bigint,
          ${sum.id}::bigint, r.*
        from json_to_recordset(${JSON.stringify(details)}::json) as r(
          bill_id bigint, bill_no text, source_type smallint, source_code text, source_name text,
          fee_item_id bigint, fee_item_name text, begin_date date, end_date date, principal numeric,
          late_fee numeric
        )
      ),
      l as (
        insert into pay_line (owner_id, record_id, seq, method, amount)
        select ${owner}::bigint, ${sum.id}::bigint, r.*
        from json_to_recordset(${JSON.stringify(lines)}::json) as r(
          seq smallint, method smallint, amount numeric
        )
      )
    insert into pay_record (
      owner_id, id, create_by, update_by, project_code, record_no, record_type, receipt_no, source_name,
      build_code, payer_kind, payer_id, payer_name, principal_amount, late_fee_amount, round_off,
      coupon_amount, prestore_amount, received_amount, change_amount, to_prestore, pay_method, methods,
      pay_order_id, pay_time, pay_day, cashier_id, cashier_name, is_history, remark, state
    )
    select ${owner}, ${sum.id}, ${scope.operatorId}, ${scope.operatorId}, ${s.projectCode}, next_code('SK'),
      ${codeOf(recordType, s.type)}, c.receipt_no, ${(s.sourceName ?? sourceNamesOf(s.bills)).slice(0, 100)},
      ${buildings.size === 1 ? [...buildings][0] : null},
      ${s.payer.kind ? codeOf(payerSide, s.payer.kind) : null}, ${s.payer.id ?? null},
      ${s.payer.name ?? null}, ${formatYuan(sum.principal)}, ${formatYuan(sum.late)},
      ${formatYuan(sum.off)}, ${formatYuan(of('parkCoupon'))}, ${formatYuan(of('prestore'))},
      ${formatYuan(sum.received)}, ${formatYuan(s.change)}, ${formatYuan(s.toPrestore)},
      ${codeOf(payMethod, mainMethodOf(s.tenders))}, ${JSON.stringify(s.tenders)}, ${s.order ?? null}, ${s.at},
      ${sum.day}, ${s.cashier.id || null}, ${s.cashier.name}, ${s.isHistory ?? false}, ${s.remark ?? null},
      10
    from c
    returning record_no, receipt_no
  `) as Promise<Pick<SettleResult, 'recordNo' | 'receiptNo'>>
}

export interface PayOutInput {
  readonly type: 'prestore' | 'deposit'
  readonly projectCode: string
  readonly sourceName: string
  readonly amount: Fen
  readonly method: PayMethod
  readonly reason: string
  readonly at: Moment
}

/**
 * Money paid out of a purse or a deposit (ACC-10, C6.3): a negative record of today's till, for no bill.
 * Answers its id.
 */
export async function payOut(tx: Tx, scope: Scope, r: PayOutInput): Promise<number> {
  const day = dayOfMoment(r.at)
  const sum = formatYuan(-r.amount)
  const method = codeOf(payMethod, r.method)
  await lockDay(tx, scope.ownerId, r.projectCode, day)
  await assertDayOpen(tx, scope.ownerId, r.projectCode, day)
  const made = (await tx.one<{
    id: number
  }>(sql`
    insert into pay_record (
      owner_id, create_by, update_by, project_code, record_no, record_type, source_name, received_amount,
      to_prestore, pay_method, methods, pay_time, pay_day, cashier_id, cashier_name, remark, state
    )
    values (
      ${scope.ownerId}, ${scope.operatorId}, ${scope.operatorId}, ${r.projectCode}, next_code('TK'),
      ${codeOf(recordType, r.type)}, ${r.sourceName.slice(0, 100)}, ${sum},
      ${r.type === 'prestore' ? sum : '0'}, ${method},
      ${JSON.stringify([{ method: r.method, amount: -r.amount }])}, ${r.at}, ${day},
      ${scope.operatorId || null}, ${scope.name}, ${r.reason}, 10
    )
    returning id
  `))!
  await tx.execute(
    sql`
      insert into pay_line (owner_id, record_id, seq, method, amount)
      values (${scope.ownerId}, ${made.id}, 0, ${method}, ${sum})
    `,
  )
  await audit(tx, scope, [
    {
      action: 'insert',
      entity: 'payRecord',
      entityId: made.id,
      projectCode: r.projectCode,
      after: { amount: -r.amount, method: r.method },
      reason: r.reason,
    },
  ])
  await publishPaid(tx, scope, {
    recordId: made.id,
    projectCode: r.projectCode,
    days: [day],
    billIds: [],
    kind: 'refunded',
  })
  return made.id
}
