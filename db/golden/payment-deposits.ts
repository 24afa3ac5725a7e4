import { defined } from '#kit/domain/defined.ts'
import { addDays, padDigits, type Day } from '#kit/domain/day.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { asFen } from '#kit/domain/money.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { insert } from '#kit/server/table.ts'
import { deposit, depositEntry } from '#modules/deposits/contract/deposit.ts'
import { depositPrefix } from '#modules/deposits/server/deposit-number.ts'
import { settle } from '#modules/payments/server/public.ts'
import type { SeededRoom } from './payment-prestore.ts'
import { payMethods } from './payment-methods.ts'

const amount = asFen(200_000)

/** A deposit of a room that fits out; it waits, or was received at `receivedAt`. */
async function seedDeposit(
  tx: Tx,
  cashier: Scope,
  project: string,
  room: SeededRoom,
  index: number,
  depositNo: string,
  receivedAt: Moment | undefined,
): Promise<void> {
  const { id } = await insert(tx, deposit, cashier, {
    projectCode: project,
    depositNo,
    kind: 'fitting',
    roomCode: room.code,
    roomName: room.name,
    buildCode: room.building,
    amount,
    balance: receivedAt ? amount : 0,
    deducted: 0,
    refunded: 0,
    converted: 0,
    state: receivedAt ? 'received' : 'waiting',
    ...(receivedAt ? { receiveTime: receivedAt } : {}),
    remark: '装修申请已审核',
  })
  if (!receivedAt) return
  const { recordId } = await settle(tx, cashier, {
    projectCode: project,
    type: 'deposit',
    bills: [],
    allocations: [],
    tenders: [{ method: defined(payMethods[index]), amount }],
    change: 0,
    toPrestore: 0,
    depositAmount: amount,
    payer: {},
    sourceName: room.name,
    at: receivedAt,
    cashier: { id: cashier.operatorId, name: cashier.name },
  })
  await tx.execute(
    sql`update deposit set record_id = ${recordId} where owner_id = ${cashier.ownerId} and id = ${id}`,
  )
  await insert(tx, depositEntry, cashier, {
    projectCode: project,
    depositId: id,
    entryType: 'receive',
    amount,
    balanceBefore: 0,
    balanceAfter: amount,
    recordId,
    entryTime: receivedAt,
    operatorName: cashier.name,
  })
}

/** Deposits of those who fit out: the first two wait, the others were received. */
export async function seedDeposits(
  tx: Tx,
  cashier: Scope,
  project: string,
  rooms: readonly SeededRoom[],
  today: Day,
): Promise<void> {
  for (const [index, room] of rooms.entries()) {
    const depositNo = await tx.numbers.next(cashier.ownerId, depositPrefix, today)
    const receivedAt: Moment | undefined =
      index > 1 ? `${addDays(today, -(2 + index * 3))} 10:${padDigits(20 + index)}:00` : undefined
    await seedDeposit(tx, cashier, project, room, index, depositNo, receivedAt)
  }
}
