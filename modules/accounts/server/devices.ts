import { createHash } from 'node:crypto'
import { Refused, notFound, resultCode, refuse } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql } from '#kit/server/db.ts'
import { anonymous } from '#kit/server/handler.ts'
import { beginTotp, confirmTotp, listDevices, endSessions, endTotp } from '../contract/devices.ts'
import { requireOwnPassword } from './sms-code-handlers.ts'
import { requiresSecondFactorSql } from './sign-in.ts'
import {
  generateRecoveryCodes,
  generateTotpSecret,
  verifySecondFactor,
  hashRecoveryCode,
  findMatchingStep,
} from './totp.ts'

export const deviceHandlers = [
  anonymous(listDevices, async (_, { app, caller, token }) => {
    const who = caller!
    const own = createHash('sha256').update(token).digest()
    const rows = await app.database.reader(who.ownerId).rows<{
      id: number
      entry: string
      agent: string
      ip: string
      loginTime: string
      lastTime: string
      here: boolean
    }>(sql`
      select id, kind as entry, agent, ip, create_time as login_time, last_time, hash = ${own} as here
      from session_token
      where owner_id = ${who.ownerId}
        and operator_id = ${who.operatorId}
        and end_time is null
        and expire_time > ${new Date(app.clock())}
      order by hash = ${own} desc, last_time desc
      limit 200
    `)
    return rows
  }),
  anonymous(endSessions, async ({ id }, { app, caller, token }) => {
    const who = caller!
    if (id === undefined) return app.sessions.endAll(who.ownerId, who.operatorId, token)
    if (!(await app.sessions.endOne(who.ownerId, who.operatorId, id))) throw notFound()
  }),

  anonymous(beginTotp, async ({ password }, c) => {
    const who = c.caller!
    const m = await requireOwnPassword(c, who, password)
    const secret = generateTotpSecret()
    const done = await c.app.database.tx(who.ownerId, tx =>
      tx.execute(
        sql`
          update manager_secret
          set totp_pending = ${secret}
          where owner_id = ${who.ownerId} and manager_id = ${who.operatorId} and totp is null
        `,
      ),
    )
    if (!done) refuse('动态验证码已经开启；需要更换请先关闭')
    return {
      secret,
      uri: `otpauth://totp/${encodeURIComponent(`安居:${m.loginCode}`)}?secret=${secret}&issuer=${encodeURIComponent('安居')}`,
    }
  }),
  anonymous(confirmTotp, async ({ code: said }, c) => {
    const who = c.caller!
    const recovery = generateRecoveryCodes()
    await c.app.database.tx(who.ownerId, async tx => {
      const s = await tx.one<{ totpPending?: string }>(
        sql`
          select totp_pending
          from manager_secret
          where owner_id = ${who.ownerId} and manager_id = ${who.operatorId}
          for update
        `,
      )
      if (!s?.totpPending) return refuse('请先扫描二维码')
      const step = findMatchingStep(s.totpPending, said, c.app.clock(), 0)
      if (step === undefined)
        throw new Refused(resultCode.refused, '动态验证码不正确，请核对手机时间后重试', { Field: 'Code' })
      await tx.execute(
        sql`
          update manager_secret
          set totp = totp_pending, totp_pending = null, totp_step = ${step},
            recovery = ${recovery.map(hashRecoveryCode)}::text[]
          where owner_id = ${who.ownerId} and manager_id = ${who.operatorId}
        `,
      )
      await audit(tx, { ...who, ip: c.ip, requestId: c.requestId }, [
        { action: 'update', entity: 'manager', entityId: who.operatorId, reason: '开启动态验证码' },
      ])
    })
    // Whoever had to bind it may work from now on.
    await c.app.sessions.refresh(who.ownerId, who.operatorId)
    return { recovery }
  }),
  anonymous(endTotp, async ({ password, code: said }, c) => {
    const who = c.caller!
    await requireOwnPassword(c, who, password)
    if (
      await c.app.database.reader(who.ownerId).one(
        sql`
            select 1 as yes
            from manager m
            where m.owner_id = ${who.ownerId} and m.id = ${who.operatorId} and ${requiresSecondFactorSql}
          `,
      )
    )
      refuse(`你的角色要求二次验证，不能关闭；换手机请联系${who.granterLabel ?? '管理员'}重置`)
    if (!(await verifySecondFactor(c.app.database, who.ownerId, who.operatorId, said, c.app.clock())))
      throw new Refused(resultCode.refused, '动态验证码不正确', { Field: 'Code' })
    await c.app.database.tx(who.ownerId, async tx => {
      await tx.execute(
        sql`
          update manager_secret
          set totp = null, totp_pending = null, totp_step = 0, recovery = null
          where owner_id = ${who.ownerId} and manager_id = ${who.operatorId}
        `,
      )
      await audit(tx, { ...who, ip: c.ip, requestId: c.requestId }, [
        { action: 'update', entity: 'manager', entityId: who.operatorId, reason: '关闭动态验证码' },
      ])
    })
  }),
]
