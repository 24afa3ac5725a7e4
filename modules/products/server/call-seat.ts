import type { Id } from '#kit/domain/id.ts'
import { refuse } from '#kit/contract/wire.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findByIds, insert, findPage, remove, update, withAllFields } from '#kit/server/table.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import {
  addSeat,
  callSeat,
  deleteSeats,
  editSeat,
  getSeatCounts,
  listSeats,
  seatState,
} from '../contract/call-seat.ts'
import { nodeState, nodeType } from '../contract/labels.ts'
import { findSeatsFault } from '../domain/subscription.ts'

interface SeatCounts {
  /** Seats that the company has bought and that have not expired. */
  readonly open: number
  readonly used: number
}

async function countSeats(db: Pick<Db, 'one'>, ownerId: Id): Promise<SeatCounts> {
  const counts = await db.one<SeatCounts>(
    sql`
      select (
        select coalesce(sum(quantity), 0)::int
        from increment_node
        where owner_id = ${ownerId}
          and node_type = ${code(nodeType, 'seat')}
          and state = ${code(nodeState, 'open')}
          and ${notDeleted()}
      ) as open,
        (
          select count(*)::int
          from call_seat
          where owner_id = ${ownerId} and state = ${code(seatState, 'on')} and ${notDeleted()}
        ) as used
    `,
  )
  return counts ?? { open: 0, used: 0 }
}

/** SEAT-1. Asked after the seat was written, under the lock of `lockSeats`. */
async function assertSeatAvailable(tx: Tx, scope: Scope): Promise<void> {
  const { used, open } = await countSeats(tx, scope.ownerId)
  const fault = findSeatsFault(used, open)
  if (fault) refuse(fault)
}

/**
 * One change of a company's seats at a time: of two that take the last seat the second one sees the first.
 */
const lockSeats = (tx: Tx, scope: Scope): Promise<unknown> =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('call_seat', ${scope.ownerId}))`)

export const seatHandlers = [
  reads(listSeats, (q, { db, scope }) =>
    findPage(db, callSeat, scope, q, { filters: listSeats.input.filters ?? [] }),
  ),
  reads(getSeatCounts, (_, { db, scope }) => countSeats(db, scope.ownerId)),
  writes(addSeat, async ({ id: _id, version: _version, ...draft }, { tx, scope }) => {
    await lockSeats(tx, scope)
    const created = await insert(tx, callSeat, scope, draft)
    if (created.state === 'on') {
      await assertSeatAvailable(tx, scope)
    }
    return created
  }),
  writes(editSeat, async ({ id, version, ...draft }, { tx, scope }) => {
    if (!id) return refuse('缺少要修改的坐席')
    await lockSeats(tx, scope)
    const [before] = await findByIds(tx, callSeat, scope, [id], { lock: true })
    const after = await update(tx, callSeat, scope, id, withAllFields(editSeat.input, draft), { version })
    // A seat in use stays in use, even where fewer seats are open by now.
    if (after.state === 'on' && before?.state !== 'on') {
      await assertSeatAvailable(tx, scope)
    }
    return after
  }),
  writes(deleteSeats, async ({ ids, reason }, { tx, scope }) => {
    await remove(tx, callSeat, scope, ids, reason)
  }),
]
