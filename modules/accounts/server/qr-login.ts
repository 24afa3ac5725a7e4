import { createHash, randomBytes } from 'node:crypto'
import { Refused, resultCode } from '#kit/contract/wire.ts'
import { sql } from '#kit/server/db.ts'
import { anonymous, type AnonymousContext } from '#kit/server/handler.ts'
import { code } from '#kit/server/sql.ts'
import {
  cancelQrLogin,
  confirmQrLogin,
  createLoginQr,
  getLoginQrState,
  scanLoginQr,
} from '../contract/qr-login.ts'
import { qrState } from '../contract/sign-in.ts'
import {
  findQrCode,
  insertQrCode,
  qrLifetimeSeconds,
  refuseExpiredQr,
  type QrCode,
  type QrState,
} from './qr-code.ts'
import { requireCaller } from './request-actor.ts'
import { startSession } from './session-start.ts'
import { assertCanSignIn, findAccountById, type SignInAccount } from './sign-in-account.ts'
import { paths } from '../module.ts'

const sha256 = (s: string): Buffer => createHash('sha256').update(s).digest()

/**
 * The phone's step to a state from one of others. Only the account that scanned goes on; it may scan again.
 */
async function advanceState(
  c: AnonymousContext,
  uuid: string,
  from: readonly QrState[],
  to: QrState,
): Promise<QrCode> {
  const caller = requireCaller(c)
  if (caller.mustChangePassword) throw new Refused(resultCode.forbidden, '请先修改密码')
  if (caller.mustBindSecondFactor)
    throw new Refused(resultCode.forbidden, '你的角色要求二次验证，请先绑定动态验证码')
  return c.app.database.tx('*', async tx => {
    const qr = await findQrCode(tx, c, 'login', uuid, 'lock')
    if (!qr?.isLive || !from.includes(qr.state)) return refuseExpiredQr()
    const isOthers = qr.managerId !== caller.operatorId || qr.companyId !== caller.ownerId
    if (qr.managerId !== undefined && isOthers) return refuseExpiredQr()
    await tx.execute(
      sql`
        update qr_login
        set state = ${code(qrState, to)}, company_id = ${caller.ownerId}, manager_id = ${caller.operatorId}
        where uuid = ${uuid}
      `,
    )
    return qr
  })
}

/** The account of a confirmed code, for the one request that deletes the code; undefined for any other. */
async function takeConfirmedAccount(
  c: AnonymousContext,
  uuid: string,
  qr: QrCode,
): Promise<SignInAccount | undefined> {
  const deleted = await c.app.database.tx('*', tx =>
    tx.execute(sql`delete from qr_login where uuid = ${uuid} and state = ${code(qrState, 'confirmed')}`),
  )
  if (!deleted || qr.companyId === undefined || qr.managerId === undefined) return undefined
  return findAccountById(c, qr.companyId, qr.managerId)
}

export const qrLoginHandlers = [
  anonymous(createLoginQr, async (_, c) => {
    const uuid = randomBytes(16).toString('base64url')
    const secret = randomBytes(24).toString('base64url')
    await insertQrCode(c, 'login', { uuid, secret: sha256(secret) })
    return { uuid, secret, url: `${paths.qrLoginConfirm}?uuid=${uuid}`, seconds: qrLifetimeSeconds }
  }),
  anonymous(getLoginQrState, async ({ uuid, secret }, c) => {
    const qr = await findQrCode(c.app.database.reader('*'), c, 'login', uuid)
    if (!qr || (!qr.isLive && qr.state !== 'cancelled')) return { state: 'expired' as const }
    const { state } = qr
    if (state !== 'confirmed' || !secret || !sha256(secret).equals(qr.secret)) return { state }
    const account = await takeConfirmedAccount(c, uuid, qr)
    if (!account) return { state: 'expired' as const }
    assertCanSignIn(account)
    return { state, ...(await startSession(c, account, 'qr')) }
  }),
  anonymous(scanLoginQr, async ({ uuid }, c) => {
    const { ip, agent } = await advanceState(c, uuid, ['waiting', 'scanned'], 'scanned')
    return { ip, agent }
  }),
  anonymous(confirmQrLogin, async ({ uuid }, c) => {
    await advanceState(c, uuid, ['scanned'], 'confirmed')
  }),
  anonymous(cancelQrLogin, async ({ uuid }, c) => {
    await advanceState(c, uuid, ['scanned'], 'cancelled')
  }),
]
