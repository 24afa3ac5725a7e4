import { parseId, type Id } from '#kit/domain/id.ts'
import { createHash, randomBytes } from 'node:crypto'
import { audit } from '#kit/server/audit.ts'
import { sql } from '#kit/server/db.ts'
import { anonymous } from '#kit/server/handler.ts'
import { resetForgottenPassword, verifySmsCode } from '../contract/sms-code.ts'
import { findPasswordChangeFault } from '../domain/password.ts'
import { createFieldRefusal, createInputRefusal } from './field-refusal.ts'
import { clearAttempts, signInKeys } from './login-attempts.ts'
import { hashPassword } from './password.ts'
import { accountActor } from './request-actor.ts'
import { assertCanSignIn, findAccountById, findAccountByLogin } from './sign-in-account.ts'
import { consumeSmsCode } from './sms-code.ts'

const passLifetimeMs = 600_000
const hashPass = (pass: string): Buffer => createHash('sha256').update(pass).digest()
const createExpiredRefusal = () => createFieldRefusal('Ticket', '页面已过期，请从「找回密码」重新开始')

export const forgottenPasswordHandlers = [
  anonymous(verifySmsCode, async (input, c) => {
    await consumeSmsCode(c.app, input.mobile, 'password', input.smsCode)
    const account = await findAccountByLogin(c, input.loginCode)
    if (!account || account.mobile !== input.mobile)
      throw createFieldRefusal('SmsCode', '短信验证码已失效，请重新获取')
    assertCanSignIn(account)
    // A pass is kept among the SMS codes: its `mobile` is the account, as `owner:manager`.
    const pass = randomBytes(24).toString('base64url')
    const now = c.app.clock()
    await c.app.database.tx('*', tx =>
      tx.execute(
        sql`
          insert into sms_code (mobile, purpose, hash, create_time, expire_time)
          values (
            ${`${account.ownerId}:${account.id}`}, 'pass', ${hashPass(pass)}, ${new Date(now)},
            ${new Date(now + passLifetimeMs)}
          )
        `,
      ),
    )
    return pass
  }),

  anonymous(resetForgottenPassword, async (input, c) => {
    const now = new Date(c.app.clock())
    const pass = await c.app.database.reader('*').one<{ id: Id; mobile: string }>(
      sql`
        select id, mobile
        from sms_code
        where purpose = 'pass' and hash = ${hashPass(input.pass)} and not used and expire_time > ${now}
      `,
    )
    const [ownerId = 0, managerId = 0] = (pass?.mobile ?? '').split(':').map(parseId)
    const account = pass && (await findAccountById(c, ownerId, managerId))
    if (!account) throw createExpiredRefusal()
    const fault = findPasswordChangeFault(input.password, account)
    if (fault) throw createInputRefusal('Password', fault)
    const passwordHash = await hashPassword(input.password)
    await c.app.database.tx('*', async tx => {
      const used = await tx.execute(sql`update sms_code set used = true where id = ${pass.id} and not used`)
      if (!used) throw createExpiredRefusal()
      await tx.execute(
        sql`
          update manager_secret
          set password = ${passwordHash}, must_change = false, password_time = ${now}
          where owner_id = ${ownerId} and manager_id = ${managerId}
        `,
      )
      await audit(tx, accountActor(c, account), [
        { action: 'update', entity: 'manager', entityId: managerId, reason: '找回密码' },
      ])
    })
    await clearAttempts(c.app.database, c.app.clock(), signInKeys(account.loginCode, c.ip, undefined))
    await c.app.sessions.endAll(ownerId, managerId)
  }),
]
