import { invalidField, refuse, staleVersion } from '#kit/contract/wire.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { anonymous, reads, uniqueMessages, writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findAll, insert, requireById, update } from '#kit/server/table.ts'
import { wechatAccount, type WechatAccount } from '../contract/account.ts'
import {
  getWechatMenu,
  publishWechatMenu,
  saveWechatMenu,
  wechatMenu,
  type WechatMenu,
} from '../contract/menu.ts'
import { menuFaults, platformMenu } from '../domain/menu.ts'
import { scopeOfCaller } from './account-context.ts'
import { digestOf } from './callback-message.ts'
import { requireStoredAccount } from './platform/account-store.ts'
import { callPlatform } from './platform/platform-client.ts'
import { refusePlatform } from './platform/refuse-platform.ts'

uniqueMessages({ wechat_menu_live: '菜单刚被他人保存，请刷新后重试' })

async function findMenu(db: Db, scope: Scope, accountId: Id): Promise<WechatMenu | undefined> {
  const [found] = await findAll(db, wechatMenu, scope, {}, { where: [sql`t.account_id = ${accountId}`] })
  return found
}

const menuDigest = (buttons: WechatMenu['buttons']): string =>
  digestOf(JSON.stringify(platformMenu(buttons ?? [])))

const getHandler = reads(getWechatMenu, async ({ accountId }, { db, scope }) => {
  await requireById(db, wechatAccount, scope, accountId)
  const found = await findMenu(db, scope, accountId)
  if (!found) return { buttons: [], isPublished: false, version: 0 }
  const published = await db.one<{ digest?: string }>(sql`
    select run_published_digest as digest
    from wechat_menu
    where owner_id = ${scope.ownerId} and id = ${found.id}
  `)
  const { buttons, publishTime, version } = found
  return {
    buttons,
    publishTime,
    version: version ?? 0,
    isPublished: published?.digest === menuDigest(buttons),
  }
})

function assertHasMenu({ mpType }: Pick<WechatAccount, 'mpType'>): void {
  if (mpType === 'mini') refuse('小程序没有自定义菜单，请选择服务号或订阅号')
}

const saveHandler = writes(saveWechatMenu, async ({ accountId, buttons = [], version }, { tx, scope }) => {
  assertHasMenu(await requireById(tx, wechatAccount, scope, accountId, { lock: true }))
  const [fault] = menuFaults(buttons)
  if (fault !== undefined) throw invalidField('Menus', fault)
  const found = await findMenu(tx, scope, accountId)
  if (!found) {
    if (version) throw staleVersion()
    return insert(tx, wechatMenu, scope, { accountId, buttons })
  }
  return update(tx, wechatMenu, scope, found.id, { buttons }, { version })
})

const publishHandler = anonymous(publishWechatMenu, async ({ accountId }, c) => {
  const { app } = c
  const scope = scopeOfCaller(c)
  const reader = app.database.reader(scope.ownerId)
  const account = await requireStoredAccount(app, reader, scope.ownerId, accountId)
  assertHasMenu({ mpType: account.type })
  const found = await findMenu(reader, scope, accountId)
  if (!found || !(found.buttons?.length || found.publishTime)) return refuse('请先添加菜单并保存')
  const { id, buttons = [] } = found
  // The platform takes no menu without buttons: it is deleted there.
  await refusePlatform(
    buttons.length
      ? callPlatform(app, account, '/cgi-bin/menu/create', () => platformMenu(buttons))
      : callPlatform(app, account, '/cgi-bin/menu/delete'),
  )
  const publishTime = fromInstant(app.clock())
  await app.database.tx(scope.ownerId, async tx => {
    await update(tx, wechatMenu, scope, id, { publishTime }, { reason: '发布菜单' })
    await tx.execute(sql`
      update wechat_menu
      set run_published_digest = ${menuDigest(buttons)}
      where owner_id = ${scope.ownerId} and id = ${id}
    `)
  })
  return { publishTime }
})

export const menuHandlers = [getHandler, saveHandler, publishHandler]
