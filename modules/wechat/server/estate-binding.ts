import { refuse } from '#kit/contract/wire.ts'
import { defined } from '#kit/domain/defined.ts'
import { crudHandlers, joinServers } from '#kit/server/crud.ts'
import { bulkResultOf } from '#kit/server/bulk-result.ts'
import { anonymous, writes } from '#kit/server/handler.ts'
import { findAll, findByIds, insertAll, remove, requireById, update } from '#kit/server/table.ts'
import {
  bindEstates,
  getEstateQr,
  unbindEstates,
  wechatEstate,
  wechatEstates,
} from '../contract/estate-binding.ts'
import { wechatAccount } from '../contract/account.ts'
import { scopeOfCaller } from './account-context.ts'
import { requireStoredAccount } from './platform/account-store.ts'
import { callPlatform } from './platform/platform-client.ts'
import { refusePlatform } from './platform/refuse-platform.ts'

const bindHandler = writes(bindEstates, async ({ accountId, projectCodes }, { tx, scope, now }) => {
  const account = await requireById(tx, wechatAccount, scope, accountId, { lock: true })
  if (account.mpType === 'mini') return refuse('小程序不绑定项目，请选择服务号或订阅号')
  const codes = [...new Set(projectCodes)]
  const bound = await findAll(tx, wechatEstate, scope, {})
  const byProject = new Map(bound.map(row => [row.projectCode, row]))
  const isFree = (code: string): boolean => !byProject.has(code)
  const rows = codes.filter(isFree).map(projectCode => ({ projectCode, accountId, bindTime: now }))
  await insertAll(tx, wechatEstate, scope, rows)
  const refused = codes
    .filter(code => !isFree(code))
    .map(code => {
      const row = defined(byProject.get(code))
      const name = row.projectName ?? code
      const reason =
        row.accountId === accountId ? '已绑定此公众号' : `已绑定「${row.accountName ?? ''}」，请先解除`
      return { id: row.id, code: name, reason }
    })
  return { success: rows.length, fail: refused.length, skipped: 0, rows: refused }
})

const unbindHandler = writes(unbindEstates, async ({ ids, reason }, { tx, scope }) => {
  const found = await findByIds(tx, wechatEstate, scope, ids, { lock: true })
  await remove(
    tx,
    wechatEstate,
    scope,
    found.map(row => row.id),
    reason,
  )
  return bulkResultOf(ids, found, [])
})

const qrHandler = anonymous(getEstateQr, async ({ id }, c) => {
  const { app } = c
  const scope = scopeOfCaller(c)
  const reader = app.database.reader(scope.ownerId)
  const binding = await requireById(reader, wechatEstate, scope, id)
  const { projectName, projectCode } = binding
  if (binding.qrUrl !== undefined) return { url: binding.qrUrl, projectName }
  const account = await requireStoredAccount(app, reader, scope.ownerId, binding.accountId)
  const { url } = await refusePlatform(
    callPlatform<{ url: string }>(app, account, '/cgi-bin/qrcode/create', () => ({
      action_name: 'QR_LIMIT_STR_SCENE',
      action_info: { scene: { scene_str: projectCode } },
    })),
  )
  await app.database.tx(scope.ownerId, tx => update(tx, wechatEstate, scope, id, { qrUrl: url }))
  return { url, projectName }
})

export const bindingServer = joinServers(crudHandlers(wechatEstates, {}), {
  handlers: [bindHandler, unbindHandler, qrHandler],
})
