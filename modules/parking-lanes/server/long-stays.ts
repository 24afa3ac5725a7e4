import type { Day } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import { dayOfInstant, fromInstant, type Moment } from '#kit/domain/moment.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { forEachDueCompany } from '#kit/server/directory.ts'
import { defineCron } from '#kit/server/jobs.ts'
import { clockScope } from '#kit/server/scope.ts'
import { codes, notDeleted } from '#kit/server/sql.ts'
import { defineNotificationKind, notify, retractNotifications } from '#modules/system/server/public.ts'
import { stayState } from '../contract/choices.ts'
import { menu, paths } from '../module.ts'
import { longStayHours, longStaySince } from './ages.ts'

const longStayKind = defineNotificationKind({
  key: 'parking-lanes.longStay',
  label: '车辆长时间停放',
  group: 'notice',
})

interface LongStays {
  readonly parkId: Id
  readonly parkName: string
  readonly projectCode: string
  readonly count: number
  readonly plateNos: readonly string[]
}

/** Cars inside for longer than the limit that no message of this night has counted. */
const isDue = (now: Moment, night: Day) => sql`
  ${notDeleted()}
  and state in ${codes(stayState, 'inside', 'paid')}
  and in_time < ${longStaySince(now)}::timestamptz
  and (run_notice_day is null or run_notice_day < ${night}::date)
`

/** By car park; what is marked is in one message, however often the job runs in a night. */
const claimLongStays = (tx: Tx, ownerId: Id, now: Moment, night: Day): Promise<LongStays[]> =>
  tx.rows(sql`
    with due as (
      update parking_stay
      set run_notice_day = ${night}::date
      where owner_id = ${ownerId} and ${isDue(now, night)}
      returning park_id, plate_no, in_time
    )
    select d.park_id, p.name as park_name, p.project_code, count(*)::integer as count,
      (array_agg(d.plate_no order by d.in_time))[1:3] as plate_nos
    from due d
    join park p on p.owner_id = ${ownerId} and p.id = d.park_id
    group by d.park_id, p.name, p.project_code
    order by d.park_id
  `)

async function noticeCompany(app: App, tx: Tx, ownerId: Id): Promise<void> {
  const now = fromInstant(app.clock())
  const lots = await claimLongStays(tx, ownerId, now, dayOfInstant(app.clock()))
  if (!lots.length) return
  const parkIds = lots.map(({ parkId }) => parkId)
  // The list is the same: only the newest message of a car park stays.
  await retractNotifications([tx, app, clockScope(app, ownerId)], longStayKind, parkIds)
  for (const { parkId, parkName, projectCode, count, plateNos } of lots) {
    await notify(tx, app, ownerId, {
      kind: longStayKind,
      to: { permission: menu.stay.permissions.clear, project: projectCode },
      title: `「${parkName}」有 ${count} 辆车停放超过 ${longStayHours} 小时`,
      text: `${plateNos.join('、')}${count > plateNos.length ? ' 等' : ''}，请核对是否在场；已离场的请清场`,
      link: `${paths.stays}?tab=inside&parkId=${parkId}&ageBands=over72`,
      bizId: parkId,
      project: projectCode,
    })
  }
}

/** PRK-9. May run any number of times in a night. */
export async function noticeLongStays(app: App): Promise<void> {
  const due = sql<{ ownerId: Id }>`
    select distinct owner_id
    from parking_stay
    where ${isDue(fromInstant(app.clock()), dayOfInstant(app.clock()))}
  `
  await forEachDueCompany(app.database, due, (tx, ownerId) => noticeCompany(app, tx, ownerId))
}

export const longStayCron = defineCron({
  name: 'parking-long-stays',
  schedule: '20 0 * * *',
  run: noticeLongStays,
})
