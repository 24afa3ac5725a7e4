import { refuse } from '#kit/contract/wire.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findByIds, insert, findPage, remove, update, withAllFields } from '#kit/server/table.ts'
import { live } from '#kit/server/sql.ts'
import { addSeat, callSeat, deleteSeats, editSeat, listSeats, getSeatCounts } from '../contract/call-seat.ts'
import { findSeatsFault } from '../domain/subscription.ts'

const countOpenSeats = async (db: Pick<Db, 'one'>, owner: number): Promise<number> =>
  (await db.one<{ n: number }>(
    sql`
      select coalesce(sum(quantity), 0)::int as n
      from increment_node
      where owner_id = ${owner} and node_type = 40 and state = 10 and ${live()}
    `,
  ))!.n

const countUsedSeats = async (db: Pick<Db, 'one'>, owner: number): Promise<number> =>
  (await db.one<{ n: number }>(
    sql`select count(*)::int as n from call_seat where owner_id = ${owner} and state = 10 and ${live()}`,
  ))!.n

/**
 * SEAT-1, after the seat was written: two who each take the last one meet at the company's seats, and the
 * second sees the first.
 */
async function assertSeatAvailable(tx: Tx, scope: Scope): Promise<void> {
  const why = findSeatsFault(await countUsedSeats(tx, scope.ownerId), await countOpenSeats(tx, scope.ownerId))
  if (why) refuse(why)
}

const lockSeats = (tx: Tx, scope: Scope): Promise<unknown> =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('call_seat', ${scope.ownerId}))`)

export const seatHandlers = [
  reads(listSeats, (q, { db, scope }) =>
    findPage(db, callSeat, scope, q, { filters: listSeats.input.filters! }),
  ),
  reads(getSeatCounts, async (_, { db, scope }) => ({
    open: await countOpenSeats(db, scope.ownerId),
    used: await countUsedSeats(db, scope.ownerId),
  })),
  writes(addSeat, async ({ id: _, version: __, ...draft }, { tx, scope }) => {
    await lockSeats(tx, scope)
    const made = await insert(tx, callSeat, scope, draft)
    if (made.state === 'on') {
      await assertSeatAvailable(tx, scope)
    }
    return made
  }),
  writes(editSeat, async ({ id, version, ...draft }, { tx, scope }) => {
    if (!id) return refuse('缺少要修改的坐席')
    await lockSeats(tx, scope)
    const [was] = await findByIds(tx, callSeat, scope, [id], true)
    const is = await update(tx, callSeat, scope, id, withAllFields(editSeat.input, draft), { version })
    // One that was in use stays so, also where fewer are open by now.
    if (is.state === 'on' && was?.state !== 'on') {
      await assertSeatAvailable(tx, scope)
    }
    return is
  }),
  writes(deleteSeats, async ({ ids, reason }, { tx, scope }) => {
    await remove(tx, callSeat, scope, ids, reason)
  }),
]
