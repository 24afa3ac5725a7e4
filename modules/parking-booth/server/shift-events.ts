import type { Id } from '#kit/domain/id.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findPage, insertAll, requireById } from '#kit/server/table.ts'
import { parkingCharge } from '#modules/parking-lanes/contract/charge.ts'
import { onStayHandled } from '#modules/parking-lanes/server/public.ts'
import { boothShift } from '../contract/shift.ts'
import { listShiftCharges, listShiftEvents, shiftEvent, shiftEvents } from '../contract/shift-event.ts'
import { findSince, openCharges, openEvents } from './shift-sums.ts'

// PRK-10: what somebody did by hand is on the next sheet of that person.
onStayHandled(async (tx, scope, handled) => {
  if (!handled.length) return
  await insertAll(
    tx,
    shiftEvent,
    scope,
    handled.map(event => ({
      ...event,
      eventTime: fromInstant(Date.parse(scope.time)),
      operatorId: scope.operatorId,
      operatorName: scope.name,
    })),
  )
})

/** Rows `t` of a shift: those of its sheet; while it is on duty, those that will be on it. */
async function ofShift(
  db: Db,
  scope: Scope,
  shiftId: Id,
  rows: { open: typeof openEvents; onSheet: ReturnType<typeof sql> },
) {
  const shift = await requireById(db, boothShift, scope, shiftId)
  if (shift.state !== 'onDuty') return rows.onSheet
  return rows.open(scope.ownerId, shift, await findSince(db, scope.ownerId, shift), 't')
}

export const eventHandlers = [
  reads(listShiftEvents, async ({ shiftId, ...query }, { db, scope }) =>
    findPage(db, shiftEvent, scope, query, {
      filters: shiftEvents.filters,
      where:
        shiftId === undefined
          ? []
          : [await ofShift(db, scope, shiftId, { open: openEvents, onSheet: sql`t.shift_id = ${shiftId}` })],
      sums: ['waived'],
    }),
  ),
  reads(listShiftCharges, async ({ shiftId, ...query }, { db, scope }) => {
    const onSheet = sql`exists (
      select from park_shift_charge k
      where k.owner_id = ${scope.ownerId} and k.charge_id = t.id and k.shift_id = ${shiftId}
    )`
    return findPage(db, parkingCharge, scope, query, {
      filters: listShiftCharges.input.filters ?? [],
      where: [await ofShift(db, scope, shiftId, { open: openCharges, onSheet })],
      sums: ['amount', 'couponAmount', 'hostAmount', 'waivedAmount', 'paidAmount'],
    })
  }),
]
