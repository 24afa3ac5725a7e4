import { dayOfMoment } from '#kit/domain/moment.ts'
import { refuse } from '#kit/contract/wire.ts'
import type { Moment } from '#kit/contract/field.ts'
import { audit } from '#kit/server/audit.ts'
import type { App } from '#kit/server/app.ts'
import { crudHandlers, joinServers } from '#kit/server/crud.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { anonymous, reads, writes } from '#kit/server/handler.ts'
import { openRichText } from '#kit/server/rich-text.ts'
import { clockScope, type Scope } from '#kit/server/scope.ts'
import { findAll, findByIds, requireById } from '#kit/server/table.ts'
import { findEstateFacts } from '#modules/estates/server/public.ts'
import { publicNotice, type PublicNotice } from '../contract/notice.ts'
import {
  getScreenLink,
  noticeScreen,
  noticeScreensCrud,
  openScreen,
  renewScreenLink,
  type NoticeScreen,
  type ScreenContent,
} from '../contract/screen.ts'
import { pictureUrl, shownAdvertisements } from './advertisements.ts'
import { screenLink } from './screen-link.ts'
import { isForPlaces, isShown, type Place } from './shown-notices.ts'

const maxNotices = 30

const noticesOf = (db: Db, scope: Scope, screen: NoticeScreen): Promise<readonly PublicNotice[]> => {
  const place: Place = { projectCode: screen.projectCode, buildCode: screen.buildCode }
  return findAll(
    db,
    publicNotice,
    scope,
    {},
    { where: [isShown('screen', scope.time), isForPlaces([place], 'screen')], limit: maxNotices },
  )
}

async function contentOf(app: App, screen: NoticeScreen, scope: Scope, now: Moment): Promise<ScreenContent> {
  const db = app.database.reader(scope.ownerId)
  const { projectCode, position } = screen
  const shown = await noticesOf(db, scope, screen)
  const pictures = await shownAdvertisements(db, scope, { projectCode, position, today: dayOfMoment(now) })
  return {
    ...(await findEstateFacts(db, scope.ownerId, projectCode)),
    screenName: screen.screenName,
    turnSeconds: screen.turnSeconds,
    time: now,
    notices: shown.map(({ id, title, noticeType, publishTime, content }) => ({
      id,
      title,
      noticeType,
      publishTime: publishTime ?? now,
      content: openRichText(app, scope.ownerId, content),
    })),
    advertisements: pictures.map(({ id, title, media }) => ({
      id,
      title,
      mediaUrl: pictureUrl(app, scope, media),
    })),
  }
}

/** Once a minute at most: a screen asks every minute, and more often where it is opened twice. */
const markSeen = (app: App, { id }: NoticeScreen, { ownerId, time }: Scope): Promise<number> =>
  app.database.tx(ownerId, tx =>
    tx.execute(sql`
      update notice_screen
      set seen_time = ${time}::timestamptz
      where owner_id = ${ownerId}
        and id = ${id}
        and (seen_time is null or seen_time < ${new Date(app.clock() - 50_000)})
    `),
  )

const linkHandlers = [
  anonymous(openScreen, async ({ token }, { app, now }) => {
    const link = await screenLink.read(app, token)
    const scope = clockScope(app, link.ownerId)
    const [screen] = await findByIds(app.database.reader(link.ownerId), noticeScreen, scope, [link.id])
    if (!screen) throw screenLink.invalid()
    if (screen.state !== 'on') return refuse('信息屏已停用，请联系物业启用')
    await markSeen(app, screen, scope)
    return contentOf(app, screen, scope, now)
  }),
  reads(getScreenLink, async ({ screenId }, { app, db, scope }) => {
    const { id } = await requireById(db, noticeScreen, scope, screenId)
    return screenLink.current(app, scope.ownerId, id)
  }),
  writes(renewScreenLink, async ({ screenId, isVoid = false, reason }, { tx, scope }) => {
    const screen = await requireById(tx, noticeScreen, scope, screenId, { lock: true })
    await screenLink.renew(tx, scope.ownerId, screen, isVoid)
    await audit(tx, scope, [
      {
        action: 'state',
        entity: noticeScreen.name,
        entityId: screen.id,
        projectCode: screen.projectCode,
        reason: `${isVoid ? '作废' : '更换'}信息屏链接：${reason}`,
      },
    ])
  }),
]

export const screenServer = joinServers(
  crudHandlers(noticeScreensCrud, { unique: { notice_screen_name_live: '该项目已有同名的信息屏' } }),
  { handlers: linkHandlers },
)
