import { parseId } from '#kit/domain/id.ts'
import { labelOf } from '#kit/contract/field.ts'
import { invalidInput, notFound, refuse } from '#kit/contract/wire.ts'
import type { App } from '#kit/server/app.ts'
import { omitUnlessPermitted } from '#kit/server/privacy.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { removeEntries } from '#kit/server/directory.ts'
import { reads, writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, codes } from '#kit/server/sql.ts'
import { findAll, findByIds, findPage, insert, remove, update, withAllFields } from '#kit/server/table.ts'
import {
  addManager,
  deleteManagers,
  editManager,
  getManager,
  listManagerOptions,
  listManagers,
  listOwnerCandidates,
  manager,
  managerState,
  managerType,
  resetPassword,
  setManagerState,
} from '../contract/manager.ts'
import { whyCannotCreate } from '../domain/granting.ts'
import { findPasswordChangeFault } from '../domain/password.ts'
import { registerLogin } from './company.ts'
import { notifyPermissionsChanged } from './account-notifications.ts'
import {
  auditManagerChange,
  endSessionsOnCommit,
  refreshSessionsOnCommit,
  refuseIf,
  requireGrantableRoles,
  requireManageableAccounts,
} from './granting.ts'
import { removeIdentitiesOf } from './identity-account.ts'
import { buildManagerQuery, managerFilters, withAccountDetails, type Manager } from './manager-list.ts'
import { assertSameStaff, loadStaffIds } from './staff-link.ts'
import { describeOpenWork, listOpenWork, publishAccountLeft } from './open-work.ts'
import { hashPassword } from './password.ts'
import { findAccountsMissingFactor } from './second-factor.ts'
import { menu } from '../module.ts'

const isActive = sql`t.state = ${code(managerState, 'on')}`

function assertCanGrantPrivacy(scope: Scope): void {
  if (!scope.canSeePersonalData) refuse('你不能查看完整手机号、证件号，因此也不能授予他人')
}

const hasDifferentItems = (a: readonly string[], b: readonly string[]): boolean =>
  a.length !== b.length || a.some(item => !b.includes(item))

const havePermissionsChanged = (before: Manager, after: Manager): boolean =>
  hasDifferentItems(after.roleIds ?? [], before.roleIds ?? []) ||
  after.managerType !== before.managerType ||
  after.showPrivacy !== before.showPrivacy

/** An account as the list shows it. */
async function withDetails(tx: Tx, scope: Scope, app: App, m: Manager): Promise<Manager> {
  const [detailed] = await withAccountDetails(tx, scope, app, [m])
  return detailed ?? m
}

/**
 * Tells an account what it may do now, and ends its sessions where it lacks a factor that it must have now.
 */
async function announcePermissions(tx: Tx, scope: Scope, app: App, managerRow: Manager): Promise<void> {
  const roles = (managerRow.roleNames ?? []).join('、') || '无'
  const privacy = managerRow.showPrivacy ? '，可查看完整手机号、证件号' : ''
  const text = `${labelOf(managerType, managerRow.managerType)}，角色：${roles}${privacy}`
  await notifyPermissionsChanged(tx, app, scope, [managerRow.id], text)
  const missing = await findAccountsMissingFactor(tx, scope.ownerId, [managerRow.id])
  endSessionsOnCommit(tx, app, scope.ownerId, missing)
}

export const managerHandlers = [
  reads(listManagers, async (input, { db, scope, app }) => {
    const { q, where } = buildManagerQuery(scope.ownerId, input)
    const page = await findPage(db, manager, scope, q, { filters: managerFilters, where })
    return { ...page, rows: await withAccountDetails(db, scope, app, page.rows) }
  }),
  reads(getManager, async ({ id }, { db, scope, app }) => {
    const found = await findByIds(db, manager, scope, [id])
    const [detailed] = await withAccountDetails(db, scope, app, found)
    if (!detailed) throw notFound()
    return detailed
  }),
  reads(listManagerOptions, async ({ keyword }, { db, scope }) => {
    const query = keyword === undefined ? {} : { keyword }
    const found = await findAll(db, manager, scope, query, { where: [isActive], limit: 500 })
    const options = found.map(({ id, realName, loginCode, headImage }) => ({
      id,
      realName,
      headImage,
      loginCode,
    }))
    return omitUnlessPermitted(scope, menu.manager.permissions.view, options, ['loginCode'])
  }),
  reads(listOwnerCandidates, async ({ all }, { db, scope, app }) => {
    const types = all ? codes(managerType, 'deputy', 'ordinary') : codes(managerType, 'deputy')
    const where = [isActive, sql`t.manager_type in ${types}`]
    return withAccountDetails(db, scope, app, await findAll(db, manager, scope, {}, { where }))
  }),

  writes(addManager, async ({ password, id: _id, ...draft }, { tx, scope, app }) => {
    refuseIf(whyCannotCreate(scope, draft.managerType))
    assertSameStaff(draft.staffId, undefined)
    const fault = findPasswordChangeFault(password, draft)
    if (fault) throw invalidInput([{ Field: 'Password', Message: fault }])
    if (draft.showPrivacy) {
      assertCanGrantPrivacy(scope)
    }
    await requireGrantableRoles(tx, scope, draft.roleIds ?? [])
    const passwordHash = await hashPassword(password)
    const created = await insert(tx, manager, scope, { ...draft, state: 'on', allProject: false })
    await registerLogin(tx, created.loginCode, { ownerId: scope.ownerId, refId: created.id })
    await tx.execute(
      sql`
        insert into manager_secret (owner_id, manager_id, password, must_change)
        values (${scope.ownerId}, ${created.id}, ${passwordHash}, true)
      `,
    )
    return withDetails(tx, scope, app, created)
  }),
  writes(editManager, async ({ id, version, ...draft }, { tx, scope, app }) => {
    if (!id) return refuse('缺少要修改的管理员')
    await requireManageableAccounts(tx, scope, [id])
    const [before] = await findByIds(tx, manager, scope, [id])
    if (!before) throw notFound()
    if (draft.staffId !== before.staffId) {
      assertSameStaff(draft.staffId, (await loadStaffIds(tx, scope.ownerId, [id])).get(id))
    }
    if (draft.managerType !== before.managerType) {
      refuseIf(whyCannotCreate(scope, draft.managerType))
    }
    if (draft.showPrivacy && !before.showPrivacy) {
      assertCanGrantPrivacy(scope)
    }
    await requireGrantableRoles(tx, scope, draft.roleIds ?? [], before.roleIds ?? [])
    const fields = Object.assign(withAllFields(editManager.input, draft), { loginCode: before.loginCode })
    const after = await update(tx, manager, scope, id, fields, { version })
    refreshSessionsOnCommit(tx, app, scope.ownerId, [id])
    // PERM-9: a forgotten password is reset through the mobile, so changing the mobile ends the open
    // sessions.
    if (after.mobile !== before.mobile) {
      endSessionsOnCommit(tx, app, scope.ownerId, [id])
    }
    const detailed = await withDetails(tx, scope, app, after)
    if (havePermissionsChanged(before, after)) {
      await announcePermissions(tx, scope, app, detailed)
    }
    return detailed
  }),
  writes(deleteManagers, async ({ ids, reason }, { tx, scope, app }) => {
    const managerIds = ids.map(parseId)
    for (const account of await requireManageableAccounts(tx, scope, managerIds)) {
      const work = await listOpenWork(tx, scope, account.operatorId)
      if (work.length) refuse(`「${account.name}」还有${describeOpenWork(work)}，请先用「离职交接」交给他人`)
    }
    await tx.execute(
      sql`
        update manager
        set state = ${code(managerState, 'off')}
        where owner_id = ${scope.ownerId} and id = any(${managerIds}::bigint[])
      `,
    )
    await remove(tx, manager, scope, ids, reason)
    await removeEntries(tx, 'login', scope.ownerId, managerIds)
    await removeIdentitiesOf(tx, scope, managerIds, '账号已删除')
    for (const id of managerIds) {
      await publishAccountLeft(tx, scope, id)
    }
    endSessionsOnCommit(tx, app, scope.ownerId, managerIds)
  }),

  writes(setManagerState, async ({ id, state, reason }, { tx, scope, app }) => {
    await requireManageableAccounts(tx, scope, [id])
    if (state === 'locked') return refuse('锁定由系统在密码连续错误时设置；需要禁止登录请用「停用」')
    if (state === 'off' && !reason)
      throw invalidInput([{ Field: 'Reason', Message: '停用账号请填写原因（2 到 200 字）' }])
    await update(tx, manager, scope, id, { state }, { reason })
    if (state !== 'off') return []
    endSessionsOnCommit(tx, app, scope.ownerId, [id])
    return (await listOpenWork(tx, scope, id)).map(({ what, count }) => ({ what, count }))
  }),
  writes(resetPassword, async ({ id, password }, { tx, scope, app }) => {
    await requireManageableAccounts(tx, scope, [id])
    const [account] = await findByIds(tx, manager, scope, [id])
    if (!account) throw notFound()
    const fault = findPasswordChangeFault(password, account)
    if (fault) throw invalidInput([{ Field: 'Password', Message: fault }])
    await tx.execute(
      sql`
        update manager_secret
        set password = ${await hashPassword(password)}, must_change = true,
          password_time = ${new Date(app.clock())}
        where owner_id = ${scope.ownerId} and manager_id = ${id}
      `,
    )
    await auditManagerChange(tx, scope, id, '重置密码')
    endSessionsOnCommit(tx, app, scope.ownerId, [id])
  }),
]
