import { refuse } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql } from '#kit/server/db.ts'
import { anonymous, type AnonymousContext } from '#kit/server/handler.ts'
import { requireMail } from '#kit/server/mail.ts'
import type { Caller } from '#kit/server/scope.ts'
import { touch } from '#kit/server/sql.ts'
import { changeEmail, requestEmailCode, unbindEmail } from '../contract/email.ts'
import { notifyEmailChanged } from './account-notifications.ts'
import { requireCaptcha, requireOwnPassword } from './identity-check.ts'
import { callerActor, requireCaller } from './request-actor.ts'
import { consumeSmsCode, sendSmsCode } from './sms-code.ts'

/** Sets or removes the address of an account, tells its owner, and writes it down. */
const saveEmail = (c: AnonymousContext, caller: Caller, email: string | undefined): Promise<void> =>
  c.app.database.tx(caller.ownerId, async tx => {
    const before = await tx.one<{ email?: string }>(
      sql`
        select email
        from manager
        where owner_id = ${caller.ownerId} and id = ${caller.operatorId}
        for update
      `,
    )
    if (email === undefined && before?.email === undefined) refuse('你的账号未绑定邮箱')
    await tx.execute(
      sql`
        update manager
        set email = ${email ?? null}, ${touch({ ...caller, time: c.now })}
        where owner_id = ${caller.ownerId} and id = ${caller.operatorId}
      `,
    )
    await audit(tx, callerActor(c, caller), [
      {
        action: 'update',
        entity: 'manager',
        entityId: caller.operatorId,
        before: { email: before?.email },
        after: { email },
        reason: email === undefined ? '解除邮箱绑定' : '绑定邮箱',
      },
    ])
    await notifyEmailChanged(tx, c.app, { ownerId: caller.ownerId, id: caller.operatorId }, email)
  })

export const emailHandlers = [
  anonymous(requestEmailCode, async (input, c) => {
    const caller = requireCaller(c)
    requireMail()
    await requireCaptcha(c, input)
    await sendSmsCode(c.app, input.email, 'email', { ip: c.ip, companyId: caller.ownerId })
  }),
  anonymous(changeEmail, async ({ email, emailCode, password }, c) => {
    const caller = requireCaller(c)
    await requireOwnPassword(c, caller, password)
    await consumeSmsCode(c.app, email, 'email', emailCode)
    await saveEmail(c, caller, email)
  }),
  anonymous(unbindEmail, async ({ password }, c) => {
    const caller = requireCaller(c)
    await requireOwnPassword(c, caller, password)
    await saveEmail(c, caller, undefined)
  }),
]
