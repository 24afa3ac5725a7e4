import { createHash } from 'node:crypto'
import type { Row } from '#kit/contract/entity.ts'
import { labelOf } from '#kit/contract/field.ts'
import { notFound, refuse, invalidInput } from '#kit/contract/wire.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findByIds, insert, findPage, remove, findAll, update, withAllFields } from '#kit/server/table.ts'
import type { App } from '#kit/server/app.ts'
import { live } from '#kit/server/sql.ts'
import {
  addManager,
  deleteManagers,
  editManager,
  listManagers,
  manager,
  getManager,
  getOpenWork,
  managerType,
  listManagerOptions,
  resetPassword,
  resignManager,
  listOwnerCandidates,
  setManagerState,
} from '../contract/manager.ts'
import { whyCannotCreate } from '../domain/granting.ts'
import { findPasswordChangeFault } from '../domain/password.ts'
import {
  requireGrantableRoles,
  auditManagerChange,
  refuseIf,
  refreshSessionsOnCommit,
  endSessionsOnCommit,
  requireManageableAccounts,
} from './granting.ts'
import { findAccountsMissingFactor } from './second-factor.ts'
import { notifyPermissionsChanged } from './account-notifications.ts'
import { hashPassword } from './password.ts'
import { listOpenWork } from './open-work.ts'
import { removeEntries } from '#kit/server/directory.ts'
import { registerLogin } from './company.ts'

type Manager = Row<typeof manager>

interface AccountDetails {
  id: number
  roleNames?: string[]
  totpOn: boolean
  mustChange: boolean
  sessions: number
  projects: number
}

/**
 * What stands beside an account in the lists: its roles by name, where it reaches, devices signed in, whether
 * it is locked now.
 */
export async function withAccountDetails(
  db: Db,
  scope: Scope,
  app: App,
  list: readonly Manager[],
): Promise<Manager[]> {
  if (!list.length) return []
  const ids = list.map(m => m.id)
  const now = new Date(app.clock())
  const keys = new Map(
    list.map(m => [createHash('sha256').update(m.loginCode.toLowerCase()).digest('hex'), m.id]),
  )
  const [aside, locks] = await Promise.all([
    db.rows<AccountDetails>(sql`
      select m.id,
        s.totp is not null as totp_on,
        s.must_change,
        (
          select array_agg(r.role_name order by r.role_name)
          from role r
          where r.owner_id = m.owner_id and ${live('r')} and r.id = any(m.role_ids::bigint[])
        ) as role_names,
        (
          select count(*)
          from session_token k
          where k.owner_id = m.owner_id
            and k.operator_id = m.id
            and k.end_time is null
            and k.expire_time > ${now}
        ) as sessions,
        (
          select count(*) from manager_data_domain d where d.owner_id = m.owner_id and d.manager_id = m.id
        ) as projects
      from manager m
      join manager_secret s on s.owner_id = m.owner_id and s.manager_id = m.id
      where m.owner_id = ${scope.ownerId} and m.id = any(${ids}::bigint[])
    `),
    app.database.reader('*').rows(lockedAccountsQuery([...keys.keys()], now)),
  ])
  const beside = new Map(aside.map(a => [a.id, a]))
  const locked = new Set(locks.map(l => keys.get(l.key)))
  return list.map(({ wechatOpenId, ...m }) => {
    const a = beside.get(m.id)
    return {
      ...m,
      roleNames: a?.roleNames ?? [],
      totpOn: a?.totpOn ?? false,
      mustChange: a?.mustChange ?? false,
      sessions: a?.sessions ?? 0,
      wechatBound: wechatOpenId !== undefined,
      place: m.allProject ? '全部项目' : a?.projects ? `${a.projects} 个项目` : '未分配',
      ...(locked.has(m.id) && m.state === 'on' ? { state: 'locked' as const } : {}),
    }
  })
}

const lockedAccountsQuery = (keys: readonly string[], now: Date) =>
  sql<{
    key: string
  }>`
    select encode(key, 'hex') as key
    from login_attempt
    where lock_until > ${now} and key in (select decode(k, 'hex') from unnest(${keys}::text[]) k)
  `

export const managerFilters = listManagers.input.filters!
const columnRef = (column: string) => sql.ref(`t.${column}`)

/** The list's own query, for its export too (EXP-1). */
export const buildManagerQuery = ({
  roleId,
  projectCode,
  starting,
  ...q
}: NonNullable<typeof listManagers.input.T>) => ({
  q,
  where: [
    ...(roleId === undefined ? [] : [sql`${String(roleId)} = any(${columnRef('role_ids')})`]),
    ...(projectCode === undefined
      ? []
      : [
          sql`(
            ${columnRef('all_project')}
            or exists (
              select 1
              from manager_data_domain d
              where d.owner_id = t.owner_id and d.manager_id = t.id and d.project_code = ${projectCode}
            )
          )`,
        ]),
    ...(starting === undefined
      ? []
      : [
          sql`(
            ${columnRef('last_login_time')} is null
            or exists (
              select 1
              from manager_secret s
              where s.owner_id = t.owner_id and s.manager_id = t.id and s.must_change
            )
          ) = ${starting}`,
        ]),
  ],
})

export const managerHandlers = [
  reads(listManagers, async (said, { db, scope, app }) => {
    const { q, where } = buildManagerQuery(said)
    const found = await findPage(db, manager, scope, q, { filters: managerFilters, where })
    return { ...found, rows: await withAccountDetails(db, scope, app, found.rows) }
  }),
  reads(
    getManager,
    async ({ id }, { db, scope, app }) =>
      (await withAccountDetails(db, scope, app, await findByIds(db, manager, scope, [id])))[0] ??
      throwAbsent(),
  ),
  reads(listManagerOptions, async ({ keyword }, { db, scope }) =>
    findAll(db, manager, scope, keyword === undefined ? {} : { keyword }, {
      where: [sql`${columnRef('state')} = 10`],
      limit: 500,
    }),
  ),
  reads(listOwnerCandidates, async ({ all }, { db, scope, app }) =>
    withAccountDetails(
      db,
      scope,
      app,
      await findAll(
        db,
        manager,
        scope,
        {},
        {
          where: [
            sql`${columnRef('state')} = 10`,
            all ? sql`${columnRef('manager_type')} in (20, 30)` : sql`${columnRef('manager_type')} = 20`,
          ],
        },
      ),
    ),
  ),

  writes(addManager, async ({ password, id: _, ...draft }, { tx, scope, app }) => {
    refuseIf(whyCannotCreate(scope, draft.managerType))
    const fault = findPasswordChangeFault(password, draft)
    if (fault) throw invalidInput([{ Field: 'Password', Message: fault }])
    if (draft.showPrivacy && !scope.canSeePersonalData) refuse('你不能查看完整手机证件，因此也不能授予别人')
    await requireGrantableRoles(tx, scope, draft.roleIds ?? [])
    const kept = await hashPassword(password)
    const made = await insert(tx, manager, scope, { ...draft, state: 'on', allProject: false })
    await registerLogin(tx, made.loginCode, { ownerId: scope.ownerId, refId: made.id })
    await tx.execute(
      sql`
        insert into manager_secret (owner_id, manager_id, password, must_change)
        values (${scope.ownerId}, ${made.id}, ${kept}, true)
      `,
    )
    return (await withAccountDetails(tx, scope, app, [made]))[0]!
  }),
  writes(editManager, async ({ id, version, ...draft }, { tx, scope, app }) => {
    if (!id) return refuse('缺少要修改的管理员')
    await requireManageableAccounts(tx, scope, [id])
    const [was] = await findByIds(tx, manager, scope, [id])
    if (!was) throw notFound()
    if (draft.managerType !== was.managerType) {
      refuseIf(whyCannotCreate(scope, draft.managerType))
    }
    if (draft.showPrivacy && !was.showPrivacy && !scope.canSeePersonalData)
      refuse('你不能查看完整手机证件，因此也不能授予别人')
    await requireGrantableRoles(tx, scope, draft.roleIds ?? [], was.roleIds ?? [])
    const is = await update(
      tx,
      manager,
      scope,
      id,
      Object.assign(withAllFields(editManager.input, draft), { loginCode: was.loginCode }),
      { version },
    )
    refreshSessionsOnCommit(tx, app, scope.ownerId, [id])
    // PERM-9: a mobile is a way in (found password), so changing it for somebody ends what is open under his
    // name.
    if (is.mobile !== was.mobile) {
      endSessionsOnCommit(tx, app, scope.ownerId, [id])
    }
    const [seen] = await withAccountDetails(tx, scope, app, [is])
    if (
      hasDifferentItems(is.roleIds ?? [], was.roleIds ?? []) ||
      is.managerType !== was.managerType ||
      is.showPrivacy !== was.showPrivacy
    ) {
      await notifyPermissionsChanged(
        tx,
        app,
        scope,
        [id],
        `${labelOf(managerType, is.managerType)}，角色：${(seen!.roleNames ?? []).join('、') || '无'}${is.showPrivacy ? '，可查看完整手机证件' : ''}`,
      )
      endSessionsOnCommit(tx, app, scope.ownerId, await findAccountsMissingFactor(tx, scope.ownerId, [id]))
    }
    return seen!
  }),
  writes(deleteManagers, async ({ ids, reason }, { tx, scope, app }) => {
    const all = await requireManageableAccounts(tx, scope, ids.map(Number))
    for (const p of all) {
      const works = await listOpenWork(tx, scope, p.operatorId)
      if (works.length)
        refuse(
          `「${p.name}」还有${works.map(w => `${w.what} ${w.count} 项`).join('、')}，请先用「离职交接」交给别人`,
        )
    }
    await tx.execute(
      sql`
        update manager
        set state = 20
        where owner_id = ${scope.ownerId} and id = any(${ids.map(Number)}::bigint[])
      `,
    )
    await remove(tx, manager, scope, ids, reason)
    await removeEntries(tx, 'login', scope.ownerId, ids.map(Number))
    endSessionsOnCommit(tx, app, scope.ownerId, ids.map(Number))
  }),

  writes(setManagerState, async ({ id, state, reason }, { tx, scope, app }) => {
    await requireManageableAccounts(tx, scope, [id])
    if (state === 'locked') return refuse('锁定由系统在密码连续错误时设置；需要禁止登录请用「停用」')
    if (state === 'off' && !reason)
      throw invalidInput([{ Field: 'Reason', Message: '停用账号请填写原因（2 到 200 字）' }])
    await update(tx, manager, scope, id, { state }, { reason })
    if (state === 'off') {
      endSessionsOnCommit(tx, app, scope.ownerId, [id])
    }
  }),
  writes(resetPassword, async ({ id, password }, { tx, scope, app }) => {
    await requireManageableAccounts(tx, scope, [id])
    const [m] = await findByIds(tx, manager, scope, [id])
    const fault = findPasswordChangeFault(password, m!)
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

  reads(getOpenWork, async ({ id }, { db, scope }) => listOpenWork(db, scope, id)),
  writes(resignManager, async ({ id, handTo, reason }, { tx, scope, app }) => {
    const [leaving] = await requireManageableAccounts(tx, scope, [id])
    const works = await listOpenWork(tx, scope, id)
    if (works.length && handTo === undefined)
      throw invalidInput([
        {
          Field: 'HandTo',
          Message: `还有${works.map(w => `${w.what} ${w.count} 项`).join('、')}，请选择交接人`,
        },
      ])
    if (handTo !== undefined) {
      const [to] = await findByIds(tx, manager, scope, [handTo], true)
      if (!to || to.state !== 'on' || handTo === id)
        throw invalidInput([{ Field: 'HandTo', Message: '交接人不存在或已停用，请另选一位' }])
      for (const w of works) {
        await w.work.handOver(tx, scope, id, handTo)
      }
    }
    await update(
      tx,
      manager,
      scope,
      id,
      { state: 'off', wechatOpenId: undefined },
      { reason: `${leaving!.name}离职：${reason}` },
    )
    endSessionsOnCommit(tx, app, scope.ownerId, [id])
    return works.map(({ what, count }) => ({ what, count }))
  }),
]

const hasDifferentItems = (a: readonly string[], b: readonly string[]): boolean =>
  a.length !== b.length || a.some(x => !b.includes(x))

const throwAbsent = (): never => {
  throw notFound()
}
