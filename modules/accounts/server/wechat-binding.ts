import { randomBytes } from 'node:crypto'
import { Refused, refuse, resultCode } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { anonymous, type AnonymousContext } from '#kit/server/handler.ts'
import { notDeleted, touch } from '#kit/server/sql.ts'
import { wechatOf } from './wechat.ts'
import {
  cancelWechatBind,
  confirmWechatBind,
  createWechatBindQr,
  getWechatBindState,
  scanWechatBindQr,
  unbindWechat,
} from '../contract/wechat-binding.ts'
import { notifyWechatBindingChanged } from './account-notifications.ts'
import { requireOwnPassword } from './identity-check.ts'
import {
  findQrCode,
  insertQrCode,
  qrLifetimeSeconds,
  refuseExpiredQr,
  setQrState,
  type QrCode,
  type QrState,
} from './qr-code.ts'
import { accountActor, callerActor, requireCaller } from './request-actor.ts'
import { assertCanSignIn, findAccountById, type SignInAccount } from './sign-in-account.ts'
import { paths } from '../module.ts'

/** The account that a binding code was made for; the code alone names it, the phone is not signed in. */
async function requireAccountOf(c: AnonymousContext, qr: QrCode): Promise<SignInAccount> {
  if (qr.companyId === undefined || qr.managerId === undefined) return refuseExpiredQr()
  const account = await findAccountById(c, qr.companyId, qr.managerId)
  if (!account) return refuseExpiredQr()
  assertCanSignIn(account)
  return account
}

/** The phone's step to a state from one of others. */
async function advanceState(
  c: AnonymousContext,
  uuid: string,
  from: readonly QrState[],
  to: QrState,
): Promise<SignInAccount> {
  const qr = await c.app.database.tx('*', async tx => {
    const found = await findQrCode(tx, c, 'bindWechat', uuid, 'lock')
    if (!found?.isLive || !from.includes(found.state)) return refuseExpiredQr()
    await setQrState(tx, uuid, to)
    return found
  })
  return requireAccountOf(c, qr)
}

async function requireOpenId(c: AnonymousContext, authorizationCode: string): Promise<string> {
  try {
    return await (await wechatOf(c.app)).openIdOf(authorizationCode)
  } catch (err) {
    c.app.log.warn({ err }, 'no openid for a code')
    return refuse('微信未确认身份，请重新扫码')
  }
}

/** One WeChat stands for one account of a company (`manager_wechat_live` holds it against two at once). */
async function assertWechatUnused(tx: Tx, account: SignInAccount, openId: string): Promise<void> {
  const other = await tx.one<{ realName: string }>(
    sql`
      select real_name
      from manager
      where owner_id = ${account.ownerId}
        and wechat_open_id = ${openId}
        and id <> ${account.id}
        and ${notDeleted()}
    `,
  )
  if (other)
    throw new Refused(
      resultCode.refused,
      `该微信已绑定本公司的其他账号（${other.realName}），请先在该账号解除绑定`,
    )
}

export const wechatBindingHandlers = [
  anonymous(createWechatBindQr, async (_, c) => {
    const caller = requireCaller(c)
    const uuid = randomBytes(16).toString('base64url')
    const { isSimulated } = await wechatOf(c.app)
    await insertQrCode(c, 'bindWechat', {
      uuid,
      secret: Buffer.alloc(0),
      account: [caller.ownerId, caller.operatorId],
    })
    return {
      uuid,
      url: `${paths.managerWechatBind}?uuid=${uuid}`,
      seconds: qrLifetimeSeconds,
      simulated: isSimulated,
    }
  }),
  anonymous(getWechatBindState, async ({ uuid }, c) => {
    const caller = requireCaller(c)
    const qr = await findQrCode(c.app.database.reader('*'), c, 'bindWechat', uuid)
    if (!qr || qr.companyId !== caller.ownerId || qr.managerId !== caller.operatorId)
      return { state: 'expired' as const }
    const isFinal = qr.state === 'confirmed' || qr.state === 'cancelled'
    return { state: qr.isLive || isFinal ? qr.state : ('expired' as const) }
  }),
  anonymous(scanWechatBindQr, async ({ uuid, origin }, c) => {
    const account = await advanceState(c, uuid, ['waiting', 'scanned'], 'scanned')
    const wechat = await wechatOf(c.app)
    return {
      realName: account.realName,
      companyName: account.companyName,
      address: wechat.authorizeUrl(`${origin}/wxbind`, uuid),
    }
  }),
  anonymous(confirmWechatBind, async ({ uuid, code }, c) => {
    const { database } = c.app
    const scanned = await findQrCode(database.reader('*'), c, 'bindWechat', uuid)
    if (!scanned?.isLive || scanned.state !== 'scanned') return refuseExpiredQr()
    // Asked of WeChat outside the transaction, which must not wait for it.
    const openId = await requireOpenId(c, code)
    const account = await requireAccountOf(c, scanned)
    await database.tx('*', async tx => {
      const qr = await findQrCode(tx, c, 'bindWechat', uuid, 'lock')
      if (!qr?.isLive || qr.state !== 'scanned') return refuseExpiredQr()
      await assertWechatUnused(tx, account, openId)
      await tx.execute(
        sql`
          update manager
          set wechat_open_id = ${openId}, ${touch({ operatorId: account.id, time: c.now })}
          where owner_id = ${account.ownerId} and id = ${account.id} and ${notDeleted()}
        `,
      )
      await setQrState(tx, uuid, 'confirmed')
      await audit(tx, accountActor(c, account), [
        { action: 'update', entity: 'manager', entityId: account.id, reason: '绑定微信' },
      ])
      await notifyWechatBindingChanged(tx, c.app, account, 'bound')
    })
  }),
  anonymous(cancelWechatBind, async ({ uuid }, c) => {
    await advanceState(c, uuid, ['waiting', 'scanned'], 'cancelled')
  }),
  anonymous(unbindWechat, async ({ password }, c) => {
    const caller = requireCaller(c)
    const account = await requireOwnPassword(c, caller, password)
    await c.app.database.tx(caller.ownerId, async tx => {
      const changed = await tx.execute(
        sql`
          update manager
          set wechat_open_id = null, ${touch({ ...caller, time: c.now })}
          where owner_id = ${caller.ownerId}
            and id = ${caller.operatorId}
            and wechat_open_id is not null
        `,
      )
      if (!changed) refuse('你的账号未绑定微信')
      await audit(tx, callerActor(c, caller), [
        { action: 'update', entity: 'manager', entityId: caller.operatorId, reason: '解除微信绑定' },
      ])
      await notifyWechatBindingChanged(tx, c.app, account, 'unbound')
    })
  }),
]
