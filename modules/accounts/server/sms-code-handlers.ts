import { createHash, randomBytes } from 'node:crypto'
import { maskPhone } from '#kit/contract/text.ts'
import { Refused, notFound, resultCode } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql } from '#kit/server/db.ts'
import { anonymous, type AnonymousContext } from '#kit/server/handler.ts'
import type { Caller } from '#kit/server/scope.ts'
import { live, touch } from '#kit/server/sql.ts'
import {
  changeMobile,
  verifySmsCode,
  resetForgottenPassword,
  registerCompany,
  requestSmsCode,
  requestAnonymousSmsCode,
} from '../contract/sms-code.ts'
import { transferOwnership } from '../contract/manager.ts'
import { getLockedMessage } from '../domain/login-attempts.ts'
import { findPasswordChangeFault } from '../domain/password.ts'
import { claimAttempt, clearAttempts } from './login-attempts.ts'
import { consumeCaptcha } from './captcha.ts'
import { createCompany } from './company.ts'
import { hashPassword, verifyPassword } from './password.ts'
import { notifyOwnerChanged } from './account-notifications.ts'
import { findAccountById, findAccountByLogin, assertCanSignIn, type SignInAccount } from './sign-in.ts'
import { sendSmsCode, consumeSmsCode } from './sms-code.ts'

const createFieldRefusal = (field: string, message: string, c: number = resultCode.refused): Refused =>
  new Refused(
    c,
    message,
    c === resultCode.invalidInput ? [{ Field: field, Message: message }] : { Field: field },
  )

/** The letters of a picture, before anything goes out to a telephone (PERM-11). */
export async function requireCaptcha(c: AnonymousContext, key: string, text: string): Promise<void> {
  if (!(await consumeCaptcha(c.app.database, c.app.clock(), key, text)))
    throw createFieldRefusal('Captcha', '图形验证码不正确或已过期，请重新填写')
}

/** The caller's own password again, before something grave; wrong ones are counted apart from the door. */
export async function requireOwnPassword(
  c: AnonymousContext,
  who: Caller,
  said: string,
): Promise<SignInAccount> {
  const m = await findAccountById(c, who.ownerId, who.operatorId)
  if (!m) throw notFound()
  const name = `change ${who.ownerId} ${who.operatorId}`
  const claim = await claimAttempt(c.app.database, c.app.clock(), name, 'read')
  if (!claim.may) throw createFieldRefusal('Password', getLockedMessage(claim.attempts.lockUntil!))
  if (!(await verifyPassword(said, m.password)))
    throw createFieldRefusal('Password', '当前密码不正确，请重新输入')
  await clearAttempts(c.app.database, c.app.clock(), name)
  return m
}

const toAuditActor = (c: AnonymousContext, who: Caller) => ({ ...who, ip: c.ip, requestId: c.requestId })

export const smsCodeHandlers = [
  anonymous(requestSmsCode, async (q, c) => {
    await requireCaptcha(c, q.captchaKey, q.captcha)
    const m = await findAccountById(c, c.caller!.ownerId, c.caller!.operatorId)
    const to = q.purpose === 'mobile' ? q.mobile : m?.mobile
    if (!to)
      throw createFieldRefusal(
        'Mobile',
        q.purpose === 'mobile' ? '请填写新手机号' : '你的账号还没有手机号，请先在个人中心绑定手机',
      )
    await sendSmsCode(c.app, to, q.purpose)
    return maskPhone(to)
  }),
  anonymous(requestAnonymousSmsCode, async (q, c) => {
    await requireCaptcha(c, q.captchaKey, q.captcha)
    if (q.purpose === 'register') return sendSmsCode(c.app, q.mobile, 'register')
    if (q.purpose !== 'password') throw createFieldRefusal('Purpose', '请先登录再获取验证码')
    const m = q.loginCode ? await findAccountByLogin(c, q.loginCode) : undefined
    // Whether account and number belong together must show neither in the answer nor in how long it takes.
    await sendSmsCode(c.app, q.mobile, 'password', m?.mobile === q.mobile ? 'later' : 'never')
  }),
  anonymous(verifySmsCode, async (q, c) => {
    await consumeSmsCode(c.app, q.mobile, 'password', q.smsCode)
    const m = await findAccountByLogin(c, q.loginCode)
    if (!m || m.mobile !== q.mobile) throw createFieldRefusal('SmsCode', '短信验证码已失效，请重新获取')
    assertCanSignIn(m)
    const pass = randomBytes(24).toString('base64url')
    const hash = createHash('sha256').update(pass).digest()
    await c.app.database.tx('*', tx =>
      tx.execute(
        sql`
          insert into sms_code (mobile, purpose, hash, create_time, expire_time)
          values (
            ${`${m.ownerId}:${m.id}`}, 'pass', ${hash}, ${new Date(c.app.clock())},
            ${new Date(c.app.clock() + 600_000)}
          )
        `,
      ),
    )
    return pass
  }),
  anonymous(resetForgottenPassword, async (q, c) => {
    const hash = createHash('sha256').update(q.pass).digest()
    const now = new Date(c.app.clock())
    const row = await c.app.database.reader('*').one<{ id: number; mobile: string }>(
      sql`
          select id, mobile
          from sms_code
          where purpose = 'pass' and hash = ${hash} and not used and expire_time > ${now}
        `,
    )
    const [owner, id] = (row?.mobile ?? '0:0').split(':').map(Number) as [number, number]
    const m = row && (await findAccountById(c, owner, id))
    if (!m) throw createFieldRefusal('Ticket', '页面已过期，请从「找回密码」重新开始')
    const fault = findPasswordChangeFault(q.password, m)
    if (fault) throw createFieldRefusal('Password', fault, resultCode.invalidInput)
    const kept = await hashPassword(q.password)
    await c.app.database.tx('*', async tx => {
      if (!(await tx.execute(sql`update sms_code set used = true where id = ${row.id} and not used`)))
        throw createFieldRefusal('Ticket', '页面已过期，请从「找回密码」重新开始')
      await tx.execute(
        sql`
          update manager_secret
          set password = ${kept}, must_change = false, password_time = ${now}
          where owner_id = ${owner} and manager_id = ${id}
        `,
      )
      await audit(
        tx,
        { ownerId: owner, operatorId: id, name: m.realName, ip: c.ip, requestId: c.requestId },
        [{ action: 'update', entity: 'manager', entityId: id, reason: '找回密码' }],
      )
    })
    await clearAttempts(c.app.database, c.app.clock(), m.loginCode)
    await c.app.sessions.endAll(owner, id)
  }),
  anonymous(registerCompany, async (q, c) => {
    const fault = findPasswordChangeFault(q.password, q)
    if (fault) throw createFieldRefusal('Password', fault, resultCode.invalidInput)
    if (await findAccountByLogin(c, q.loginCode))
      throw createFieldRefusal('Logincode', '该账号已被使用，请换一个账号')
    await consumeSmsCode(c.app, q.mobile, 'register', q.smsCode)
    await c.app.database.tx('*', tx => createCompany(tx, { ...q, ip: c.ip }))
  }),
  anonymous(changeMobile, async (q, c) => {
    const who = c.caller!
    await requireOwnPassword(c, who, q.password)
    await consumeSmsCode(c.app, q.mobile, 'mobile', q.smsCode)
    await c.app.database.tx(who.ownerId, async tx => {
      const was = await tx.one<{ mobile?: string }>(
        sql`select mobile from manager where owner_id = ${who.ownerId} and id = ${who.operatorId} for update`,
      )
      await tx.execute(
        sql`
          update manager
          set mobile = ${q.mobile}, ${touch({ ...who, time: c.now })}
          where owner_id = ${who.ownerId} and id = ${who.operatorId}
        `,
      )
      await audit(tx, toAuditActor(c, who), [
        {
          action: 'update',
          entity: 'manager',
          entityId: who.operatorId,
          before: { mobile: was?.mobile },
          after: { mobile: q.mobile },
          reason: '更换手机',
        },
      ])
    })
    await c.app.sessions.endAll(who.ownerId, who.operatorId, c.token)
  }),
  anonymous(transferOwnership, async (q, c) => {
    const who = c.caller!
    const { database, sessions, live: publisher } = c.app
    if (!who.isOwner)
      throw new Refused(
        resultCode.forbidden,
        `只有超级管理员可以移交权限，请联系${who.granterLabel ?? '超级管理员'}`,
      )
    if (who.mustChangePassword) throw new Refused(resultCode.forbidden, '请先修改密码')
    if (who.mustBindSecondFactor)
      throw new Refused(resultCode.forbidden, '你的角色要求二次验证，请先绑定动态验证码')
    const me = await requireOwnPassword(c, who, q.password)
    const to = q.id === who.operatorId ? undefined : await findAccountById(c, who.ownerId, q.id)
    if (!to || to.state !== 10) throw createFieldRefusal('ID', '接收人不存在或已停用，请另选一位')
    if (!me.mobile) throw createFieldRefusal('SmsCode', '你的账号还没有手机号，请先在个人中心绑定手机')
    await consumeSmsCode(c.app, me.mobile, 'transfer', q.smsCode)
    await database.tx(who.ownerId, async tx => {
      const all = await tx.one<{ id: number }>(
        sql`
          select id
          from role
          where owner_id = ${who.ownerId} and everything and ${live()}
          order by id
          limit 1
        `,
      )
      // The one who goes keeps working, as a deputy with the role of everything.
      const went = await tx.execute(
        sql`
          update manager
          set manager_type = 20, role_ids = coalesce(${all ? [String(all.id)] : null}::text[], role_ids),
            ${touch({ ...who, time: c.now })}
          where owner_id = ${who.ownerId}
            and id = ${who.operatorId}
            and manager_type = 10
            and ${live()}
        `,
      )
      const came = await tx.execute(
        sql`
          update manager
          set manager_type = 10, all_project = true, show_privacy = true, ${touch({ ...who, time: c.now })}
          where owner_id = ${who.ownerId} and id = ${q.id} and state = 10 and ${live()}
        `,
      )
      if (!went || !came) throw createFieldRefusal('ID', '接收人不存在或已停用，请另选一位')
      await audit(tx, toAuditActor(c, who), [
        {
          action: 'grant',
          entity: 'manager',
          entityId: q.id,
          before: { owner: me.loginCode },
          after: { owner: to.loginCode },
          reason: q.reason,
        },
      ])
      await notifyOwnerChanged(tx, c.app, me, to)
    })
    for (const id of [who.operatorId, q.id]) {
      await sessions.refresh(who.ownerId, id)
    }
    publisher.publish(who.ownerId, [who.operatorId, q.id], 'rights')
    publisher.publish(who.ownerId, [who.operatorId, q.id], 'owner-changed', {
      from: me.realName,
      to: to.realName,
    })
  }),
]
