import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { displayYuan, type Fen, parseYuan, subtractFen, sumFen } from '#kit/domain/money.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { keyOf } from '#kit/contract/field.ts'
import { Refused, resultCode, refuse, invalidInput } from '#kit/contract/wire.ts'
import { sql, type Db, type RawBuilder, type Tx } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { insert, requireById, findPage, update } from '#kit/server/table.ts'
import { code, codes, notDeleted } from '#kit/server/sql.ts'
import {
  addHandover,
  cashierHandover,
  confirmHandover,
  previewHandover,
  listHandovers,
  getHandover,
  type CashierHandover,
} from '../contract/day-close.ts'
import { offsetMethods, payMethod, recordState } from '../contract/choices.ts'
import { handoverPrefix } from './document-prefixes.ts'

/** Records `p` that a cashier took in a project up to a moment and has not handed over. */
const unhandedFilter = (ownerId: Id, project: string, cashier: number, until: Moment) =>
  sql`p.owner_id = ${ownerId}
    and p.project_code = ${project}
    and p.cashier_id = ${cashier}
    and p.handover_id is null
    and p.state <> ${code(recordState, 'voided')}
    and not p.is_history
    and ${notDeleted('p')}
    and p.pay_time <= ${until}`

export interface HandoverSums {
  readonly methods: readonly {
    readonly method: keyof typeof payMethod.rows
    readonly received: Fen
    readonly refunded: Fen
    readonly count: number
  }[]
  readonly totalReceived: Fen
  readonly totalRefund: Fen
  readonly cashAmount: Fen
  readonly count: number
  readonly beginTime?: Moment
}

/**
 * The sums by method of records `p`. Prestore and coupons are left out: they move no money at the cashier.
 */
async function sumRecords(db: Db, ownerId: Id, where: RawBuilder<unknown>): Promise<HandoverSums> {
  const [rows, [totals]] = await db.all<
    [{ method: number; received: string; refunded: string; count: number }, { n: number; begin?: Moment }]
  >(
    sql`
      select l.method, coalesce(sum(l.amount) filter (where l.amount > 0), 0)::text as received,
        coalesce(-sum(l.amount) filter (where l.amount < 0), 0)::text as refunded,
        count(distinct p.id)::int as count
      from pay_record p
      join pay_line l on l.owner_id = ${ownerId} and l.record_id = p.id
      where ${where} and l.method not in ${codes(payMethod, ...offsetMethods)}
      group by 1
      order by 1
    `,
    sql`
      select count(*)::int as n, min(p.pay_time) as begin
      from pay_record p
      where ${where}
    `,
  )
  const methods = rows.map(row => ({
    method: defined(keyOf(payMethod, row.method)),
    received: parseYuan(row.received),
    refunded: parseYuan(row.refunded),
    count: row.count,
  }))
  const cash = methods.find(m => m.method === 'cash')
  return {
    methods,
    totalReceived: sumFen(methods.map(m => m.received)),
    totalRefund: sumFen(methods.map(m => m.refunded)),
    cashAmount: cash ? subtractFen(cash.received, cash.refunded) : 0,
    count: defined(totals).n,
    ...(defined(totals).begin ? { beginTime: defined(totals).begin } : {}),
  }
}

/** What a cashier has to hand over at the moment; records that commit later are not in it. */
export const sumHandover = (
  db: Db,
  ownerId: Id,
  project: string,
  cashier: number,
  until: Moment,
): Promise<HandoverSums> => sumRecords(db, ownerId, unhandedFilter(ownerId, project, cashier, until))

/**
 * Records for a sheet, locked in id order as everywhere. The sheet is summed from these alone: a payment that
 * commits afterwards waits for the next sheet.
 */
const lockUnhanded = async (
  tx: Tx,
  ownerId: Id,
  project: string,
  cashier: number,
  until: Moment,
): Promise<readonly Id[]> =>
  (
    await tx.rows<{ id: Id }>(
      sql`
        select p.id
        from pay_record p
        where ${unhandedFilter(ownerId, project, cashier, until)}
        order by p.id
        for update
      `,
    )
  ).map(row => row.id)

/** Refuses when the records of the sheet are not those that were submitted, mostly by a void (PAY-23). */
async function assertUnchanged(tx: Tx, ownerId: Id, handover: CashierHandover): Promise<void> {
  const { sum } = defined(
    await tx.one<{ sum: string }>(
      sql`
      select coalesce(sum(l.amount), 0)::text as sum
      from (
        select p.id
        from pay_record p
        where p.owner_id = ${ownerId}
          and p.handover_id = ${handover.id}
          and p.state <> ${code(recordState, 'voided')}
        for update
      ) p
      join pay_line l on l.owner_id = ${ownerId}
        and l.record_id = p.id
        and l.method not in ${codes(payMethod, ...offsetMethods)}
    `,
    ),
  )
  const current = parseYuan(sum)
  const submitted = subtractFen(handover.totalReceived, handover.totalRefund)
  if (current !== submitted)
    refuse(
      `提交后收款有变动（作废、退款撤销或计入）：交账单净额 ${displayYuan(submitted)} 元，现为 ${displayYuan(current)} 元；请驳回，由收费员重新交账`,
    )
}

const assertOtherPerson = (scope: Scope, cashier: number): void => {
  if (cashier === scope.operatorId)
    throw new Refused(resultCode.invalidInput, '不能确认自己的交账单，请由其他人确认')
}

/** Puts records on a sheet or takes them off, locked in id order as everywhere. */
const assignRecords = (
  tx: Tx,
  ownerId: Id,
  where: RawBuilder<unknown>,
  sheet: number | null,
): Promise<number> =>
  tx.execute(
    sql`
      with m as (select p.id from pay_record p where ${where} order by p.id for update)
      update pay_record p
      set handover_id = ${sheet}::integer
      from m
      where p.owner_id = ${ownerId} and p.id = m.id
    `,
  )

export const handoverHandlers = [
  reads(previewHandover, async ({ projectCode }, { db, scope, now }) => ({
    ...(await sumHandover(db, scope.ownerId, projectCode, scope.operatorId, now)),
    endTime: now,
  })),
  writes(
    addHandover,
    async ({ projectCode, endTime, expectCash, handAmount, remark }, { tx, scope, now, today }) => {
      if (endTime > now) throw invalidInput([{ Field: 'EndTime', Message: '交账截止时间不能晚于现在' }])
      // One sheet at a time for one cashier, so that no record is on two.
      await tx.rows(
        sql`
          select pg_advisory_xact_lock(
            hashtextextended(${`handover/${projectCode}/${scope.operatorId}`}, ${scope.ownerId})
          )
        `,
      )
      const recordIds = await lockUnhanded(tx, scope.ownerId, projectCode, scope.operatorId, endTime)
      const records = sql`p.owner_id = ${scope.ownerId} and p.id = any(${[...recordIds]}::bigint[])`
      const sums = await sumRecords(tx, scope.ownerId, records)
      if (!sums.count) refuse('暂无待交账的收款')
      if (sums.cashAmount !== expectCash)
        refuse(
          `应交现金已变化：原为 ${displayYuan(expectCash)} 元，现为 ${displayYuan(sums.cashAmount)} 元，请刷新后核对`,
        )
      const number = await tx.numbers.next(scope.ownerId, handoverPrefix, today)
      const handover = await insert(tx, cashierHandover, scope, {
        projectCode,
        handNo: number,
        cashierId: scope.operatorId,
        cashierName: scope.name,
        beginTime: defined(sums.beginTime),
        endTime,
        methods: sums.methods,
        totalReceived: sums.totalReceived,
        totalRefund: sums.totalRefund,
        cashAmount: sums.cashAmount,
        handAmount,
        diff: subtractFen(handAmount, sums.cashAmount),
        remark,
        state: 'pending',
      })
      await assignRecords(tx, scope.ownerId, records, handover.id)
      return handover
    },
  ),
  reads(listHandovers, (query, { db, scope }) =>
    findPage(db, cashierHandover, scope, query, {
      filters: ['cashierId', 'state', 'endTime'],
      sums: ['totalReceived', 'totalRefund', 'cashAmount', 'handAmount', 'diff'],
    }),
  ),
  reads(getHandover, ({ id }, { db, scope }) => requireById(db, cashierHandover, scope, id)),
  writes(confirmHandover, async ({ id, pass, reason }, { tx, scope, now }) => {
    const handover = await requireById(tx, cashierHandover, scope, id, { lock: true })
    if (handover.state !== 'pending') refuse('该交账单已处理，请刷新')
    assertOtherPerson(scope, handover.cashierId)
    if (pass) {
      await assertUnchanged(tx, scope.ownerId, handover)
    }
    if (!pass && !reason?.trim()) throw invalidInput([{ Field: 'Reason', Message: '请填写驳回的原因' }])
    if (!pass) {
      await assignRecords(
        tx,
        scope.ownerId,
        sql`p.owner_id = ${scope.ownerId} and p.handover_id = ${id}`,
        null,
      )
    }
    return update(tx, cashierHandover, scope, id, {
      state: pass ? 'confirmed' : 'rejected',
      confirmBy: scope.operatorId,
      confirmName: scope.name,
      confirmTime: now,
      ...(reason ? { rejectReason: reason } : {}),
    })
  }),
]
