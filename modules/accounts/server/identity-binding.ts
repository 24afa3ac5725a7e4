import { notFound, refuse } from '#kit/contract/wire.ts'
import { parseId, type Id } from '#kit/domain/id.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { anonymous, reads, uniqueMessages, writes, type WriteContext } from '#kit/server/handler.ts'
import { findByIds, remove } from '#kit/server/table.ts'
import {
  beginIdentityBinding,
  finishIdentityBinding,
  getOwnIdentity,
  unbindOwnIdentity,
} from '../contract/identity-sign-in.ts'
import {
  bindManagerIdentity,
  managerIdentities,
  managerIdentity,
  unbindManagerIdentities,
  type ManagerIdentity,
} from '../contract/manager-identity.ts'
import { notifyIdentityChanged } from './account-notifications.ts'
import { requireManageableAccounts } from './granting.ts'
import { accountScope, bindIdentity, findOwnIdentity } from './identity-account.ts'
import { findProvider, requireProvider } from './identity-provider-store.ts'
import { depart, endRequest, proveReturn } from './identity-request.ts'
import { requireOwnPassword } from './identity-check.ts'
import { requireCaller } from './request-actor.ts'

uniqueMessages({
  manager_identity_subject_live: '该身份已绑定本公司的其他账号，请先解除绑定',
  manager_identity_manager_live: '该账号已绑定统一身份，请先解除绑定',
})

async function bindForManager(
  { managerId, subject }: { readonly managerId: Id; readonly subject: string },
  { tx, scope, app }: WriteContext,
): Promise<ManagerIdentity> {
  await requireManageableAccounts(tx, scope, [managerId])
  const provider = await findProvider(app, tx, scope.ownerId)
  if (!provider) return refuse('请先填写「统一身份认证」的设置')
  const bound = await bindIdentity(tx, scope, { provider, subject }, { managerId, boundBy: 'admin' })
  await notifyIdentityChanged(tx, app, { ownerId: scope.ownerId, id: managerId }, 'bound')
  return bound
}

async function unbindForManagers(
  { ids, reason }: { readonly ids: readonly string[]; readonly reason: string },
  { tx, scope, app }: WriteContext,
): Promise<void> {
  const found = await findByIds(tx, managerIdentity, scope, ids.map(parseId), { lock: true })
  if (found.length !== new Set(ids).size) throw notFound()
  const managerIds = [...new Set(found.map(({ managerId }) => managerId))]
  await requireManageableAccounts(tx, scope, managerIds)
  await remove(tx, managerIdentity, scope, ids, reason)
  for (const id of managerIds) {
    await notifyIdentityChanged(tx, app, { ownerId: scope.ownerId, id }, 'unbound')
  }
}

const managerHandlers = [
  ...crudHandlers(managerIdentities).handlers,
  writes(bindManagerIdentity, bindForManager),
  writes(unbindManagerIdentities, unbindForManagers),
]

const ownHandlers = [
  reads(getOwnIdentity, async (_, { db, scope, app }) => {
    const provider = await findProvider(app, db, scope.ownerId)
    if (!provider?.isEnabled) return { isAvailable: false, isBound: false }
    const own = await findOwnIdentity(db, provider, scope.operatorId)
    return {
      isAvailable: true,
      isBound: own !== undefined,
      ...(own?.displayName === undefined ? {} : { displayName: own.displayName }),
    }
  }),
  anonymous(beginIdentityBinding, async ({ password, origin }, c) => {
    const { ownerId, operatorId } = requireCaller(c)
    await requireOwnPassword(c, requireCaller(c), password)
    return depart(c, 'bind', { ownerId, managerId: operatorId }, origin)
  }),
  anonymous(finishIdentityBinding, async (input, c) => {
    const { ownerId, operatorId, name } = requireCaller(c)
    const identity = await proveReturn(c, 'bind', input)
    await endRequest(c, input)
    if (identity.provider.ownerId !== ownerId || identity.managerId !== operatorId)
      refuse('绑定期间换了登录的账号，请重新绑定')
    const account = { ownerId, id: operatorId, realName: name }
    await c.app.database.tx(ownerId, async tx => {
      await bindIdentity(tx, accountScope(c, account), identity, { managerId: operatorId, boundBy: 'self' })
      await notifyIdentityChanged(tx, c.app, account, 'bound')
    })
  }),
  anonymous(unbindOwnIdentity, async ({ password }, c) => {
    const caller = requireCaller(c)
    const account = await requireOwnPassword(c, caller, password)
    const provider = await requireProvider(c.app, caller.ownerId)
    await c.app.database.tx(caller.ownerId, async tx => {
      const own = await findOwnIdentity(tx, provider, caller.operatorId)
      if (!own) return refuse('你的账号未绑定统一身份')
      await remove(tx, managerIdentity, accountScope(c, account), [own.id], '本人解除绑定')
      await notifyIdentityChanged(tx, c.app, account, 'unbound')
    })
  }),
]

export const identityBindingHandlers = [...managerHandlers, ...ownHandlers]
