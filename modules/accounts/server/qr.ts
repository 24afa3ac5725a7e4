import { createHash, randomBytes } from 'node:crypto'
import { codeOf, keyOf } from '#kit/contract/field.ts'
import { Refused, code, refuse } from '#kit/contract/wire.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { greets, type Arriving } from '#kit/server/handle.ts'
import { cancelScan, confirmScan, loginQr, scanned, scanState } from '../contract/qr.ts'
import { qrState } from '../contract/sign-in.ts'
import { knownById, mayEnter } from './sign-in.ts'
import { welcome } from './welcome.ts'

const lastsMs = 120_000
const st = (key: keyof (typeof qrState)['rows']): number => Number(codeOf(qrState, key))
const hashOf = (s: string): Buffer => createHash('sha256').update(s).digest()

interface Qr {
  readonly state: number
  readonly secret: Buffer
  readonly companyId?: number
  readonly managerId?: number
  readonly ip: string
  readonly agent: string
  readonly live: boolean
}

const find = (tx: Pick<Tx, 'one'>, c: Arriving, uuid: string, lock = false): Promise<Qr | undefined> =>
  tx.one(
    sql`
      select state, secret, company_id, manager_id, ip, agent,
        expire_time > ${new Date(c.world.clock())} as live
      from qr_login
      where uuid = ${uuid} and purpose = 10 ${lock ? sql`for update` : sql``}
    `,
  )

const over = (): never => refuse('二维码已失效，请在电脑上刷新后重新扫码')

/**
 * The phone's step from one state to the next; nobody but the one who scanned goes on (he may look again).
 */
async function step(c: Arriving, uuid: string, from: readonly number[], to: number): Promise<Qr> {
  const who = c.caller!
  if (who.mustChange) throw new Refused(code.forbidden, '请先修改密码')
  if (who.mustBind) throw new Refused(code.forbidden, '你的角色要求二次验证，请先绑定动态验证码')
  return c.world.store.tx('*', async tx => {
    const row = await find(tx, c, uuid, true)
    if (
      !row?.live ||
      !from.includes(row.state) ||
      (row.managerId !== undefined && (row.managerId !== who.operatorId || row.companyId !== who.ownerId))
    )
      return over()
    await tx.run(
      sql`
        update qr_login
        set state = ${to}, company_id = ${who.ownerId}, manager_id = ${who.operatorId}
        where uuid = ${uuid}
      `,
    )
    return row
  })
}

export const qrHandlers = [
  greets(loginQr, async (_, c) => {
    const uuid = randomBytes(16).toString('base64url')
    const secret = randomBytes(24).toString('base64url')
    const now = c.world.clock()
    await c.world.store.tx('*', async tx => {
      await tx.run(sql`delete from qr_login where expire_time < ${new Date(now - 3_600_000)}`)
      await tx.run(
        sql`
          insert into qr_login (uuid, purpose, secret, state, ip, agent, create_time, expire_time)
          values (
            ${uuid}, 10, ${hashOf(secret)}, ${st('waiting')}, ${c.ip}, ${c.agent.slice(0, 200)},
            ${new Date(now)}, ${new Date(now + lastsMs)}
          )
        `,
      )
    })
    return { uuid, secret, url: `/QrCode?uuid=${uuid}`, seconds: lastsMs / 1000 }
  }),
  greets(scanState, async ({ uuid, secret }, c) => {
    const row = await find(c.world.store.reader('*'), c, uuid)
    if (!row || (!row.live && row.state !== st('cancelled'))) return { state: 'expired' as const }
    const state = keyOf(qrState, row.state)!
    if (state !== 'confirmed' || !secret || !hashOf(secret).equals(row.secret)) return { state }
    // Whoever takes the row away is the one that is let in.
    const mine = await c.world.store.tx('*', tx =>
      tx.run(sql`delete from qr_login where uuid = ${uuid} and state = ${st('confirmed')}`),
    )
    const m = mine ? await knownById(c, row.companyId!, row.managerId!) : undefined
    if (!m) return { state: 'expired' as const }
    mayEnter(m)
    return { state, ...(await welcome(c, m, 'qr')) }
  }),
  greets(scanned, async ({ uuid }, c) => {
    const { ip, agent } = await step(c, uuid, [st('waiting'), st('scanned')], st('scanned'))
    return { ip, agent }
  }),
  greets(confirmScan, async ({ uuid }, c) => {
    await step(c, uuid, [st('scanned')], st('confirmed'))
  }),
  greets(cancelScan, async ({ uuid }, c) => {
    await step(c, uuid, [st('scanned')], st('cancelled'))
  }),
]
