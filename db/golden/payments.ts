import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { addDays, padDigits, type Day } from '#kit/domain/day.ts'
import { addFen, asFen, subtractFen, sumFen, type Fen } from '#kit/domain/money.ts'
import { addMinutes, dayOfMoment, fromInstant, type Moment } from '#kit/domain/moment.ts'
import { sql, type Database, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { billState, payState } from '#modules/bills/contract/choices.ts'
import { payableBills } from '#modules/bills/server/public.ts'
import { sourceType } from '#modules/fees/contract/choices.ts'
import { handoverPrefix, refundPrefix } from '#modules/payments/server/document-prefixes.ts'
import { resolvePayer, settle } from '#modules/payments/server/public.ts'
import { seedDeposits } from './payment-deposits.ts'
import { closeDays, seedHandover, type HandoverSeed } from './payment-handovers.ts'
import { payMethods } from './payment-methods.ts'
import { seedPrestore, type SeededRoom } from './payment-prestore.ts'
import { completeRefund, requestRefund } from './payment-refunds.ts'

interface RoomBills extends SeededRoom {
  readonly ids: readonly Id[]
}

const roundUpToHundredYuan = (fen: Fen): Fen => asFen(Math.ceil(fen / 10_000) * 10_000)

/** Takes money for a room, by a method that follows from `index`; cash comes in whole hundreds. */
async function takePayment(
  tx: Tx,
  cashier: Scope,
  project: string,
  room: RoomBills,
  index: number,
  at: Moment,
): Promise<Id | undefined> {
  const bills = (await payableBills(tx, cashier, room.ids, dayOfMoment(at), { lock: true })).filter(
    ({ row }) => row.payState === 'unpaid' && row.state === 'normal',
  )
  const method = defined(payMethods[index % payMethods.length])
  if (!bills.length) return undefined
  const allocations = bills.map(({ row, owed }) => ({
    billId: row.id,
    principal: owed.principal,
    late: owed.late,
  }))
  const due = sumFen(allocations.map(share => addFen(share.principal, share.late)))
  const received = method === 'cash' ? roundUpToHundredYuan(due) : due
  return (
    await settle(tx, cashier, {
      projectCode: project,
      type: 'payment',
      bills,
      allocations,
      tenders: [{ method, amount: received }],
      change: subtractFen(received, due),
      toPrestore: 0,
      payer: resolvePayer(bills, {}),
      at,
      cashier: { id: cashier.operatorId, name: cashier.name },
    })
  ).recordId
}

/** The rooms of a project that have owed for three weeks, with their bills. */
const findOwingRooms = (tx: Tx, ownerId: Id, project: string, today: Day): Promise<RoomBills[]> =>
  tx.rows<RoomBills>(sql`
    select b.source_code as code, min(b.source_name) as name, min(b.build_code) as building,
      array_agg(b.id order by b.due_date, b.id) as ids
    from bill b
    where b.owner_id = ${ownerId}
      and b.project_code = ${project}
      and b.source_type = ${code(sourceType, 'room')}
      and b.state = ${code(billState, 'normal')}
      and b.pay_state = ${code(payState, 'unpaid')}
      and ${notDeleted('b')}
      and b.create_time < ${`${addDays(today, -20)} 00:00:00`}::timestamptz
    group by b.source_code
    order by min(b.source_name) collate "C"
    limit 130
  `)

/** Four or five payments a day over three weeks, today's in the last hours; some pay half of their bills. */
async function seedRoomPayments(
  tx: Tx,
  cashier: Scope,
  project: string,
  rooms: readonly RoomBills[],
  now: Moment,
): Promise<Id[]> {
  const today = dayOfMoment(now)
  const recordIds: Id[] = []
  for (const [index, room] of rooms.entries()) {
    const daysBack = 20 - Math.floor(index / 4.5)
    const hour = padDigits(9 + (index % 5))
    const minute = padDigits((index * 7) % 60)
    const at: Moment =
      daysBack > 0
        ? `${addDays(today, -daysBack)} ${hour}:${minute}:20`
        : addMinutes(now, -2 * (rooms.length - index))
    const half = room.ids.slice(0, Math.max(1, Math.floor(room.ids.length / 2)))
    const id = await takePayment(
      tx,
      cashier,
      project,
      index % 6 === 5 ? { ...room, ids: half } : room,
      index,
      at,
    )
    if (id) {
      recordIds.push(id)
    }
  }
  return recordIds
}

interface CounterPeople {
  readonly cashier: Scope
  readonly supervisor: Scope
}

async function findPeople(
  tx: Tx,
  scope: Scope,
  cashierLogin: string,
  supervisorLogin: string,
): Promise<CounterPeople> {
  const managers = await tx.rows<{ id: Id; login: string; name: string }>(
    sql`
      select id, login_code as login, real_name as name
      from manager
      where owner_id = ${scope.ownerId} and login_code = any(${[cashierLogin, supervisorLogin]})
    `,
  )
  const scopeByLogin = new Map(
    managers.map(({ id, login, name }) => [login, { ...scope, operatorId: id, name }]),
  )
  return {
    cashier: defined(scopeByLogin.get(cashierLogin)),
    supervisor: defined(scopeByLogin.get(supervisorLogin)),
  }
}

/** One refund that waits for its approval, one that is done. */
async function seedRefunds(
  tx: Tx,
  { cashier, supervisor }: CounterPeople,
  project: string,
  recordIds: readonly Id[],
  today: Day,
): Promise<void> {
  if (recordIds.length <= 40) return
  const [first, second] = await tx.numbers.nextMany(cashier.ownerId, refundPrefix, today, 2)
  await requestRefund(tx, cashier, project, defined(recordIds[30]), '重复缴费，业主申请退回', defined(first))
  const { id } = await requestRefund(
    tx,
    cashier,
    project,
    defined(recordIds[33]),
    '收错房间',
    defined(second),
  )
  await completeRefund(tx, cashier, supervisor, id, `${addDays(today, -1)} 16:20:00`)
}

async function seedHandovers(
  tx: Tx,
  { cashier, supervisor }: CounterPeople,
  project: string,
  today: Day,
): Promise<void> {
  const seedOf = async (daysBack: number): Promise<HandoverSeed> => ({
    project,
    cashier,
    handNo: await tx.numbers.next(cashier.ownerId, handoverPrefix, today),
    until: `${addDays(today, -daysBack)} 18:00:00`,
  })
  await seedHandover(tx, { ...(await seedOf(8)), confirmedBy: supervisor })
  await seedHandover(tx, { ...(await seedOf(2)), confirmedBy: supervisor })
  await seedHandover(tx, { ...(await seedOf(1)), missing: asFen(100), remark: '找零少收 1 元' })
}

/**
 * Three weeks at the counter of an estate: payments by several methods, prestore with deductions, a refund
 * done and one that waits, handovers of all but the last day confirmed, the days before it closed. Paid by
 * the ledger itself, so that bills, records and receipts agree.
 */
export async function seedPayments(
  database: Database,
  scope: Scope,
  project: string,
  cashierLogin: string,
  supervisorLogin: string,
  now = fromInstant(Date.now()),
): Promise<void> {
  const today: Day = dayOfMoment(now)
  await database.tx(scope.ownerId, async tx => {
    const people = await findPeople(tx, scope, cashierLogin, supervisorLogin)
    const rooms = await findOwingRooms(tx, scope.ownerId, project, today)
    const recordIds = await seedRoomPayments(tx, people.cashier, project, rooms.slice(0, 96), now)
    await seedPrestore(tx, scope, people.cashier, project, rooms.slice(96, 120), today)
    await seedDeposits(tx, people.cashier, project, rooms.slice(120, 126), today)
    await seedRefunds(tx, people, project, recordIds, today)
    await seedHandovers(tx, people, project, today)
    await closeDays(tx, people.supervisor, project, addDays(today, -20), addDays(today, -2))
  })
}
