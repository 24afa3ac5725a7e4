import { createHash } from 'node:crypto'
import type { Row } from '#kit/contract/entity.ts'
import { labelOf } from '#kit/contract/field.ts'
import { absent, refuse, wrong } from '#kit/contract/wire.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handle.ts'
import type { Scope } from '#kit/server/scope.ts'
import { byIds, insert, page, remove, rows, update, whole } from '#kit/server/table.ts'
import type { World } from '#kit/server/world.ts'
import {
  addManager,
  deleteManagers,
  editManager,
  listManagers,
  manager,
  oneManager,
  openWork,
  managerType,
  pickManagers,
  resetPassword,
  resign,
  subAdmins,
  switchManager,
} from '../contract/manager.ts'
import { cannotMake } from '../domain/granting.ts'
import { changeFault } from '../domain/password.ts'
import { grantable, noteOf, orRefuse, rightsChanged, sessionsOver, touchable } from './granting.ts'
import { mustBindAmong } from './factor.ts'
import { tellRights } from './notices.ts'
import { hashPassword } from './password.ts'
import { worksOf } from './works.ts'

type Manager = Row<typeof manager>

interface Aside {
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
export async function dressed(
  db: Db,
  scope: Scope,
  world: World,
  list: readonly Manager[],
): Promise<Manager[]> {
  if (!list.length) return []
  const ids = list.map(m => m.id)
  const now = new Date(world.clock())
  const keys = new Map(
    list.map(m => [createHash('sha256').update(m.loginCode.toLowerCase()).digest('hex'), m.id]),
  )
  const [aside, locks] = await Promise.all([
    db.rows<Aside>(sql`
      select m.id,
        s.totp is not null as totp_on,
        s.must_change,
        (
          select array_agg(r.role_name order by r.role_name)
          from role r
          where r.owner_id = m.owner_id and r.delete_tag = 0 and r.id = any(m.role_ids::bigint[])
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
    world.store.reader('*').rows(lockQuery([...keys.keys()], now)),
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

const lockQuery = (keys: readonly string[], now: Date) =>
  sql<{
    key: string
  }>`
    select encode(key, 'hex') as key
    from login_attempt
    where lock_until > ${now} and key in (select decode(k, 'hex') from unnest(${keys}::text[]) k)
  `

export const filters = listManagers.input.filters!
const t = (column: string) => sql.ref(`t.${column}`)

/** The list's own query, for its export too (EXP-1). */
export const managersAsked = ({
  roleId,
  projectCode,
  starting,
  ...q
}: NonNullable<typeof listManagers.input.T>) => ({
  q,
  where: [
    ...(roleId === undefined ? [] : [sql`${String(roleId)} = any(${t('role_ids')})`]),
    ...(projectCode === undefined
      ? []
      : [
          sql`(
            ${t('all_project')}
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
            ${t('last_login_time')} is null
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
  reads(listManagers, async (said, { db, scope, world }) => {
    const { q, where } = managersAsked(said)
    const found = await page(db, manager, scope, q, { filters, where })
    return { ...found, rows: await dressed(db, scope, world, found.rows) }
  }),
  reads(
    oneManager,
    async ({ id }, { db, scope, world }) =>
      (await dressed(db, scope, world, await byIds(db, manager, scope, [id])))[0] ?? absently(),
  ),
  reads(pickManagers, async ({ keyword }, { db, scope }) =>
    rows(db, manager, scope, keyword === undefined ? {} : { keyword }, {
      where: [sql`${t('state')} = 10`],
      limit: 500,
    }),
  ),
  reads(subAdmins, async ({ all }, { db, scope, world }) =>
    dressed(
      db,
      scope,
      world,
      await rows(
        db,
        manager,
        scope,
        {},
        {
          where: [
            sql`${t('state')} = 10`,
            all ? sql`${t('manager_type')} in (20, 30)` : sql`${t('manager_type')} = 20`,
          ],
        },
      ),
    ),
  ),

  writes(addManager, async ({ password, id: _, ...draft }, { tx, scope, world }) => {
    orRefuse(cannotMake(scope, draft.managerType))
    const fault = changeFault(password, draft)
    if (fault) throw wrong([{ Field: 'Password', Message: fault }])
    if (draft.showPrivacy && !scope.privacy) refuse('你不能查看完整手机证件，因此也不能授予别人')
    await grantable(tx, scope, draft.roleIds ?? [])
    const kept = await hashPassword(password)
    const made = await insert(tx, manager, scope, { ...draft, state: 'on', allProject: false })
    await tx.run(
      sql`
        insert into manager_secret (owner_id, manager_id, password, must_change)
        values (${scope.ownerId}, ${made.id}, ${kept}, true)
      `,
    )
    return (await dressed(tx, scope, world, [made]))[0]!
  }),
  writes(editManager, async ({ id, version, ...draft }, { tx, scope, world }) => {
    if (!id) return refuse('缺少要修改的管理员')
    await touchable(tx, scope, [id])
    const [was] = await byIds(tx, manager, scope, [id])
    if (!was) throw absent()
    if (draft.managerType !== was.managerType) {
      orRefuse(cannotMake(scope, draft.managerType))
    }
    if (draft.showPrivacy && !was.showPrivacy && !scope.privacy)
      refuse('你不能查看完整手机证件，因此也不能授予别人')
    await grantable(tx, scope, draft.roleIds ?? [], was.roleIds ?? [])
    const is = await update(
      tx,
      manager,
      scope,
      id,
      Object.assign(whole(editManager.input, draft), { loginCode: was.loginCode }),
      { version },
    )
    rightsChanged(tx, world, scope.ownerId, [id])
    // PERM-9: a mobile is a way in (found password), so changing it for somebody ends what is open under his
    // name.
    if (is.mobile !== was.mobile) {
      sessionsOver(tx, world, scope.ownerId, [id])
    }
    const [seen] = await dressed(tx, scope, world, [is])
    if (
      different(is.roleIds ?? [], was.roleIds ?? []) ||
      is.managerType !== was.managerType ||
      is.showPrivacy !== was.showPrivacy
    ) {
      await tellRights(
        tx,
        world,
        scope,
        [id],
        `${labelOf(managerType, is.managerType)}，角色：${(seen!.roleNames ?? []).join('、') || '无'}${is.showPrivacy ? '，可查看完整手机证件' : ''}`,
      )
      sessionsOver(tx, world, scope.ownerId, await mustBindAmong(tx, scope.ownerId, [id]))
    }
    return seen!
  }),
  writes(deleteManagers, async ({ ids, reason }, { tx, scope, world }) => {
    const all = await touchable(tx, scope, ids.map(Number))
    for (const p of all) {
      const works = await worksOf(tx, scope, p.operatorId)
      if (works.length)
        refuse(
          `「${p.name}」还有${works.map(w => `${w.what} ${w.count} 项`).join('、')}，请先用「离职交接」交给别人`,
        )
    }
    await tx.run(
      sql`
        update manager
        set state = 20
        where owner_id = ${scope.ownerId} and id = any(${ids.map(Number)}::bigint[])
      `,
    )
    await remove(tx, manager, scope, ids, reason)
    sessionsOver(tx, world, scope.ownerId, ids.map(Number))
  }),

  writes(switchManager, async ({ id, state, reason }, { tx, scope, world }) => {
    await touchable(tx, scope, [id])
    if (state === 'locked') return refuse('锁定由系统在密码连续错误时设置；需要禁止登录请用「停用」')
    if (state === 'off' && !reason)
      throw wrong([{ Field: 'Reason', Message: '停用账号请填写原因（2 到 200 字）' }])
    await update(tx, manager, scope, id, { state }, { reason })
    if (state === 'off') {
      sessionsOver(tx, world, scope.ownerId, [id])
    }
  }),
  writes(resetPassword, async ({ id, password }, { tx, scope, world }) => {
    await touchable(tx, scope, [id])
    const [m] = await byIds(tx, manager, scope, [id])
    const fault = changeFault(password, m!)
    if (fault) throw wrong([{ Field: 'Password', Message: fault }])
    await tx.run(
      sql`
        update manager_secret
        set password = ${await hashPassword(password)}, must_change = true,
          password_time = ${new Date(world.clock())}
        where owner_id = ${scope.ownerId} and manager_id = ${id}
      `,
    )
    await noteOf(tx, scope, id, '重置密码')
    sessionsOver(tx, world, scope.ownerId, [id])
  }),

  reads(openWork, async ({ id }, { db, scope }) => worksOf(db, scope, id)),
  writes(resign, async ({ id, handTo, reason }, { tx, scope, world }) => {
    const [leaving] = await touchable(tx, scope, [id])
    const works = await worksOf(tx, scope, id)
    if (works.length && handTo === undefined)
      throw wrong([
        {
          Field: 'HandTo',
          Message: `还有${works.map(w => `${w.what} ${w.count} 项`).join('、')}，请选择交接人`,
        },
      ])
    if (handTo !== undefined) {
      const [to] = await byIds(tx, manager, scope, [handTo], true)
      if (!to || to.state !== 'on' || handTo === id)
        throw wrong([{ Field: 'HandTo', Message: '交接人不存在或已停用，请另选一位' }])
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
    sessionsOver(tx, world, scope.ownerId, [id])
    return works.map(({ what, count }) => ({ what, count }))
  }),
]

const different = (a: readonly string[], b: readonly string[]): boolean =>
  a.length !== b.length || a.some(x => !b.includes(x))

const absently = (): never => {
  throw absent()
}
