import { invalidInput, notFound } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { anonymous, reads, writes } from '#kit/server/handler.ts'
import { isMailAvailable } from '#kit/server/mail.ts'
import type { Scope } from '#kit/server/scope.ts'
import { notDeleted, touch } from '#kit/server/sql.ts'
import { sqlFile } from '#kit/server/sql-file.ts'
import { modules } from '#modules/index.ts'
import { changeAvatar, changePassword, getMyAccount, rememberProject } from '../contract/account.ts'
import { getMyMenus } from '../contract/permission.ts'
import { getLockedMessage, getWrongPasswordMessage } from '../domain/login-attempts.ts'
import { findPasswordChangeFault } from '../domain/password.ts'
import { buildMenuTree } from '../domain/permission.ts'
import { createFieldRefusal, createInputRefusal } from './field-refusal.ts'
import { ownPasswordAttempts } from './identity-check.ts'
import { claimAttempt, clearAttempts } from './login-attempts.ts'
import { hashPassword, verifyPassword } from './password.ts'
import { findClosedMenus } from './project-menu.ts'
import { callerActor, requireCaller } from './request-actor.ts'
import { toSignedInManager } from './session-start.ts'
import { findAccountById, requiresSecondFactor, type SignInAccount } from './sign-in-account.ts'

type OwnAccount = SignInAccount & {
  readonly roleNames?: string[]
  readonly passwordTime: Moment
  readonly totpOn: boolean
  readonly totpNeeded: boolean
  readonly recoveryLeft: number
  readonly wechatBound: boolean
  readonly email?: string
  readonly lastLoginTime?: Moment
  readonly lastLoginIp?: string
  readonly expireDate?: Day
}

const ownAccount = sqlFile(import.meta.dirname, 'own-account.sql', [
  'ownerId',
  'manager',
  'requiresSecondFactor',
  'liveRole',
])

async function loadOwnAccount(db: Db, { ownerId, operatorId }: Scope): Promise<OwnAccount> {
  const account = await db.one(
    ownAccount<OwnAccount>({
      ownerId,
      manager: operatorId,
      requiresSecondFactor: requiresSecondFactor(ownerId),
      liveRole: notDeleted('r'),
    }),
  )
  if (!account) throw notFound()
  return account
}

export const accountHandlers = [
  reads(getMyMenus, async (_, { db, scope }) => {
    // A menu closed for the chosen project is hidden; its calls are refused there too.
    const closedMenus = new Set(await findClosedMenus(db, scope, scope.projectCode))
    const isAllowed = (key: string): boolean =>
      (scope.isOwner || scope.permissions.has(key)) && !closedMenus.has(key.slice(0, key.lastIndexOf('.')))
    return buildMenuTree(
      modules.filter(manifest => !scope.disabledModules?.has(manifest.name)),
      isAllowed,
    )
  }),

  reads(getMyAccount, async (_, { db, scope }) => {
    const account = await loadOwnAccount(db, scope)
    const { roleNames, email, lastLoginTime, lastLoginIp, expireDate } = account
    return {
      ...toSignedInManager(account),
      projectCodes: [...scope.domain.projects.keys()],
      passwordTime: account.passwordTime,
      totpOn: account.totpOn,
      totpNeeded: account.totpNeeded,
      recoveryLeft: account.recoveryLeft,
      wechatBound: account.wechatBound,
      mailAvailable: isMailAvailable(),
      ...(email === undefined ? {} : { email }),
      ...(roleNames ? { roleNames } : {}),
      ...(lastLoginTime === undefined ? {} : { lastLoginTime }),
      ...(lastLoginIp === undefined ? {} : { lastLoginIp }),
      ...(expireDate === undefined ? {} : { expireDate }),
    }
  }),

  anonymous(changePassword, async ({ oldPassword, password }, c) => {
    const caller = requireCaller(c)
    const { database, sessions, clock } = c.app
    const account = await findAccountById(c, caller.ownerId, caller.operatorId)
    if (!account) throw notFound()
    const fault = findPasswordChangeFault(password, { loginCode: account.loginCode, old: oldPassword })
    if (fault) throw createInputRefusal('Password', fault)
    const attemptName = ownPasswordAttempts(caller)
    const claim = await claimAttempt(database, clock(), { own: attemptName }, 'read')
    if (!claim.isAllowed)
      throw createFieldRefusal('OldPassword', getLockedMessage(claim.attempts.lockUntil ?? c.now))
    if (!(await verifyPassword(oldPassword, account.password)))
      throw createFieldRefusal(
        'OldPassword',
        claim.attempts.lockUntil ? getWrongPasswordMessage(claim.attempts) : '原密码不正确，请重新输入',
      )
    await clearAttempts(database, clock(), { own: attemptName })
    const passwordHash = await hashPassword(password)
    await database.tx(caller.ownerId, async tx => {
      await tx.execute(
        sql`
          update manager_secret
          set password = ${passwordHash}, must_change = false, password_time = ${new Date(clock())}
          where owner_id = ${caller.ownerId} and manager_id = ${caller.operatorId}
        `,
      )
      await audit(tx, callerActor(c, caller), [
        { action: 'update', entity: 'manager', entityId: caller.operatorId, reason: '修改密码' },
      ])
    })
    await sessions.endAll(caller.ownerId, caller.operatorId, c.token)
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
