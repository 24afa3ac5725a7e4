import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { codeOf } from '#kit/contract/field.ts'
import { formatYuan, negateFen, type Fen } from '#kit/domain/money.ts'
import { dayOfMoment, type Moment } from '#kit/domain/moment.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code } from '#kit/server/sql.ts'
import { payMethod, recordState, recordType } from '../contract/choices.ts'
import { assertDayOpen, lockDay } from './day-lock.ts'
import { payOutPrefix } from './document-prefixes.ts'
import { publishPaid, type PayMethod } from './tenders.ts'

export interface PayOutInput {
  readonly type: 'prestore' | 'deposit'
  readonly projectCode: string
  readonly sourceName: string
  /** The building of the object; none for a company. */
  readonly buildCode: string | undefined
  /** Fen, positive. */
  readonly amount: Fen
  readonly method: PayMethod
  readonly reason: string
  readonly at: Moment
  /** For whom it counts, where another person approved it (PAY-23). */
  readonly cashier?: { readonly id: number; readonly name: string } | undefined
}

/**
 * Money paid out of a prepaid account or a deposit (ACC-10, C6.3): a negative record of the day for no bill.
 * Returns its id.
 */
export async function payOut(tx: Tx, scope: Scope, input: PayOutInput): Promise<Id> {
  const day = dayOfMoment(input.at)
  await lockDay(tx, scope.ownerId, input.projectCode, day)
  await assertDayOpen(tx, scope.ownerId, input.projectCode, day)
  const recordId = await insertPayOut(tx, scope, input)
  await audit(tx, scope, [
    {
      action: 'insert',
      entity: 'payRecord',
      entityId: recordId,
      projectCode: input.projectCode,
      after: { amount: -input.amount, method: input.method },
      reason: input.reason,
    },
  ])
  await publishPaid(tx, scope, {
    recordId,
    projectCode: input.projectCode,
    days: [day],
    billIds: [],
    kind: 'refunded',
  })
  return recordId
}

async function insertPayOut(tx: Tx, scope: Scope, input: PayOutInput): Promise<Id> {
  const day = dayOfMoment(input.at)
  const recordNo = await tx.numbers.next(scope.ownerId, payOutPrefix, day)
  const received = formatYuan(negateFen(input.amount))
  const method = codeOf(payMethod, input.method)
  const cashier = input.cashier ?? { id: scope.operatorId, name: scope.name }
  const record = await tx.one<{ id: Id }>(sql`
    insert into pay_record (
      owner_id, create_by, update_by, project_code, build_code, record_no, record_type, source_name,
      tendered_amount, to_prestore, pay_method, methods, pay_time, pay_day, cashier_id, cashier_name, remark, state
    )
    values (
      ${scope.ownerId}, ${scope.operatorId}, ${scope.operatorId}, ${input.projectCode},
      ${input.buildCode ?? null}, ${recordNo},
      ${codeOf(recordType, input.type)}, ${input.sourceName.slice(0, 100)}, ${received},
      ${input.type === 'prestore' ? received : '0'}, ${method},
      ${JSON.stringify([{ method: input.method, amount: -input.amount }])}, ${input.at},
      ${day}, ${cashier.id || null}, ${cashier.name}, ${input.reason},
      ${code(recordState, 'normal')}
    )
    returning id
  `)
  const recordId = defined(record).id
  await tx.execute(
    sql`
      insert into pay_line (owner_id, record_id, seq, method, amount)
      values (${scope.ownerId}, ${recordId}, 0, ${method}, ${received})
    `,
  )
  return recordId
}
