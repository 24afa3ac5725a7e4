import { dayOfMoment } from '#kit/domain/moment.ts'
import { notFound, refuse } from '#kit/contract/wire.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { anonymous } from '#kit/server/handler.ts'
import { openRichText } from '#kit/server/rich-text.ts'
import { clockScope, type Scope } from '#kit/server/scope.ts'
import { code, notDeleted, touch } from '#kit/server/sql.ts'
import { findAll, requireById } from '#kit/server/table.ts'
import { receiverKind } from '#modules/messaging/contract/choices.ts'
import {
  chosenHome,
  findCompanyName,
  readResident,
  registerResidentPart,
  type Resident,
  type ResidentHome,
} from '#modules/resident-page/server/public.ts'
import { matterState, noticeKind, noticeReceipt } from '../contract/choices.ts'
import { userNotice } from '../contract/direct.ts'
import {
  clickAdvertisement,
  homeMatters,
  homeNotice,
  homeNotices,
  markHomeNotice,
  type HomeNotice,
} from '../contract/home.ts'
import { matter } from '../contract/matter.ts'
import { publicNotice } from '../contract/notice.ts'
import { advances } from '../domain/states.ts'
import { paths } from '../module.ts'
import { pictureUrl, shownAdvertisements } from './advertisements.ts'
import { countWaiting, findOwnLines, requireOwnLine, type OwnLine } from './home-notices.ts'

const pageSize = 20

interface Visit {
  readonly resident: Resident
  readonly home: ResidentHome
  readonly scope: Scope
}

async function visit(app: App, token: string, home?: string): Promise<Visit> {
  const resident = await readResident({ app }, token)
  return {
    resident,
    home: chosenHome(resident, home),
    scope: { ...clockScope(app, resident.ownerId), name: resident.name },
  }
}

async function attachmentsOf(app: App, { ownerId }: Scope, keys: readonly string[] = []) {
  const found = await app.files.describe(ownerId, [...keys])
  return found.map(({ key, name }) => ({ name, url: app.files.signedUrl(ownerId, key) }))
}

async function noticeContent(app: App, scope: Scope, line: OwnLine) {
  const db = app.database.reader(scope.ownerId)
  if (line.kind === 'resident') {
    const { content, publisherName } = await requireById(db, userNotice, scope, line.id)
    return { content, publisherName, attachments: [] }
  }
  const { content, publisherName, attachments } = await requireById(db, publicNotice, scope, line.id)
  return {
    content: openRichText(app, scope.ownerId, content),
    publisherName,
    attachments: await attachmentsOf(app, scope, attachments),
  }
}

interface Mark {
  readonly kind: OwnLine['kind']
  readonly id: OwnLine['id']
  readonly to: 'read' | 'confirmed'
}

/** Once, and never back; a notice for the place of a resident who came later gets its receipt now. */
async function mark(tx: Tx, { resident, home, scope }: Visit, { kind, id, to }: Mark): Promise<void> {
  const isTheirs = sql`
    owner_id = ${scope.ownerId}
    and notice_kind = ${code(noticeKind, kind)}
    and notice_id = ${id}
    and receiver_kind = ${code(receiverKind, 'resident')}
    and receiver_id = ${resident.userId}
  `
  await tx.execute(sql`
    insert into notice_receiver (
      owner_id, notice_kind, notice_id, receiver_kind, receiver_id, project_code, room_id, receipt,
      create_time, update_time
    )
    values (
      ${scope.ownerId}, ${code(noticeKind, kind)}, ${id}, ${code(receiverKind, 'resident')},
      ${resident.userId}, ${home.projectCode}, ${home.roomId ?? null}, ${code(noticeReceipt, 'unread')},
      ${scope.time}::timestamptz, ${scope.time}::timestamptz
    )
    on conflict do nothing
  `)
  const confirms = to === 'confirmed'
  await tx.execute(sql`
    update notice_receiver
    set receipt = ${code(noticeReceipt, to)},
      read_time = coalesce(read_time, ${scope.time}::timestamptz),
      ${confirms ? sql`confirm_time = ${scope.time}::timestamptz,` : sql``}
      ${touch(scope)}
    where ${isTheirs} and receipt < ${code(noticeReceipt, to)} and ${notDeleted()}
  `)
}

/** Counted once per resident and minute; the clock says which. */
async function countClick(tx: Tx, { resident, scope }: Visit, id: number): Promise<void> {
  const minute = `${scope.time.slice(0, 16)}:00.000Z`
  const counted = await tx.execute(sql`
    insert into advertisement_click (owner_id, advertisement_id, viewer_id, click_minute)
    values (${scope.ownerId}, ${id}, ${resident.userId}, ${minute}::timestamptz)
    on conflict do nothing
  `)
  if (!counted) return
  await tx.execute(sql`
    update advertisement
    set click_count = click_count + 1
    where owner_id = ${scope.ownerId} and id = ${id} and ${notDeleted()}
  `)
}

const isOfProject = (projectCode: string) => sql`(
  cardinality(coalesce(t.project_codes, '{}')) = 0 or ${projectCode} = any(t.project_codes)
)`

export const homeHandlers = [
  anonymous(homeNotices, async ({ token, home: key, page = 1 }, { app, now }) => {
    const { resident, home, scope } = await visit(app, token, key)
    const db = app.database.reader(scope.ownerId)
    const at = { offset: (page - 1) * pageSize, limit: pageSize + 1 }
    const lines = await findOwnLines(db, { resident, home }, scope.time, at)
    const { projectCode, estateName } = home
    const shown = { projectCode, position: 'app', today: dayOfMoment(now) } as const
    const pictures = page === 1 ? await shownAdvertisements(db, scope, shown) : []
    return {
      estateName,
      notices: lines.slice(0, pageSize).map(({ confirmTime: _time, ...line }) => line),
      hasMore: lines.length > pageSize,
      advertisements: pictures.map(({ id, title, media, linkUrl }) => ({
        id,
        title,
        linkUrl,
        mediaUrl: pictureUrl(app, scope, media),
      })),
    }
  }),
  anonymous(homeNotice, async ({ token, home: key, id, kind }, { app }): Promise<HomeNotice> => {
    const visitor = await visit(app, token, key)
    const { scope } = visitor
    const db = app.database.reader(scope.ownerId)
    const { line, home } = await requireOwnLine(db, visitor, scope.time, { kind, id })
    return {
      ...line,
      ...(await noticeContent(app, scope, line)),
      companyName: await findCompanyName(db, scope.ownerId),
      estateName: home.estateName,
      servicePhone: home.servicePhone,
    }
  }),
  anonymous(markHomeNotice, async ({ token, home: key, id, kind, isConfirmed }, { app }) => {
    const visitor = await visit(app, token, key)
    const { scope } = visitor
    await app.database.tx(scope.ownerId, async tx => {
      const { line, home } = await requireOwnLine(tx, visitor, scope.time, { kind, id })
      if (isConfirmed && !line.needConfirm) refuse('该公告无需确认')
      const to = isConfirmed ? 'confirmed' : 'read'
      if (advances(line.receipt, to)) {
        await mark(tx, { ...visitor, home }, { kind, id, to })
      }
    })
  }),
  anonymous(homeMatters, async ({ token, home: key }, { app }) => {
    const { home, scope } = await visit(app, token, key)
    const found = await findAll(
      app.database.reader(scope.ownerId),
      matter,
      scope,
      {},
      {
        where: [sql`t.state = ${code(matterState, 'published')}`, isOfProject(home.projectCode)],
        limit: 200,
      },
    )
    return {
      estateName: home.estateName,
      matters: found.map(({ id, title, category, steps, materials, place, hours, servicePhone }) => ({
        id,
        title,
        category,
        steps: openRichText(app, scope.ownerId, steps),
        materials,
        place,
        hours,
        servicePhone,
      })),
    }
  }),
  anonymous(clickAdvertisement, async ({ token, home: key, advertisementId }, { app, now }) => {
    const visitor = await visit(app, token, key)
    const { scope, home } = visitor
    const { projectCode } = home
    await app.database.tx(scope.ownerId, async tx => {
      const shown = await shownAdvertisements(tx, scope, {
        projectCode,
        position: 'app',
        today: dayOfMoment(now),
      })
      if (!shown.some(({ id }) => id === advertisementId)) throw notFound()
      await countClick(tx, visitor, advertisementId)
    })
  }),
]

registerResidentPart({
  key: 'notices',
  title: '公告',
  icon: 'notice',
  order: 10,
  path: paths.residentNotices,
  load: async ({ db, resident, home, now }) => {
    const reader = { resident, home }
    const time = `${now}+08:00`
    const [count, latest] = [
      await countWaiting(db, reader, time),
      await findOwnLines(db, reader, time, { offset: 0, limit: 3 }),
    ]
    return {
      ...(count ? { count } : {}),
      items: latest.map(({ kind, id, title, publishTime, receipt }) => ({
        title,
        note: publishTime.slice(5, 16),
        path: `${paths.residentNotice}?kind=${kind}&id=${id}`,
        isNew: receipt === 'unread',
      })),
    }
  },
})

registerResidentPart({
  key: 'matters',
  title: '办事指南',
  icon: 'matter',
  order: 30,
  path: paths.residentMatters,
  load: async ({ db, resident: { ownerId }, home }) => {
    const found = await db.one(sql`
      select 1 as found
      from matter t
      where t.owner_id = ${ownerId}
        and t.state = ${code(matterState, 'published')}
        and ${isOfProject(home.projectCode)}
        and ${notDeleted('t')}
      limit 1
    `)
    return found ? {} : undefined
  },
})
