import { createHash, randomBytes } from 'node:crypto'
import { codeOf, keyOf } from '#kit/contract/field.ts'
import { Refused, resultCode, refuse } from '#kit/contract/wire.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { anonymous, type AnonymousContext } from '#kit/server/handler.ts'
import {
  cancelQrLogin,
  confirmQrLogin,
  createLoginQr,
  scanLoginQr,
  getLoginQrState,
} from '../contract/qr-login.ts'
import { qrState } from '../contract/sign-in.ts'
import { findAccountById, assertCanSignIn } from './sign-in.ts'
import { startSession } from './session-start.ts'

const qrLifetimeMs = 120_000
const getStateCode = (key: keyof (typeof qrState)['rows']): number => Number(codeOf(qrState, key))
const sha256 = (s: string): Buffer => createHash('sha256').update(s).digest()

interface QrLoginRow {
  readonly state: number
  readonly secret: Buffer
  readonly companyId?: number
  readonly managerId?: number
  readonly ip: string
  readonly agent: string
  readonly live: boolean
}

const findQrLogin = (
  tx: Pick<Tx, 'one'>,
  c: AnonymousContext,
  uuid: string,
  lock = false,
): Promise<QrLoginRow | undefined> =>
  tx.one(
    sql`
      select state, secret, company_id, manager_id, ip, agent,
        expire_time > ${new Date(c.app.clock())} as live
      from qr_login
      where uuid = ${uuid} and purpose = 10 ${lock ? sql`for update` : sql``}
    `,
  )

const refuseExpired = (): never => refuse('二维码已失效，请在电脑上刷新后重新扫码')

/**
 * The phone's step from one state to the next; nobody but the one who scanned goes on (he may look again).
 */
async function advanceState(
  c: AnonymousContext,
  uuid: string,
  from: readonly number[],
  to: number,
): Promise<QrLoginRow> {
  const who = c.caller!
  if (who.mustChangePassword) throw new Refused(resultCode.forbidden, '请先修改密码')
  if (who.mustBindSecondFactor)
    throw new Refused(resultCode.forbidden, '你的角色要求二次验证，请先绑定动态验证码')
  return c.app.database.tx('*', async tx => {
    const row = await findQrLogin(tx, c, uuid, true)
    if (
      !row?.live ||
      !from.includes(row.state) ||
      (row.managerId !== undefined && (row.managerId !== who.operatorId || row.companyId !== who.ownerId))
    )
      return refuseExpired()
    await tx.execute(
      sql`
        update qr_login
        set state = ${to}, company_id = ${who.ownerId}, manager_id = ${who.operatorId}
        where uuid = ${uuid}
      `,
    )
    return row
  })
}

export const qrLoginHandlers = [
  anonymous(createLoginQr, async (_, c) => {
    const uuid = randomBytes(16).toString('base64url')
    const secret = randomBytes(24).toString('base64url')
    const now = c.app.clock()
    await c.app.database.tx('*', async tx => {
      await tx.execute(sql`delete from qr_login where expire_time < ${new Date(now - 3_600_000)}`)
      await tx.execute(
        sql`
          insert into qr_login (uuid, purpose, secret, state, ip, agent, create_time, expire_time)
          values (
            ${uuid}, 10, ${sha256(secret)}, ${getStateCode('waiting')}, ${c.ip}, ${c.agent.slice(0, 200)},
            ${new Date(now)}, ${new Date(now + qrLifetimeMs)}
          )
        `,
      )
    })
    return { uuid, secret, url: `/QrCode?uuid=${uuid}`, seconds: qrLifetimeMs / 1000 }
  }),
  anonymous(getLoginQrState, async ({ uuid, secret }, c) => {
    const row = await findQrLogin(c.app.database.reader('*'), c, uuid)
    if (!row || (!row.live && row.state !== getStateCode('cancelled'))) return { state: 'expired' as const }
    const state = keyOf(qrState, row.state)!
    if (state !== 'confirmed' || !secret || !sha256(secret).equals(row.secret)) return { state }
    // Whoever takes the row away is the one that is let in.
    const mine = await c.app.database.tx('*', tx =>
      tx.execute(sql`delete from qr_login where uuid = ${uuid} and state = ${getStateCode('confirmed')}`),
    )
    const m = mine ? await findAccountById(c, row.companyId!, row.managerId!) : undefined
    if (!m) return { state: 'expired' as const }
    assertCanSignIn(m)
    return { state, ...(await startSession(c, m, 'qr')) }
  }),
  anonymous(scanLoginQr, async ({ uuid }, c) => {
    const { ip, agent } = await advanceState(
      c,
      uuid,
      [getStateCode('waiting'), getStateCode('scanned')],
      getStateCode('scanned'),
    )
    return { ip, agent }
  }),
  anonymous(confirmQrLogin, async ({ uuid }, c) => {
    await advanceState(c, uuid, [getStateCode('scanned')], getStateCode('confirmed'))
  }),
  anonymous(cancelQrLogin, async ({ uuid }, c) => {
    await advanceState(c, uuid, [getStateCode('scanned')], getStateCode('cancelled'))
  }),
]
