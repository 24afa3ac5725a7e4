import type { Id } from '#kit/domain/id.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { hasProject, type Scope } from '#kit/server/scope.ts'
import type { App } from '#kit/server/app.ts'
import {
  setMailAddressLookup,
  setPermissionHolderLookup,
  defineNotificationKind,
  notify,
  type NotificationKind,
} from '#modules/system/server/public.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { managerState } from '../contract/manager.ts'
import { lockAfterFailures } from '../domain/login-attempts.ts'
import { formatDeviceName } from '../domain/device-name.ts'
import { loadActiveCallers } from './caller.ts'
import { paths } from '../module.ts'

const personCentrePath = paths.personCentre

const ownerChangedKind = defineNotificationKind({
  key: 'accounts.owner',
  label: '超级管理员移交',
  group: 'system',
  level: 'important',
  mandatory: true,
})

const accountLockedKind = defineNotificationKind({
  key: 'accounts.locked',
  label: '账号被锁定',
  group: 'system',
  level: 'important',
  mandatory: true,
})

const secondFactorResetKind = defineNotificationKind({
  key: 'accounts.factor',
  label: '二次验证被重置',
  group: 'system',
  level: 'important',
  mandatory: true,
})

const wechatBindingKind = defineNotificationKind({
  key: 'accounts.wechat',
  label: '微信绑定变更',
  group: 'system',
  mandatory: true,
})

const emailBindingKind = defineNotificationKind({
  key: 'accounts.email',
  label: '邮箱绑定变更',
  group: 'system',
  mandatory: true,
})

const identityBindingKind = defineNotificationKind({
  key: 'accounts.identity',
  label: '统一身份绑定变更',
  group: 'system',
  mandatory: true,
})

const newDeviceKind = defineNotificationKind({ key: 'accounts.device', label: '新设备登录', group: 'system' })
const permissionsChangedKind = defineNotificationKind({
  key: 'accounts.rights',
  label: '我的权限变更',
  group: 'system',
})

// Asked on events only.
setPermissionHolderLookup(async (tx, ownerId, permission, project) =>
  (await loadActiveCallers(tx, ownerId))
    .filter(caller => !permission || caller.isOwner || caller.permissions.has(permission.key))
    .filter(caller => !permission || project === undefined || hasProject(caller.domain, project))
    .map(caller => caller.operatorId),
)

setMailAddressLookup(async (db, ownerId, ids) => {
  const rows = await db.rows<{ id: Id; email: string }>(
    sql`
      select id, email
      from manager
      where owner_id = ${ownerId}
        and id = any(${[...ids]}::bigint[])
        and email is not null
        and state = ${code(managerState, 'on')}
        and ${notDeleted()}
    `,
  )
  return new Map(rows.map(row => [row.id, row.email]))
})

interface NotifiedAccount {
  readonly ownerId: Id
  readonly id: Id
  readonly realName: string
}

export const notifyOwnerChanged = async (
  tx: Tx,
  app: App,
  from: NotifiedAccount,
  to: NotifiedAccount,
): Promise<void> => {
  await notify(tx, app, from.ownerId, {
    kind: ownerChangedKind,
    to: [from.id],
    title: `你已把超级管理员移交给「${to.realName}」`,
    text: '你现在是子管理员，只有新的超级管理员可以移交回来。',
    link: personCentrePath,
  })
  await notify(tx, app, from.ownerId, {
    kind: ownerChangedKind,
    to: [to.id],
    title: `「${from.realName}」已把超级管理员移交给你`,
    text: '你现在不受角色和数据范围限制。如非双方约定，请立即联系对方。',
    link: personCentrePath,
  })
}

export const notifyAccountLocked = (
  tx: Tx,
  app: App,
  account: NotifiedAccount,
  ip: string,
  until: string,
): Promise<unknown> =>
  notify(tx, app, account.ownerId, {
    kind: accountLockedKind,
    to: [account.id],
    title: `你的密码被连续输错 ${lockAfterFailures} 次，账号锁定到 ${until.slice(11, 16)}`,
    text: `来自 ${ip}。如非本人操作，请尽快修改密码，并开启动态验证码。`,
    link: personCentrePath,
  })

/** To an account that signs in from a device that it never used before; not for its very first one. */
export async function notifyNewDevice(
  tx: Tx,
  app: App,
  account: NotifiedAccount,
  agent: string,
  ip: string,
): Promise<void> {
  const { ownerId, id } = account
  const earlier = await tx.one<{ any: boolean; sameDevice: boolean }>(
    sql`
      select exists (
        select 1 from session_token where owner_id = ${ownerId} and operator_id = ${id}
      ) as "any",
        exists (
          select 1
          from session_token
          where owner_id = ${ownerId} and operator_id = ${id} and agent = ${agent.slice(0, 200)}
        ) as same_device
    `,
  )
  if (!earlier?.any || earlier.sameDevice) return
  await notify(tx, app, ownerId, {
    kind: newDeviceKind,
    to: [id],
    title: `你的账号在新设备上登录：${formatDeviceName(agent)}`,
    text: `登录地址 ${ip}。如非本人操作，请在「登录设备」中退出它并修改密码。`,
    link: personCentrePath,
  })
}

/** To accounts that have signed in before: for the others there is no change to tell. */
export async function notifyPermissionsChanged(
  tx: Tx,
  app: App,
  scope: Scope,
  ids: readonly Id[],
  text: string,
): Promise<void> {
  const rows = await tx.rows<{ id: Id }>(
    sql`
      select id
      from manager
      where owner_id = ${scope.ownerId} and id = any(${ids}::bigint[]) and last_login_time is not null
    `,
  )
  await notify(tx, app, scope.ownerId, {
    kind: permissionsChangedKind,
    to: rows.map(row => row.id),
    exceptOperatorId: scope.operatorId,
    title: `${scope.name}修改了你的权限，已经生效`,
    text,
    link: personCentrePath,
  })
}

export const notifySecondFactorReset = (tx: Tx, app: App, scope: Scope, id: Id): Promise<unknown> =>
  notify(tx, app, scope.ownerId, {
    kind: secondFactorResetKind,
    to: [id],
    title: `${scope.name}重置了你的二次验证`,
    text: '原动态验证码和恢复码已失效，请重新绑定。如非本人要求，请联系超级管理员。',
    link: personCentrePath,
  })

/** Informs the holder of an account what is bound to it now, or no longer. */
const notifyBindingChanged = (
  tx: Tx,
  app: App,
  account: Pick<NotifiedAccount, 'ownerId' | 'id'>,
  notice: { readonly kind: NotificationKind; readonly title: string; readonly text: string },
): Promise<unknown> =>
  notify(tx, app, account.ownerId, { ...notice, to: [account.id], link: personCentrePath })

export const notifyWechatBindingChanged = (
  tx: Tx,
  app: App,
  account: Pick<NotifiedAccount, 'ownerId' | 'id'>,
  change: 'bound' | 'unbound',
): Promise<unknown> =>
  notifyBindingChanged(tx, app, account, {
    kind: wechatBindingKind,
    title: change === 'bound' ? '微信已绑定到你的账号' : '微信已与你的账号解除绑定',
    text: '如非本人操作，请尽快修改密码。',
  })

export const notifyEmailChanged = (
  tx: Tx,
  app: App,
  account: Pick<NotifiedAccount, 'ownerId' | 'id'>,
  email: string | undefined,
): Promise<unknown> =>
  notifyBindingChanged(tx, app, account, {
    kind: emailBindingKind,
    title: email === undefined ? '邮箱已与你的账号解除绑定' : `邮箱 ${email} 已绑定到你的账号`,
    text: '如非本人操作，请尽快修改密码。',
  })

export const notifyIdentityChanged = (
  tx: Tx,
  app: App,
  account: Pick<NotifiedAccount, 'ownerId' | 'id'>,
  change: 'bound' | 'unbound',
): Promise<unknown> =>
  notifyBindingChanged(tx, app, account, {
    kind: identityBindingKind,
    title: change === 'bound' ? '统一身份已绑定到你的账号' : '统一身份已与你的账号解除绑定',
    text: '如非本人操作，请尽快修改密码并联系管理员。',
  })
