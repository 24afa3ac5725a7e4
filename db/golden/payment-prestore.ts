import { defined } from '#kit/domain/defined.ts'
import { addDays, padDigits, type Day } from '#kit/domain/day.ts'
import { asId } from '#kit/domain/id.ts'
import { asFen, type Fen } from '#kit/domain/money.ts'
import { dayOfMoment, type Moment } from '#kit/domain/moment.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { insert } from '#kit/server/table.ts'
import { settle } from '#modules/payments/server/public.ts'
import { prestoreSetting } from '#modules/prestore/contract/setting.ts'
import { deductRoom } from '#modules/prestore/server/deduction.ts'
import { postEntries, ensurePrepaidAccount } from '#modules/prestore/server/ledger.ts'
import '#modules/prestore/server/tender.ts'
import { payMethods } from './payment-methods.ts'

export interface SeededRoom {
  readonly code: string
  readonly name: string
  readonly building: string
}

const bonusFrom = 300_000

/** Tops a room's account up, with a bonus from 3000 yuan. */
async function topUp(
  tx: Tx,
  cashier: Scope,
  project: string,
  room: SeededRoom,
  index: number,
  amount: Fen,
  at: Moment,
): Promise<void> {
  const { id: accountId } = await ensurePrepaidAccount(
    tx,
    cashier,
    project,
    { kind: 'room', code: room.code },
    room.name,
    0,
    room.building,
    dayOfMoment(at),
  )
  const bonusEntry = {
    accountId,
    type: 'gift' as const,
    amount: asFen(10_000),
    gift: true,
    remark: '预存满 3000 送 100',
  }
  await settle(tx, cashier, {
    projectCode: project,
    type: 'prestore',
    bills: [],
    allocations: [],
    tenders: [{ method: defined(payMethods[index % payMethods.length]), amount }],
    change: 0,
    toPrestore: amount,
    payer: {},
    sourceName: room.name,
    at,
    cashier: { id: cashier.operatorId, name: cashier.name },
    creditPrestore: (settlementTx, sum, recordId) =>
      postEntries(
        settlementTx,
        cashier,
        [
          { accountId, type: 'topUp', amount: sum, recordId },
          ...(amount >= bonusFrom ? [{ ...bonusEntry, recordId }] : []),
        ],
        at,
      ),
  })
}

/** Rooms top up; every other one's bills are deducted at once. */
export async function seedPrestore(
  tx: Tx,
  scope: Scope,
  cashier: Scope,
  project: string,
  rooms: readonly SeededRoom[],
  today: Day,
): Promise<void> {
  const setting = await insert(tx, prestoreSetting, scope, {
    projectCode: project,
    autoDeduct: true,
    onlyDue: true,
    deductLate: true,
    wholeBillOnly: false,
    giftFirst: false,
  })
  const system = { ...scope, operatorId: asId(0), name: '系统' }
  for (const [index, room] of rooms.entries()) {
    const at: Moment = `${addDays(today, -(2 + (index % 17)))} 14:${padDigits(10 + index)}:00`
    const amount = asFen(defined([100_000, 200_000, 50_000, 300_000][index % 4]))
    await topUp(tx, cashier, project, room, index, amount, at)
    if (index % 2) {
      await deductRoom(tx, system, project, room.code, setting, `${addDays(today, -1)} 03:00:10`)
    }
  }
  // An account is as old as its first entry.
  await tx.execute(sql`
    update prestore_account t
    set create_time = e.first, update_time = e.last
    from (
      select account_id, min(entry_time) as first, max(entry_time) as last
      from prestore_entry
      where owner_id = ${scope.ownerId}
      group by account_id
    ) e
    where t.owner_id = ${scope.ownerId} and t.id = e.account_id and t.project_code = ${project}
  `)
}
