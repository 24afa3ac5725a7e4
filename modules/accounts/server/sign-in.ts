import type { Moment } from '#kit/contract/field.ts'
import { Refused, resultCode, refuse } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql } from '#kit/server/db.ts'
import { anonymous, type AnonymousContext } from '#kit/server/handler.ts'
import { live } from '#kit/server/sql.ts'
import { getSignInPage, setUpInstallation } from '../contract/company.ts'
import { getCaptcha, login, logout, renewToken, getTokenSecondsLeft } from '../contract/sign-in.ts'
import {
  captchaAfterFailures,
  countActiveFailures,
  lockAfterFailures,
  isLocked,
  getLockedMessage,
  needsCaptcha,
  getWrongPasswordMessage,
  type LoginAttempts,
} from '../domain/login-attempts.ts'
import { findPasswordChangeFault } from '../domain/password.ts'
import { claimAttempt, undoAttempt, clearAttempts } from './login-attempts.ts'
import { issueCaptcha, consumeCaptcha } from './captcha.ts'
import { createCompany, hasCompany } from './company.ts'
import { hashPassword, needsRehash, verifyPassword } from './password.ts'
import { notifyAccountLocked } from './account-notifications.ts'
import { loadSecondFactor, verifySecondFactor } from './totp.ts'
import { startSession } from './session-start.ts'
import { findEntry } from '#kit/server/directory.ts'

export interface SignInAccount {
  readonly ownerId: number
  readonly id: number
  readonly loginCode: string
  readonly realName: string
  readonly mobile?: string
  readonly headImage?: string
  readonly managerType: number
  readonly state: number
  readonly companyName: string
  readonly companyState: number
  readonly idleMinutes: number
  readonly password: string
  readonly mustChange: boolean
  readonly mustBind: boolean
  readonly nearestProject?: string
  readonly granter?: string
}

/** One of the roles of manager `m` asks for a second factor. */
export const requiresSecondFactorSql = sql`exists (
  select 1
  from role r
  where r.owner_id = m.owner_id and ${live('r')} and r.need_totp and r.id = any(m.role_ids::bigint[])
)`

const selectSignInAccount = sql`
  select m.owner_id, m.id, m.login_code, m.real_name, m.mobile, m.head_image, m.manager_type, m.state,
    p.company_name, p.state as company_state, p.idle_minutes, s.password, s.must_change,
    s.totp is null and ${requiresSecondFactorSql} as must_bind, s.nearest_project, o.real_name as granter
  from manager m
  join property p on p.owner_id = m.owner_id and p.id = m.owner_id and ${live('p')}
  join manager_secret s on s.owner_id = m.owner_id and s.manager_id = m.id
  left join manager o on o.owner_id = m.owner_id and o.manager_type = 10 and ${live('o')}
`

export async function findAccountByLogin(
  c: AnonymousContext,
  loginCode: string,
): Promise<SignInAccount | undefined> {
  const entry = await findEntry(c.app.database.reader('*'), 'login', loginCode)
  return entry && findAccountById(c, entry.ownerId, entry.refId)
}

export const findAccountById = (
  c: AnonymousContext,
  ownerId: number,
  id: number,
): Promise<SignInAccount | undefined> =>
  c.app.database
    .reader(ownerId)
    .one<SignInAccount>(
      sql`${selectSignInAccount} where m.owner_id = ${ownerId} and m.id = ${id} and ${live('m')}`,
    )

/** Refuses a sign-in with what the form needs to know for the next try. */
const createSignInRefusal = (
  message: string,
  a: LoginAttempts | undefined,
  now: Moment,
  field = 'Password',
): Refused => {
  const shut = isLocked(a, now)
  const captcha = needsCaptcha(a, now) && !shut
  const failures = countActiveFailures(a, now)
  const remaining =
    a && !shut
      ? (failures < captchaAfterFailures ? captchaAfterFailures : lockAfterFailures) - failures
      : undefined
  return new Refused(resultCode.refused, message, {
    Field: field,
    Captcha: captcha ? 1 : 0,
    Totp: 0,
    Remaining: remaining ?? null,
    LockUntil: shut ? a!.lockUntil : null,
  })
}

/** Whether somebody who has proved himself may come in at all. */
export function assertCanSignIn(m: SignInAccount): void {
  if (m.state !== 10)
    throw new Refused(
      resultCode.refused,
      `账号已停用，请联系${m.granter ? `超级管理员 ${m.granter}` : '管理员'}启用`,
      { Field: 'Logincode' },
    )
  if (m.companyState === 30)
    throw new Refused(resultCode.refused, `「${m.companyName}」已停用，请联系平台客服`, {
      Field: 'Logincode',
    })
}

async function recordAccountLock(c: AnonymousContext, m: SignInAccount, a: LoginAttempts): Promise<void> {
  const reason = `密码连续错误 ${lockAfterFailures} 次，锁定至 ${a.lockUntil!}`
  await c.app.database.tx(m.ownerId, tx =>
    audit(tx, { ownerId: m.ownerId, operatorId: m.id, name: m.realName, ip: c.ip, requestId: c.requestId }, [
      { action: 'refused', entity: 'manager', entityId: m.id, reason },
    ]).then(() => notifyAccountLocked(tx, c.app, m, c.ip, a.lockUntil!)),
  )
  c.app.live.publish(m.ownerId, [m.id], 'account-locked', { ip: c.ip, until: a.lockUntil })
}

export const signInHandlers = [
  anonymous(getSignInPage, async (_, { app }) => {
    const rows = await app.database
      .reader('*')
      .rows<{ companyName: string }>(
        sql`select company_name from property where ${live()} order by id limit 2`,
      )
    return { empty: rows.length === 0, ...(rows.length === 1 ? { companyName: rows[0]!.companyName } : {}) }
  }),
  anonymous(setUpInstallation, async (input, { app, ip }) => {
    const fault = findPasswordChangeFault(input.password, input)
    if (fault) throw new Refused(resultCode.invalidInput, fault, [{ Field: 'Password', Message: fault }])
    await app.database.tx('*', async tx => {
      // One at a time: two first visitors must not both become the first.
      await tx.execute(sql`select pg_advisory_xact_lock(hashtext('first company'))`)
      if (await hasCompany(tx)) refuse('系统已完成初始化，请直接登录')
      await createCompany(tx, { ...input, ip })
    })
  }),

  anonymous(getCaptcha, (_, { app }) => issueCaptcha(app.database, app.clock())),

  anonymous(login, async (input, c) => {
    const { database, clock } = c.app
    const read = await consumeCaptcha(database, clock(), input.captchaKey, input.captcha)
    const claim = await claimAttempt(database, clock(), input.loginCode, read ? 'read' : 'none')
    if (!claim.may && claim.why === 'locked')
      throw createSignInRefusal(getLockedMessage(claim.attempts.lockUntil!), claim.attempts, c.now)
    if (!claim.may)
      throw createSignInRefusal(
        input.captcha ? '图形验证码不正确或已过期，请重新填写' : '请填写图形验证码',
        claim.attempts,
        c.now,
        'Captcha',
      )
    const m = await findAccountByLogin(c, input.loginCode)
    if (!(await verifyPassword(input.password, m?.password)) || !m) {
      if (m && claim.attempts.lockUntil) {
        await recordAccountLock(c, m, claim.attempts)
      }
      throw createSignInRefusal(getWrongPasswordMessage(claim.attempts), claim.attempts, c.now)
    }
    assertCanSignIn(m)
    if ((await loadSecondFactor(database.reader(m.ownerId), m.ownerId, m.id))?.totp) {
      // The password was right: asking for the code costs no try, a wrong code does.
      if (!input.totp) {
        await undoAttempt(database, input.loginCode)
        throw new Refused(resultCode.refused, '请输入动态验证码', { Field: 'Totp', Captcha: 0, Totp: 1 })
      }
      if (!(await verifySecondFactor(database, m.ownerId, m.id, input.totp, clock()))) {
        if (claim.attempts.lockUntil) {
          await recordAccountLock(c, m, claim.attempts)
        }
        const no = createSignInRefusal(
          '动态验证码不正确，请输入最新的 6 位数字',
          claim.attempts,
          c.now,
          'Totp',
        )
        throw new Refused(no.code, no.message, { ...(no.data as object), Totp: 1 })
      }
    }
    await clearAttempts(database, clock(), input.loginCode)
    if (needsRehash(m.password)) {
      const kept = await hashPassword(input.password)
      await database.tx(m.ownerId, tx =>
        tx.execute(
          sql`
            update manager_secret
            set password = ${kept}
            where owner_id = ${m.ownerId} and manager_id = ${m.id} and password = ${m.password}
          `,
        ),
      )
    }
    return startSession(c, m, input.entry)
  }),

  anonymous(logout, async (_, { app, token, caller, ip, requestId }) => {
    await app.sessions.end(token)
    await app.database.tx(caller!.ownerId, tx =>
      audit(tx, { ...caller!, ip, requestId }, [
        { action: 'signin', entity: 'manager', entityId: caller!.operatorId, reason: '退出登录' },
      ]),
    )
  }),

  anonymous(renewToken, async ({ token }, c) => {
    // Only one's own: a token named in the body must be the one that asks.
    if (token && token !== c.token) throw new Refused(resultCode.forbidden, '无权执行此操作')
    return (await c.app.sessions.renew(c.token)) ?? refuse('登录失效，请重新登录')
  }),
  anonymous(getTokenSecondsLeft, async (_, { app, token }) => {
    const s = await app.sessions.find(token, true)
    return s ? Math.max(0, Math.floor((s.expiresAt - app.clock()) / 1000)) : 0
  }),
]
