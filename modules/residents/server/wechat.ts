import { randomBytes } from 'node:crypto'
import { codeOf, keyOf } from '#kit/contract/field.ts'
import { refuse } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { greets, reads, writes, type Arriving } from '#kit/server/handle.ts'
import { wechatOf } from '#kit/server/wechat.ts'
import {
  residentCancel,
  residentConfirm,
  residentQr,
  residentQrState,
  residentScanned,
  residentUnbind,
  ticketState,
} from '../contract/wechat.ts'
import { needResident } from './visible.ts'

const lastsMs = 600_000
const st = (key: keyof (typeof ticketState)['rows']): number => Number(codeOf(ticketState, key))

interface Ticket {
  readonly ownerId: number
  readonly residentId: number
  readonly state: number
  readonly live: boolean
  readonly name: string
  readonly companyName: string
  readonly createBy: number
}

/**
 * Before any sign-in: the picture says which resident of which company; a wrong or old one says nothing of
 * anybody.
 */
const ticket = (db: Pick<Db, 'one'>, c: Arriving, uuid: string): Promise<Ticket | undefined> =>
  /^[\w-]{22}$/.test(uuid)
    ? db.one<Ticket>(
        sql`
          select t.owner_id, t.resident_id, t.state, t.create_by,
            t.expire_time > ${new Date(c.world.clock())} as live, r.name, p.company_name
          from resident_wechat_ticket t
          join resident r on r.owner_id = t.owner_id and r.id = t.resident_id and r.delete_tag = 0
          join property p on p.owner_id = t.owner_id
          where t.uuid = ${uuid}
        `,
      )
    : Promise.resolve(undefined)

const over = (): never => refuse('二维码已失效，请联系物业重新获取')

/** 张*三: enough for its owner to know himself by. */
const shy = (name: string): string => [...name].map((ch, i) => (i === 0 ? ch : '*')).join('')

async function step(
  c: Arriving,
  uuid: string,
  from: readonly (keyof (typeof ticketState)['rows'])[],
  to: keyof (typeof ticketState)['rows'],
): Promise<Ticket> {
  const t = await ticket(c.world.store.reader('*'), c, uuid)
  if (!t?.live) return over()
  const n = await c.world.store.tx(t.ownerId, tx =>
    tx.run(
      sql`
        update resident_wechat_ticket
        set state = ${st(to)}
        where owner_id = ${t.ownerId} and uuid = ${uuid} and state = any(${from.map(st)}::smallint[])
      `,
    ),
  )
  return n ? t : over()
}

export const wechatHandlers = [
  writes(residentQr, async ({ id }, { tx, scope, world }) => {
    const person = await needResident(tx, scope, id, true)
    const uuid = randomBytes(16).toString('base64url').slice(0, 22)
    const now = world.clock()
    const { simulated } = await wechatOf(world)
    if (person.wechatBind) return refuse(`「${person.name}」已绑定微信，请先解除绑定`)
    await tx.run(
      sql`
        delete
        from resident_wechat_ticket
        where owner_id = ${scope.ownerId} and expire_time < ${new Date(now - 3_600_000)}
      `,
    )
    await tx.run(
      sql`
        insert into resident_wechat_ticket (
          owner_id, uuid, resident_id, state, create_by, create_time, expire_time
        )
        values (
          ${scope.ownerId}, ${uuid}, ${id}, ${st('waiting')}, ${scope.operatorId}, ${new Date(now)},
          ${new Date(now + lastsMs)}
        )
      `,
    )
    return { uuid, url: `/residentwx?uuid=${uuid}`, seconds: lastsMs / 1000, simulated }
  }),
  reads(residentQrState, async ({ uuid }, { db, scope, world }) => {
    const t = await db.one<{ state: number; live: boolean }>(
      sql`
        select state, expire_time > ${new Date(world.clock())} as live
        from resident_wechat_ticket
        where owner_id = ${scope.ownerId} and uuid = ${uuid} and create_by = ${scope.operatorId}
      `,
    )
    const state = t && keyOf(ticketState, t.state)!
    return {
      state: state && (t.live || state === 'bound' || state === 'refused') ? state : ('expired' as const),
    }
  }),
  greets(residentScanned, async ({ uuid, origin }, c) => {
    const t = await step(c, uuid, ['waiting', 'scanned'], 'scanned')
    const wechat = await wechatOf(c.world)
    return {
      name: shy(t.name),
      companyName: t.companyName,
      address: wechat.address(`${origin}/residentwx`, uuid),
    }
  }),
  greets(residentConfirm, async ({ uuid, code }, c) => {
    const { store, log } = c.world
    const seen = await ticket(store.reader('*'), c, uuid)
    if (!seen?.live || seen.state !== st('scanned')) return over()
    const openId = await wechatOf(c.world)
      .then(w => w.openIdOf(code))
      .catch(err => {
        log.warn({ err }, 'no openid for a code')
        return refuse('微信没有确认身份，请重新扫码')
      })
    await store.tx(seen.ownerId, async tx => {
      const taken = await tx.run(
        sql`
          update resident_wechat_ticket
          set state = ${st('bound')}
          where owner_id = ${seen.ownerId}
            and uuid = ${uuid}
            and state = ${st('scanned')}
            and expire_time > ${new Date(c.world.clock())}
        `,
      )
      if (!taken) return over()
      if (
        await tx.one(
          sql`
            select 1 as there
            from resident
            where owner_id = ${seen.ownerId}
              and run_wechat = ${openId}
              and id <> ${seen.residentId}
              and delete_tag = 0
          `,
        )
      )
        return refuse('这个微信已绑定了另一位住户，请先联系物业解除')
      await tx.run(
        sql`
          update resident
          set run_wechat = ${openId}, wechat_bind = true, run_wechat_time = ${new Date(c.world.clock())},
            version = version + 1, update_time = now()
          where owner_id = ${seen.ownerId} and id = ${seen.residentId} and delete_tag = 0
        `,
      )
      await audit(
        tx,
        {
          ownerId: seen.ownerId,
          operatorId: 0,
          name: `${seen.name}（扫码绑定）`,
          ip: c.ip,
          requestId: c.requestId,
        },
        [
          {
            action: 'update',
            entity: 'resident',
            entityId: seen.residentId,
            before: { wechatBind: false },
            after: { wechatBind: true },
            reason: '绑定微信',
          },
        ],
      )
    })
  }),
  greets(residentCancel, async ({ uuid }, c) => {
    await step(c, uuid, ['waiting', 'scanned'], 'refused')
  }),
  writes(residentUnbind, async ({ id, reason }, { tx, scope }) => {
    const person = await needResident(tx, scope, id, true)
    if (!person.wechatBind) return refuse(`「${person.name}」没有绑定微信`)
    await tx.run(
      sql`
        update resident
        set run_wechat = null, wechat_bind = false, run_wechat_time = null, version = version + 1,
          update_time = now(), update_by = ${scope.operatorId}
        where owner_id = ${scope.ownerId} and id = ${id}
      `,
    )
    await audit(tx, scope, [
      {
        action: 'update',
        entity: 'resident',
        entityId: id,
        before: { wechatBind: true },
        after: { wechatBind: false },
        reason,
      },
    ])
  }),
]
