import { Refused } from '#kit/contract/wire.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import type { Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { forEachCompany, forEachDueCompany, listDueCompanies } from '#kit/server/directory.ts'
import { defineCron } from '#kit/server/jobs.ts'
import { publishRecordsWritten } from '#kit/server/record-events.ts'
import { clockScope } from '#kit/server/scope.ts'
import { code, notDeleted, touch } from '#kit/server/sql.ts'
import { findByIds, update } from '#kit/server/table.ts'
import { defineNotificationKind, notify } from '#modules/system/server/public.ts'
import { advertisement } from '../contract/advertisement.ts'
import { advertisementState, noticeState } from '../contract/choices.ts'
import { publicNotice, type PublicNotice } from '../contract/notice.ts'
import { noticeScreens } from '../module.ts'
import { publishNow } from './publication.ts'

const failureKind = defineNotificationKind({
  key: 'notices.unpublished',
  label: '公告定时发布失败',
  group: 'todo',
  level: 'important',
  entity: 'publicNotice',
})

const isDue = (app: App) => sql`
  ${notDeleted()} and state = ${code(noticeState, 'timed')} and publish_time <= ${new Date(app.clock())}
`

/** One that is still due; another server may have published it. */
async function lockDue(app: App, tx: Tx, ownerId: Id, id: Id): Promise<PublicNotice | undefined> {
  const locked = await tx.one<{ id: Id }>(sql`
    select id from public_notice where owner_id = ${ownerId} and id = ${id} and ${isDue(app)} for update
  `)
  if (!locked) return undefined
  const [notice] = await findByIds(tx, publicNotice, clockScope(app, ownerId), [id])
  return notice
}

/** A draft again, with the reason, which its author hears of. */
const returnToAuthor = (app: App, ownerId: Id, id: Id, fault: string): Promise<void> =>
  app.database.tx(ownerId, async tx => {
    const notice = await lockDue(app, tx, ownerId, id)
    if (!notice) return
    const scope = clockScope(app, ownerId)
    await update(tx, publicNotice, scope, id, {
      state: 'draft',
      publishTime: undefined,
      publishFault: fault.slice(0, 200),
    })
    const [author] = await tx.rows<{ createBy: Id }>(sql`
      select create_by from public_notice where owner_id = ${ownerId} and id = ${id}
    `)
    await notify(tx, app, ownerId, {
      kind: failureKind,
      to: author ? [author.createBy] : [],
      title: `公告未能定时发布：${notice.title}`,
      text: fault,
      link: `${noticeScreens.paths.detail}?id=${id}`,
      bizId: id,
    })
  })

async function publishOne(app: App, ownerId: Id, id: Id): Promise<void> {
  try {
    await app.database.tx(ownerId, async tx => {
      const notice = await lockDue(app, tx, ownerId, id)
      if (!notice) return
      const now = fromInstant(app.clock())
      await publishNow({ tx, app, scope: clockScope(app, ownerId), now }, notice)
    })
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    await returnToAuthor(app, ownerId, id, error.message)
  }
}

async function publishDue(app: App): Promise<void> {
  const due = await listDueCompanies(
    app.database,
    sql`select distinct owner_id from public_notice where ${isDue(app)}`,
  )
  await forEachCompany(due, async ownerId => {
    const rows = await app.database.reader(ownerId).rows<{ id: Id }>(sql`
      select id from public_notice where owner_id = ${ownerId} and ${isDue(app)} order by publish_time, id
    `)
    for (const { id } of rows) {
      await publishOne(app, ownerId, id)
    }
  })
}

const expireDue = (app: App): Promise<unknown> => {
  const isOver = sql`
    ${notDeleted()}
    and state = ${code(noticeState, 'published')}
    and expire_time <= ${new Date(app.clock())}
  `
  return forEachDueCompany(
    app.database,
    sql`select distinct owner_id from public_notice where ${isOver}`,
    async (tx, ownerId) => {
      const rows = await tx.rows<{ id: Id }>(sql`
        update public_notice
        set state = ${code(noticeState, 'expired')}, ${touch(clockScope(app, ownerId))}
        where owner_id = ${ownerId} and ${isOver}
        returning id
      `)
      publishRecordsWritten(tx, ownerId, {
        entity: publicNotice.name,
        action: 'update',
        ids: rows.map(row => row.id),
      })
    },
  )
}

/** Publishes what is due and ends what is over; may run any number of times, on several servers. */
export async function turnNotices(app: App): Promise<void> {
  await publishDue(app)
  await expireDue(app)
}

/** Advertisements end the day after their last; the marks of their clicks are kept for a day. */
export async function endAdvertisements(app: App): Promise<void> {
  const today = fromInstant(app.clock()).slice(0, 10)
  const isOver = sql`
    ${notDeleted()} and state <> ${code(advertisementState, 'ended')} and end_date < ${today}::date
  `
  const dayAgo = new Date(app.clock() - 86_400_000)
  await forEachDueCompany(
    app.database,
    sql`
      select owner_id from advertisement where ${isOver}
      union
      select owner_id from advertisement_click where click_minute < ${dayAgo}
    `,
    async (tx, ownerId) => {
      const rows = await tx.rows<{ id: Id }>(sql`
        update advertisement
        set state = ${code(advertisementState, 'ended')}, ${touch(clockScope(app, ownerId))}
        where owner_id = ${ownerId} and ${isOver}
        returning id
      `)
      await tx.execute(sql`
        delete from advertisement_click where owner_id = ${ownerId} and click_minute < ${dayAgo}
      `)
      publishRecordsWritten(tx, ownerId, {
        entity: advertisement.name,
        action: 'update',
        ids: rows.map(row => row.id),
      })
    },
  )
}

export const noticeCrons = [
  defineCron({ name: 'notices', schedule: '* * * * *', run: turnNotices }),
  defineCron({ name: 'notices-advertisements', schedule: '6 0 * * *', run: endAdvertisements }),
]
