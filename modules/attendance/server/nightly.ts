import type { Id } from '#kit/domain/id.ts'
import { addDays } from '#kit/domain/day.ts'
import { dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import type { App } from '#kit/server/app.ts'
import { sql } from '#kit/server/db.ts'
import { listDueCompanies } from '#kit/server/directory.ts'
import { clockScope } from '#kit/server/scope.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { findMembers, nightlySpan, recomputeCompany, recomputePeople } from './recompute.ts'

/** Days whose mend window has ended: a missing punch may have become half a day (ATT-7). */
async function settleMissing(app: App, ownerId: Id): Promise<void> {
  const now = fromInstant(app.clock())
  const scope = clockScope(app, ownerId)
  await app.database.tx(ownerId, async tx => {
    const rules = await tx.rows<{ id: Id; mendDays: number }>(sql`
      select id, mend_days
      from attendance_group
      where owner_id = ${ownerId} and missing_is_absent and ${notDeleted()}
    `)
    for (const { id, mendDays } of rules) {
      const day = addDays(dayOfMoment(now), -mendDays - 1)
      const span = { from: day, to: day }
      await recomputePeople(tx, scope, await findMembers(tx, scope, span, [id]), span, now)
    }
  })
}

/**
 * Writes the days of yesterday and the night before it for everyone, also for those of whom no punch came
 * (ATT-12). May run any number of times: what is as it was is not written.
 */
export async function computeYesterday(app: App, signal?: AbortSignal): Promise<void> {
  const now = fromInstant(app.clock())
  const due = await listDueCompanies(
    app.database,
    sql<{ ownerId: Id }>`select distinct owner_id from attendance_member where ${notDeleted()}`,
  )
  for (const ownerId of due) {
    signal?.throwIfAborted()
    await recomputeCompany(app.database, clockScope(app, ownerId), nightlySpan(dayOfMoment(now)), now)
    await settleMissing(app, ownerId)
  }
}
