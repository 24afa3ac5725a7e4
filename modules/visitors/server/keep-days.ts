import { addDays, type Day } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import { dayOfInstant, fromInstant, startOfDay, type Moment } from '#kit/domain/moment.ts'
import type { App } from '#kit/server/app.ts'
import { forgetAuditedValues } from '#kit/server/audit-forget.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { forEachDueCompany } from '#kit/server/directory.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { invitation } from '../contract/invitation.ts'
import { visitRecord } from '../contract/visit-record.ts'
import { inviteVisitor } from '../contract/visitor.ts'
import { initialSetting } from './setting.ts'

/** What stands in place of a name. */
export const clearedName = '已清除'

const rowsAtOnce = 1_000

interface Deadline {
  readonly ownerId: Id
  readonly projectCode: string
  /** What was over before this is kept no longer. */
  readonly before: Moment
  readonly now: Moment
}

async function deadlinesOf(tx: Tx, ownerId: Id, today: Day, now: Moment): Promise<Deadline[]> {
  const projects = await tx.rows<{ projectCode: string; keepDays: number }>(sql`
    select e.project_code, coalesce(s.keep_days, ${initialSetting.keepDays}::integer) as keep_days
    from estate e
    left join visitor_setting s
      on s.owner_id = ${ownerId} and s.project_code = e.project_code and ${notDeleted('s')}
    where e.owner_id = ${ownerId}
  `)
  return projects.map(({ projectCode, keepDays }) => ({
    ownerId,
    projectCode,
    before: startOfDay(addDays(today, -keepDays)),
    now,
  }))
}

const idsOf = (rows: readonly { readonly id: Id }[]): Id[] => rows.map(({ id }) => id)

/** The visitors' book; rows in the recycle bin as well. */
async function clearRecords(tx: Tx, { ownerId, projectCode, before, now }: Deadline): Promise<number> {
  const cleared = await tx.rows<{ id: Id }>(sql`
    update visit_record
    set visitor_name = ${clearedName}, mobile = null, cert_type = null, cert_no = null, plate_no = null,
      check_photo = null, item_photos = null, remark = null, clear_time = ${now}::timestamptz
    where owner_id = ${ownerId}
      and id in (
        select id
        from visit_record
        where owner_id = ${ownerId}
          and project_code = ${projectCode}
          and clear_time is null
          and in_time < ${before}::timestamptz
          and coalesce(out_time, end_time, in_time) < ${before}::timestamptz
        limit ${rowsAtOnce}
        for update skip locked
      )
    returning id
  `)
  await forgetAuditedValues(tx, ownerId, visitRecord.name, idsOf(cleared))
  return cleared.length
}

/** An invitation and everybody who was invited by it. */
async function clearInvitations(tx: Tx, { ownerId, projectCode, before, now }: Deadline): Promise<number> {
  const cleared = await tx.rows<{ id: Id }>(sql`
    update visitor_invitation
    set visitor_name = ${clearedName}, mobile = null, plate_no = null, answers = null,
      clear_time = ${now}::timestamptz
    where owner_id = ${ownerId}
      and id in (
        select id
        from visitor_invitation
        where owner_id = ${ownerId}
          and project_code = ${projectCode}
          and clear_time is null
          and end_time < ${before}::timestamptz
        limit ${rowsAtOnce}
        for update skip locked
      )
    returning id
  `)
  const visitors = await tx.rows<{ id: Id }>(sql`
    update invite_visitor
    set visitor_name = ${clearedName}, mobile = null, cert_type = null, cert_no = null, face = null,
      plate_no = null, check_photo = null, clear_time = ${now}::timestamptz
    where owner_id = ${ownerId} and invitation_id = any(${idsOf(cleared)}::bigint[]) and clear_time is null
    returning id
  `)
  await forgetAuditedValues(tx, ownerId, invitation.name, idsOf(cleared))
  await forgetAuditedValues(tx, ownerId, inviteVisitor.name, idsOf(visitors))
  return cleared.length
}

/** Some rows at a time, each in a transaction of its own: the gates go on. */
async function clearAll(
  app: App,
  deadline: Deadline,
  clear: (tx: Tx, deadline: Deadline) => Promise<number>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const count = await app.database.tx(deadline.ownerId, tx => clear(tx, deadline))
    if (count < rowsAtOnce) return
  }
}

/** VIS-7: names, phones, documents, plates and pictures of visits that are long over. Can run again. */
export async function clearOldVisits(app: App, signal: AbortSignal): Promise<void> {
  const now = fromInstant(app.clock())
  const today = dayOfInstant(app.clock())
  const due = sql<{ ownerId: Id }>`
    select owner_id
    from visit_record
    where clear_time is null
    union
    select owner_id
    from visitor_invitation
    where clear_time is null
  `
  const deadlines = await forEachDueCompany(app.database, due, (tx, ownerId) =>
    deadlinesOf(tx, ownerId, today, now),
  )
  for (const deadline of deadlines.flat()) {
    await clearAll(app, deadline, clearRecords, signal)
    await clearAll(app, deadline, clearInvitations, signal)
  }
}
