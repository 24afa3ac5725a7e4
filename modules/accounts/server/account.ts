import { absent, Refused, code, wrong } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql } from '#kit/server/db.ts'
import { greets, reads, writes } from '#kit/server/handle.ts'
import { modules } from '#modules/index.ts'
import { account, changeHead, changePassword, rememberProject } from '../contract/account.ts'
import { myMenus } from '../contract/permission.ts'
import { menuTree } from '../domain/rights.ts'
import { changeFault } from '../domain/password.ts'
import { lockedWords, wrongWords } from '../domain/attempts.ts'
import { claimTry, wipeTries } from './attempts.ts'
import { hashPassword, isPassword } from './password.ts'
import { asksFactor, knownById, type Known } from './sign-in.ts'
import { signedManagerOf } from './welcome.ts'

const at = (field: string, message: string, data: object = {}): Refused =>
  new Refused(code.refused, message, { Field: field, ...data })

export const accountHandlers = [
  reads(myMenus, async (_, { db, scope }) => {
    // A menu that the chosen project does not show is left out; its calls stay governed by rights alone.
    const closed = new Set(
      (
        await db.rows<{ menuCode: string }>(
          sql`
            select menu_code
            from project_menu
            where owner_id = ${scope.ownerId} and project_code = ${scope.projectCode}
          `,
        )
      ).map(r => r.menuCode),
    )
    return menuTree(
      modules.filter(p => !scope.without?.has(p.name)),
      key => (scope.owner || scope.permissions.has(key)) && !closed.has(key.slice(0, key.lastIndexOf('.'))),
    )
  }),

  reads(account, async (_, { db, scope }) => {
    type Own = Known & {
      roleNames?: string[]
      passwordTime: string
      totpOn: boolean
      totpNeeded: boolean
      recoveryLeft: number
      wechatBound: boolean
      lastLoginTime?: string
      lastLoginIp?: string
      expireDate?: string
    }
    const m = await db.one<Own>(sql`
        select m.owner_id,
          m.id,
          m.login_code,
          m.real_name,
          m.mobile,
          m.head_image,
          m.manager_type,
          m.last_login_time,
          m.last_login_ip,
          m.wechat_open_id is not null as wechat_bound,
          p.company_name,
          p.idle_minutes,
          p.expire_date,
          s.must_change,
          s.totp is null and ${asksFactor} as must_bind,
          ${asksFactor} as totp_needed,
          coalesce(cardinality(s.recovery), 0) as recovery_left,
          s.password_time,
          s.totp is not null as totp_on,
          (
            select array_agg(r.role_name order by r.role_name)
            from role r
            where r.owner_id = m.owner_id and r.delete_tag = 0 and r.id = any(m.role_ids::bigint[])
          ) as role_names
        from manager m
        join property p on p.owner_id = m.owner_id and p.id = m.owner_id
        join manager_secret s on s.owner_id = m.owner_id and s.manager_id = m.id
        where m.owner_id = ${scope.ownerId} and m.id = ${scope.operatorId}
      `)
    if (!m) throw absent()
    const {
      lastLoginTime,
      lastLoginIp,
      expireDate,
      roleNames,
      passwordTime,
      totpOn,
      totpNeeded,
      recoveryLeft,
      wechatBound,
    } = m
    return Object.assign(
      {
        ...signedManagerOf(m),
        allProject: scope.domain.all,
        projectCodes: [...scope.domain.projects.keys()],
        showPrivacy: scope.privacy,
        passwordTime,
        totpOn,
        totpNeeded,
        recoveryLeft,
        wechatBound,
      },
      roleNames && { roleNames },
      lastLoginTime !== undefined && { lastLoginTime },
      lastLoginIp !== undefined && { lastLoginIp },
      expireDate !== undefined && { expireDate },
    )
  }),

  greets(changePassword, async ({ oldPassword, password }, c) => {
    const who = c.caller!
    const { store, sessions, clock } = c.world
    const m = await knownById(c, who.ownerId, who.operatorId)
    if (!m) throw absent()
    const fault = changeFault(password, { loginCode: m.loginCode, old: oldPassword })
    if (fault) throw new Refused(code.input, fault, [{ Field: 'Password', Message: fault }])
    // Counted apart from the door, so that a borrowed browser cannot lock its owner out.
    const name = `change ${who.ownerId} ${who.operatorId}`
    const claim = await claimTry(store, clock(), name, 'read')
    if (!claim.may) throw at('OldPassword', lockedWords(claim.attempts.lockUntil!))
    if (!(await isPassword(oldPassword, m.password)))
      throw at(
        'OldPassword',
        claim.attempts.lockUntil ? wrongWords(claim.attempts) : '原密码不正确，请重新输入',
      )
    await wipeTries(store, clock(), name)
    const kept = await hashPassword(password)
    await store.tx(who.ownerId, async tx => {
      await tx.run(
        sql`
          update manager_secret
          set password = ${kept}, must_change = false, password_time = ${new Date(clock())}
          where owner_id = ${who.ownerId} and manager_id = ${who.operatorId}
        `,
      )
      await audit(tx, { ...who, ip: c.ip, requestId: c.requestId }, [
        { action: 'update', entity: 'manager', entityId: who.operatorId, reason: '修改密码' },
      ])
    })
    await sessions.endAll(who.ownerId, who.operatorId, c.token)
  }),

  writes(rememberProject, async ({ projectCode }, { tx, scope }) => {
    await tx.run(
      sql`
        update manager_secret
        set nearest_project = ${projectCode}
        where owner_id = ${scope.ownerId} and manager_id = ${scope.operatorId}
      `,
    )
  }),

  writes(changeHead, async ({ headImage }, { tx, scope, world }) => {
    if (headImage && !(await world.files.find(scope.ownerId, headImage))?.type.startsWith('image/'))
      throw wrong([{ Field: 'HeadImge', Message: '头像应为图片，请重新上传' }])
    await tx.run(
      sql`
        update manager
        set head_image = ${headImage ?? null}, version = version + 1, update_time = now(),
          update_by = ${scope.operatorId}
        where owner_id = ${scope.ownerId} and id = ${scope.operatorId}
      `,
    )
  }),
]
