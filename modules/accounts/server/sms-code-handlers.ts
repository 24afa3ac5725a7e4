import { maskPhone } from '#kit/contract/text.ts'
import { audit } from '#kit/server/audit.ts'
import { sql } from '#kit/server/db.ts'
import { anonymous } from '#kit/server/handler.ts'
import { touch } from '#kit/server/sql.ts'
import {
  changeMobile,
  registerCompany,
  requestAnonymousSmsCode,
  requestSmsCode,
} from '../contract/sms-code.ts'
import { findPasswordChangeFault } from '../domain/password.ts'
import { createCompany, createLoginTakenRefusal } from './company.ts'
import { createFieldRefusal, createInputRefusal } from './field-refusal.ts'
import { requireCaptcha, requireOwnPassword } from './identity-check.ts'
import { callerActor, requireCaller } from './request-actor.ts'
import { findAccountById, findAccountByLogin } from './sign-in-account.ts'
import { consumeSmsCode, sendSmsCode } from './sms-code.ts'

export const smsCodeHandlers = [
  anonymous(requestSmsCode, async (input, c) => {
    await requireCaptcha(c, input)
    const caller = requireCaller(c)
    const account = await findAccountById(c, caller.ownerId, caller.operatorId)
    if (input.purpose === 'email') throw createFieldRefusal('Purpose', '邮箱验证码请在个人中心的「邮箱」获取')
    const isNewMobile = input.purpose === 'mobile'
    const mobile = isNewMobile ? input.mobile : account?.mobile
    if (!mobile)
      throw createFieldRefusal(
        'Mobile',
        isNewMobile ? '请填写新手机号' : '你的账号未绑定手机号，请先在个人中心绑定手机',
      )
    await sendSmsCode(c.app, mobile, input.purpose, { ip: c.ip, companyId: caller.ownerId })
    return maskPhone(mobile)
  }),
  anonymous(requestAnonymousSmsCode, async (input, c) => {
    await requireCaptcha(c, input)
    if (input.purpose === 'register')
      return sendSmsCode(c.app, input.mobile, 'register', { ip: c.ip, companyId: 0 })
    if (input.purpose !== 'password') throw createFieldRefusal('Purpose', '请先登录再获取验证码')
    const account = input.loginCode ? await findAccountByLogin(c, input.loginCode) : undefined
    // Whether account and number belong together must show neither in the answer nor in how long it takes.
    const isKnownPair = account?.mobile === input.mobile
    const origin = { ip: c.ip, companyId: isKnownPair ? account.ownerId : 0 }
    await sendSmsCode(c.app, input.mobile, 'password', origin, isKnownPair ? 'later' : 'never')
  }),
  anonymous(registerCompany, async (input, c) => {
    const fault = findPasswordChangeFault(input.password, input)
    if (fault) throw createInputRefusal('Password', fault)
    // The code first: without a proved number nobody learns which names there are. A taken name costs one of
    // the code's tries, and leaves it for another name.
    const isTaken = (await findAccountByLogin(c, input.loginCode)) !== undefined
    await consumeSmsCode(c.app, input.mobile, 'register', input.smsCode, isTaken)
    if (isTaken) throw createLoginTakenRefusal()
    await c.app.database.tx('*', tx => createCompany(tx, { ...input, ip: c.ip }))
  }),
  anonymous(changeMobile, async (input, c) => {
    const caller = requireCaller(c)
    await requireOwnPassword(c, caller, input.password)
    await consumeSmsCode(c.app, input.mobile, 'mobile', input.smsCode)
    await c.app.database.tx(caller.ownerId, async tx => {
      const before = await tx.one<{ mobile?: string }>(
        sql`
          select mobile
          from manager
          where owner_id = ${caller.ownerId} and id = ${caller.operatorId}
          for update
        `,
      )
      await tx.execute(
        sql`
          update manager
          set mobile = ${input.mobile}, ${touch({ ...caller, time: c.now })}
          where owner_id = ${caller.ownerId} and id = ${caller.operatorId}
        `,
      )
      await audit(tx, callerActor(c, caller), [
        {
          action: 'update',
          entity: 'manager',
          entityId: caller.operatorId,
          before: { mobile: before?.mobile },
          after: { mobile: input.mobile },
          reason: '变更手机号',
        },
      ])
    })
    await c.app.sessions.endAll(caller.ownerId, caller.operatorId, c.token)
  }),
]
