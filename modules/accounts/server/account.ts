import { notFound, Refused, resultCode, invalidInput } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql } from '#kit/server/db.ts'
import { anonymous, reads, writes } from '#kit/server/handler.ts'
import { live, touch } from '#kit/server/sql.ts'
import { modules } from '#modules/index.ts'
import { getMyAccount, changeAvatar, changePassword, rememberProject } from '../contract/account.ts'
import { getMyMenus } from '../contract/permission.ts'
import { buildMenuTree } from '../domain/permission.ts'
import { findPasswordChangeFault } from '../domain/password.ts'
import { getLockedMessage, getWrongPasswordMessage } from '../domain/login-attempts.ts'
import { claimAttempt, clearAttempts } from './login-attempts.ts'
import { hashPassword, verifyPassword } from './password.ts'
import { requiresSecondFactorSql, findAccountById, type SignInAccount } from './sign-in.ts'
import { toSignedInManager } from './session-start.ts'

const createFieldRefusal = (field: string, message: string, data: object = {}): Refused =>
  new Refused(resultCode.refused, message, { Field: field, ...data })

export const accountHandlers = [
  reads(getMyMenus, async (_, { db, scope }) => {
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
    return buildMenuTree(
      modules.filter(p => !scope.disabledModules?.has(p.name)),
      key => (scope.isOwner || scope.permissions.has(key)) && !closed.has(key.slice(0, key.lastIndexOf('.'))),
    )
  }),

  reads(getMyAccount, async (_, { db, scope }) => {
    type Own = SignInAccount & {
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
          s.totp is null and ${requiresSecondFactorSql} as must_bind,
          ${requiresSecondFactorSql} as totp_needed,
          coalesce(cardinality(s.recovery), 0) as recovery_left,
          s.password_time,
          s.totp is not null as totp_on,
          (
            select array_agg(r.role_name order by r.role_name)
            from role r
            where r.owner_id = m.owner_id and ${live('r')} and r.id = any(m.role_ids::bigint[])
          ) as role_names
        from manager m
        join property p on p.owner_id = m.owner_id and p.id = m.owner_id
        join manager_secret s on s.owner_id = m.owner_id and s.manager_id = m.id
        where m.owner_id = ${scope.ownerId} and m.id = ${scope.operatorId}
      `)
    if (!m) throw notFound()
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
        ...toSignedInManager(m),
        allProject: scope.domain.all,
        projectCodes: [...scope.domain.projects.keys()],
        showPrivacy: scope.canSeePersonalData,
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

  anonymous(changePassword, async ({ oldPassword, password }, c) => {
    const who = c.caller!
    const { database, sessions, clock } = c.app
    const m = await findAccountById(c, who.ownerId, who.operatorId)
    if (!m) throw notFound()
    const fault = findPasswordChangeFault(password, { loginCode: m.loginCode, old: oldPassword })
    if (fault) throw new Refused(resultCode.invalidInput, fault, [{ Field: 'Password', Message: fault }])
    // Counted apart from the door, so that a borrowed browser cannot lock its owner out.
    const name = `change ${who.ownerId} ${who.operatorId}`
    const claim = await claimAttempt(database, clock(), name, 'read')
    if (!claim.may) throw createFieldRefusal('OldPassword', getLockedMessage(claim.attempts.lockUntil!))
    if (!(await verifyPassword(oldPassword, m.password)))
      throw createFieldRefusal(
        'OldPassword',
        claim.attempts.lockUntil ? getWrongPasswordMessage(claim.attempts) : '原密码不正确，请重新输入',
      )
    await clearAttempts(database, clock(), name)
    const kept = await hashPassword(password)
    await database.tx(who.ownerId, async tx => {
      await tx.execute(
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
    await tx.execute(
      sql`
        update manager_secret
        set nearest_project = ${projectCode}
        where owner_id = ${scope.ownerId} and manager_id = ${scope.operatorId}
      `,
    )
  }),

  writes(changeAvatar, async ({ headImage }, { tx, scope, app }) => {
    if (headImage && !(await app.files.find(scope.ownerId, headImage))?.type.startsWith('image/'))
      throw invalidInput([{ Field: 'HeadImge', Message: '头像应为图片，请重新上传' }])
    await tx.execute(
      sql`
        update manager
        set head_image = ${headImage ?? null}, ${touch(scope)}
        where owner_id = ${scope.ownerId} and id = ${scope.operatorId}
      `,
    )
  }),
]
