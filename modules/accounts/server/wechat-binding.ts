import { randomBytes } from 'node:crypto'
import { codeOf, keyOf } from '#kit/contract/field.ts'
import { Refused, resultCode, refuse } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { anonymous, type AnonymousContext } from '#kit/server/handler.ts'
import { wechatOf } from '#modules/accounts/server/wechat.ts'
import { live, touch } from '#kit/server/sql.ts'
import { qrState } from '../contract/sign-in.ts'
import {
  cancelWechatBind,
  confirmWechatBind,
  createWechatBindQr,
  scanWechatBindQr,
  getWechatBindState,
  unbindWechat,
} from '../contract/wechat-binding.ts'
import { requireOwnPassword } from './sms-code-handlers.ts'
import { notifyWechatBindingChanged } from './account-notifications.ts'
import { findAccountById, assertCanSignIn, type SignInAccount } from './sign-in.ts'

const qrLifetimeMs = 120_000
const bindPurposeCode = 20
const getStateCode = (key: keyof (typeof qrState)['rows']): number => Number(codeOf(qrState, key))

interface WechatQrRow {
  readonly state: number
  readonly companyId: number
  readonly managerId: number
  readonly live: boolean
}

const findWechatQr = (
  tx: Pick<Tx, 'one'>,
  c: AnonymousContext,
  uuid: string,
  lock = false,
): Promise<WechatQrRow | undefined> =>
  tx.one(
    sql`
      select state, company_id, manager_id, expire_time > ${new Date(c.app.clock())} as live
      from qr_login
      where uuid = ${uuid} and purpose = ${bindPurposeCode} ${lock ? sql`for update` : sql``}
    `,
  )

const refuseExpired = (): never => refuse('二维码已失效，请在电脑上刷新后重新扫码')

/** One step on from a state it must be in; the picture says whose account it is. */
async function advanceState(
  c: AnonymousContext,
  uuid: string,
  from: readonly (keyof (typeof qrState)['rows'])[],
  to: keyof (typeof qrState)['rows'],
): Promise<SignInAccount> {
  const row = await c.app.database.tx('*', async tx => {
    const q = await findWechatQr(tx, c, uuid, true)
    if (!q?.live || !from.map(getStateCode).includes(q.state)) return refuseExpired()
    await tx.execute(sql`update qr_login set state = ${getStateCode(to)} where uuid = ${uuid}`)
    return q
  })
  const m = await findAccountById(c, row.companyId, row.managerId)
  if (!m) return refuseExpired()
  assertCanSignIn(m)
  return m
}

export const wechatBindingHandlers = [
  anonymous(createWechatBindQr, async (_, c) => {
    const who = c.caller!
    const uuid = randomBytes(16).toString('base64url')
    const now = c.app.clock()
    const { isSimulated } = await wechatOf(c.app)
    await c.app.database.tx('*', async tx => {
      await tx.execute(sql`delete from qr_login where expire_time < ${new Date(now - 3_600_000)}`)
      await tx.execute(
        sql`
          insert into qr_login (
            uuid, purpose, secret, state, company_id, manager_id, ip, agent, create_time, expire_time
          )
          values (
            ${uuid}, ${bindPurposeCode}, ${Buffer.alloc(0)}, ${getStateCode('waiting')}, ${who.ownerId}, ${who.operatorId},
            ${c.ip}, ${c.agent.slice(0, 200)}, ${new Date(now)}, ${new Date(now + qrLifetimeMs)}
          )
        `,
      )
    })
    return { uuid, url: `/wxbind?uuid=${uuid}`, seconds: qrLifetimeMs / 1000, simulated: isSimulated }
  }),
  anonymous(getWechatBindState, async ({ uuid }, c) => {
    const row = await findWechatQr(c.app.database.reader('*'), c, uuid)
    const who = c.caller!
    if (!row || row.companyId !== who.ownerId || row.managerId !== who.operatorId)
      return { state: 'expired' as const }
    const state = keyOf(qrState, row.state)!
    return {
      state: row.live || state === 'confirmed' || state === 'cancelled' ? state : ('expired' as const),
    }
  }),
  anonymous(scanWechatBindQr, async ({ uuid, origin }, c) => {
    const m = await advanceState(c, uuid, ['waiting', 'scanned'], 'scanned')
    const wechat = await wechatOf(c.app)
    return {
      realName: m.realName,
      companyName: m.companyName,
      address: wechat.authorizeUrl(`${origin}/wxbind`, uuid),
    }
  }),
  anonymous(confirmWechatBind, async ({ uuid, code: said }, c) => {
    const { database, log } = c.app
    const seen = await findWechatQr(database.reader('*'), c, uuid)
    if (!seen?.live || seen.state !== getStateCode('scanned')) return refuseExpired()
    const openId = await wechatOf(c.app)
      .then(w => w.openIdOf(said))
      .catch(err => {
        log.warn({ err }, 'no openid for a code')
        return refuse('微信没有确认身份，请重新扫码')
      })
    const m = await findAccountById(c, seen.companyId, seen.managerId)
    if (!m) return refuseExpired()
    assertCanSignIn(m)
    await database.tx('*', async tx => {
      const row = await findWechatQr(tx, c, uuid, true)
      if (!row?.live || row.state !== getStateCode('scanned')) return refuseExpired()
      const other = await tx.one<{ realName: string }>(
        sql`
          select real_name
          from manager
          where owner_id = ${m.ownerId} and wechat_open_id = ${openId} and id <> ${m.id} and ${live()}
        `,
      )
      if (other)
        throw new Refused(
          resultCode.refused,
          `该微信已绑定公司里的另一个账号（${other.realName}），请先在那个账号解除绑定`,
        )
      await tx.execute(
        sql`
          update manager
          set wechat_open_id = ${openId}, version = version + 1, update_time = now(), update_by = ${m.id}
          where owner_id = ${m.ownerId} and id = ${m.id} and ${live()}
        `,
      )
      await tx.execute(sql`update qr_login set state = ${getStateCode('confirmed')} where uuid = ${uuid}`)
      await audit(
        tx,
        { ownerId: m.ownerId, operatorId: m.id, name: m.realName, ip: c.ip, requestId: c.requestId },
        [{ action: 'update', entity: 'manager', entityId: m.id, reason: '绑定微信' }],
      )
      await notifyWechatBindingChanged(tx, c.app, m, 'bound')
    })
  }),
  anonymous(cancelWechatBind, async ({ uuid }, c) => {
    await advanceState(c, uuid, ['waiting', 'scanned'], 'cancelled')
  }),
  anonymous(unbindWechat, async ({ password }, c) => {
    const who = c.caller!
    const m = await requireOwnPassword(c, who, password)
    await c.app.database.tx(who.ownerId, async tx => {
      if (
        !(await tx.execute(
          sql`
            update manager
            set wechat_open_id = null, ${touch({ ...who, time: c.now })}
            where owner_id = ${who.ownerId} and id = ${who.operatorId} and wechat_open_id is not null
          `,
        ))
      )
        refuse('你的账号没有绑定微信')
      await audit(tx, { ...who, ip: c.ip, requestId: c.requestId }, [
        { action: 'update', entity: 'manager', entityId: who.operatorId, reason: '解除微信绑定' },
      ])
      await notifyWechatBindingChanged(tx, c.app, m, 'unbound')
    })
  }),
]
