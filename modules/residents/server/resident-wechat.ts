import { defined } from '#kit/domain/defined.ts'
import { randomBytes } from 'node:crypto'
import { codeOf, keyOf } from '#kit/contract/field.ts'
import { refuse } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql } from '#kit/server/db.ts'
import { addEntry, findEntry, removeKeys } from '#kit/server/directory.ts'
import { anonymous, reads, writes, type AnonymousContext } from '#kit/server/handler.ts'
import { wechatOf } from '#modules/accounts/server/public.ts'
import { live, touch } from '#kit/server/sql.ts'
import {
  cancelResidentWechat,
  confirmResidentWechat,
  createResidentQr,
  getResidentQrState,
  scanResidentQr,
  unbindResidentWechat,
  wechatBindingState,
} from '../contract/wechat.ts'
import { requireResident } from './resident-access.ts'

const ticketLifetimeMs = 600_000
const stateCode = (key: keyof (typeof wechatBindingState)['rows']): number =>
  Number(codeOf(wechatBindingState, key))

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
async function findTicket(c: AnonymousContext, uuid: string): Promise<Ticket | undefined> {
  if (!/^[\w-]{22}$/.test(uuid)) return undefined
  const entry = await findEntry(c.app.database.reader('*'), 'resident_wechat', uuid)
  if (!entry) return undefined
  const { ownerId } = entry
  return c.app.database.reader(ownerId).one<Ticket>(
    sql`
      select t.owner_id, t.resident_id, t.state, t.create_by,
        t.expire_time > ${new Date(c.app.clock())} as live, r.name, p.company_name
      from resident_wechat_ticket t
      join resident r on r.owner_id = ${ownerId} and r.id = t.resident_id and ${live('r')}
      join property p on p.owner_id = ${ownerId}
      where t.owner_id = ${ownerId} and t.uuid = ${uuid}
    `,
  )
}

const refuseExpired = (): never => refuse('二维码已失效，请联系物业重新获取')

/** 张*三: enough for its owner to know himself by. */
const maskName = (name: string): string => [...name].map((ch, i) => (i === 0 ? ch : '*')).join('')

async function advanceTicket(
  c: AnonymousContext,
  uuid: string,
  from: readonly (keyof (typeof wechatBindingState)['rows'])[],
  to: keyof (typeof wechatBindingState)['rows'],
): Promise<Ticket> {
  const t = await findTicket(c, uuid)
  if (!t?.live) return refuseExpired()
  const n = await c.app.database.tx(t.ownerId, tx =>
    tx.execute(
      sql`
        update resident_wechat_ticket
        set state = ${stateCode(to)}
        where owner_id = ${t.ownerId} and uuid = ${uuid} and state = any(${from.map(stateCode)}::smallint[])
      `,
    ),
  )
  return n ? t : refuseExpired()
}

export const wechatHandlers = [
  writes(createResidentQr, async ({ id }, { tx, scope, app }) => {
    const person = await requireResident(tx, scope, id, true)
    const uuid = randomBytes(16).toString('base64url').slice(0, 22)
    const now = app.clock()
    const { isSimulated } = await wechatOf(app)
    if (person.wechatBind) return refuse(`「${person.name}」已绑定微信，请先解除绑定`)
    const expired = await tx.rows<{ uuid: string }>(
      sql`
        delete
        from resident_wechat_ticket
        where owner_id = ${scope.ownerId} and expire_time < ${new Date(now - 3_600_000)}
        returning uuid
      `,
    )
    await removeKeys(
      tx,
      'resident_wechat',
      expired.map(row => row.uuid),
    )
    await addEntry(tx, 'resident_wechat', uuid, { ownerId: scope.ownerId, refId: id })
    await tx.execute(
      sql`
        insert into resident_wechat_ticket (
          owner_id, uuid, resident_id, state, create_by, create_time, expire_time
        )
        values (
          ${scope.ownerId}, ${uuid}, ${id}, ${stateCode('waiting')}, ${scope.operatorId}, ${new Date(now)},
          ${new Date(now + ticketLifetimeMs)}
        )
      `,
    )
    return { uuid, url: `/residentwx?uuid=${uuid}`, seconds: ticketLifetimeMs / 1000, simulated: isSimulated }
  }),
  reads(getResidentQrState, async ({ uuid }, { db, scope, app }) => {
    const t = await db.one<{ state: number; live: boolean }>(
      sql`
        select state, expire_time > ${new Date(app.clock())} as live
        from resident_wechat_ticket
        where owner_id = ${scope.ownerId} and uuid = ${uuid} and create_by = ${scope.operatorId}
      `,
    )
    const state = t && defined(keyOf(wechatBindingState, t.state))
    return {
      state: state && (t.live || state === 'bound' || state === 'refused') ? state : ('expired' as const),
    }
  }),
  anonymous(scanResidentQr, async ({ uuid, origin }, c) => {
    const t = await advanceTicket(c, uuid, ['waiting', 'scanned'], 'scanned')
    const wechat = await wechatOf(c.app)
    return {
      name: maskName(t.name),
      companyName: t.companyName,
      address: wechat.authorizeUrl(`${origin}/residentwx`, uuid),
    }
  }),
  anonymous(confirmResidentWechat, async ({ uuid, code }, c) => {
    const { database, log } = c.app
    const seen = await findTicket(c, uuid)
    if (!seen?.live || seen.state !== stateCode('scanned')) return refuseExpired()
    const openId = await wechatOf(c.app)
      .then(w => w.openIdOf(code))
      .catch(err => {
        log.warn({ err }, 'no openid for a code')
        return refuse('微信没有确认身份，请重新扫码')
      })
    await database.tx(seen.ownerId, async tx => {
      const taken = await tx.execute(
        sql`
          update resident_wechat_ticket
          set state = ${stateCode('bound')}
          where owner_id = ${seen.ownerId}
            and uuid = ${uuid}
            and state = ${stateCode('scanned')}
            and expire_time > ${new Date(c.app.clock())}
        `,
      )
      if (!taken) return refuseExpired()
      if (
        await tx.one(
          sql`
            select 1 as there
            from resident
            where owner_id = ${seen.ownerId}
              and run_wechat = ${openId}
              and id <> ${seen.residentId}
              and ${live()}
          `,
        )
      )
        return refuse('这个微信已绑定了另一位住户，请先联系物业解除')
      await tx.execute(
        sql`
          update resident
          set run_wechat = ${openId}, wechat_bind = true, run_wechat_time = ${new Date(c.app.clock())},
            version = version + 1, update_time = now()
          where owner_id = ${seen.ownerId} and id = ${seen.residentId} and ${live()}
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
  anonymous(cancelResidentWechat, async ({ uuid }, c) => {
    await advanceTicket(c, uuid, ['waiting', 'scanned'], 'refused')
  }),
  writes(unbindResidentWechat, async ({ id, reason }, { tx, scope }) => {
    const person = await requireResident(tx, scope, id, true)
    if (!person.wechatBind) return refuse(`「${person.name}」没有绑定微信`)
    await tx.execute(
      sql`
        update resident
        set run_wechat = null, wechat_bind = false, run_wechat_time = null, ${touch(scope)}
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
