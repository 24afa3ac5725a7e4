import { randomBytes } from 'node:crypto'
import { codeOf, keyOf } from '#kit/contract/field.ts'
import { Refused, code, refuse } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { greets, type Arriving } from '#kit/server/handle.ts'
import { wechatOf } from '#kit/server/wechat.ts'
import { qrState } from '../contract/sign-in.ts'
import { bindCancel, bindConfirm, bindQr, bindScanned, bindState, unbind } from '../contract/wechat.ts'
import { provePassword } from './codes.ts'
import { tellWechat } from './notices.ts'
import { knownById, mayEnter, type Known } from './sign-in.ts'

const lastsMs = 120_000
const purpose = 20
const st = (key: keyof (typeof qrState)['rows']): number => Number(codeOf(qrState, key))

interface Qr {
  readonly state: number
  readonly companyId: number
  readonly managerId: number
  readonly live: boolean
}

const find = (tx: Pick<Tx, 'one'>, c: Arriving, uuid: string, lock = false): Promise<Qr | undefined> =>
  tx.one(
    sql`
      select state, company_id, manager_id, expire_time > ${new Date(c.world.clock())} as live
      from qr_login
      where uuid = ${uuid} and purpose = ${purpose} ${lock ? sql`for update` : sql``}
    `,
  )

const over = (): never => refuse('二维码已失效，请在电脑上刷新后重新扫码')

/** One step on from a state it must be in; the picture says whose account it is. */
async function step(
  c: Arriving,
  uuid: string,
  from: readonly (keyof (typeof qrState)['rows'])[],
  to: keyof (typeof qrState)['rows'],
): Promise<Known> {
  const row = await c.world.store.tx('*', async tx => {
    const q = await find(tx, c, uuid, true)
    if (!q?.live || !from.map(st).includes(q.state)) return over()
    await tx.run(sql`update qr_login set state = ${st(to)} where uuid = ${uuid}`)
    return q
  })
  const m = await knownById(c, row.companyId, row.managerId)
  if (!m) return over()
  mayEnter(m)
  return m
}

export const wechatHandlers = [
  greets(bindQr, async (_, c) => {
    const who = c.caller!
    const uuid = randomBytes(16).toString('base64url')
    const now = c.world.clock()
    const { simulated } = await wechatOf(c.world)
    await c.world.store.tx('*', async tx => {
      await tx.run(sql`delete from qr_login where expire_time < ${new Date(now - 3_600_000)}`)
      await tx.run(
        sql`
          insert into qr_login (
            uuid, purpose, secret, state, company_id, manager_id, ip, agent, create_time, expire_time
          )
          values (
            ${uuid}, ${purpose}, ${Buffer.alloc(0)}, ${st('waiting')}, ${who.ownerId}, ${who.operatorId},
            ${c.ip}, ${c.agent.slice(0, 200)}, ${new Date(now)}, ${new Date(now + lastsMs)}
          )
        `,
      )
    })
    return { uuid, url: `/wxbind?uuid=${uuid}`, seconds: lastsMs / 1000, simulated }
  }),
  greets(bindState, async ({ uuid }, c) => {
    const row = await find(c.world.store.reader('*'), c, uuid)
    const who = c.caller!
    if (!row || row.companyId !== who.ownerId || row.managerId !== who.operatorId)
      return { state: 'expired' as const }
    const state = keyOf(qrState, row.state)!
    return {
      state: row.live || state === 'confirmed' || state === 'cancelled' ? state : ('expired' as const),
    }
  }),
  greets(bindScanned, async ({ uuid, origin }, c) => {
    const m = await step(c, uuid, ['waiting', 'scanned'], 'scanned')
    const wechat = await wechatOf(c.world)
    return {
      realName: m.realName,
      companyName: m.companyName,
      address: wechat.address(`${origin}/wxbind`, uuid),
    }
  }),
  greets(bindConfirm, async ({ uuid, code: said }, c) => {
    const { store, log } = c.world
    const seen = await find(store.reader('*'), c, uuid)
    if (!seen?.live || seen.state !== st('scanned')) return over()
    const openId = await wechatOf(c.world)
      .then(w => w.openIdOf(said))
      .catch(err => {
        log.warn({ err }, 'no openid for a code')
        return refuse('微信没有确认身份，请重新扫码')
      })
    const m = await knownById(c, seen.companyId, seen.managerId)
    if (!m) return over()
    mayEnter(m)
    await store.tx('*', async tx => {
      const row = await find(tx, c, uuid, true)
      if (!row?.live || row.state !== st('scanned')) return over()
      const other = await tx.one<{ realName: string }>(
        sql`
          select real_name
          from manager
          where owner_id = ${m.ownerId} and wechat_open_id = ${openId} and id <> ${m.id} and delete_tag = 0
        `,
      )
      if (other)
        throw new Refused(
          code.refused,
          `该微信已绑定公司里的另一个账号（${other.realName}），请先在那个账号解除绑定`,
        )
      await tx.run(
        sql`
          update manager
          set wechat_open_id = ${openId}, version = version + 1, update_time = now(), update_by = ${m.id}
          where owner_id = ${m.ownerId} and id = ${m.id} and delete_tag = 0
        `,
      )
      await tx.run(sql`update qr_login set state = ${st('confirmed')} where uuid = ${uuid}`)
      await audit(
        tx,
        { ownerId: m.ownerId, operatorId: m.id, name: m.realName, ip: c.ip, requestId: c.requestId },
        [{ action: 'update', entity: 'manager', entityId: m.id, reason: '绑定微信' }],
      )
      await tellWechat(tx, c.world, m, 'bound')
    })
  }),
  greets(bindCancel, async ({ uuid }, c) => {
    await step(c, uuid, ['waiting', 'scanned'], 'cancelled')
  }),
  greets(unbind, async ({ password }, c) => {
    const who = c.caller!
    const m = await provePassword(c, who, password)
    await c.world.store.tx(who.ownerId, async tx => {
      if (
        !(await tx.run(
          sql`
            update manager
            set wechat_open_id = null, version = version + 1, update_time = now(),
              update_by = ${who.operatorId}
            where owner_id = ${who.ownerId} and id = ${who.operatorId} and wechat_open_id is not null
          `,
        ))
      )
        refuse('你的账号没有绑定微信')
      await audit(tx, { ...who, ip: c.ip, requestId: c.requestId }, [
        { action: 'update', entity: 'manager', entityId: who.operatorId, reason: '解除微信绑定' },
      ])
      await tellWechat(tx, c.world, m, 'unbound')
    })
  }),
]
