import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { Refused, code } from '#kit/contract/wire.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { World } from '#kit/server/world.ts'

const lastsSeconds = 300
export const digest = (s: string): Buffer => createHash('sha256').update(s).digest()

export const badTicket = (message = '票据无效或已过期，请从原系统重新进入'): Refused =>
  new Refused(code.refused, message, { Field: 'Ticket' })

export type Said = Readonly<Record<string, unknown>>

function read(payload: string): Said {
  try {
    const v = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as unknown
    if (v && typeof v === 'object') return v as Said
  } catch {
    /* not a ticket */
  }
  throw badTicket()
}

/**
 * What another system of a company says under its key: `payload.signature`, base64url of JSON with `AppKey`,
 * `Time` (seconds) and `Nonce`, and base64url of its HMAC-SHA-256 under the SHA-256 of the AppSecret. It
 * holds five minutes. `spend` must run in the transaction that acts on it: a second use refuses there.
 */
export async function openTicket(
  c: { readonly world: World },
  ticket: string,
): Promise<{ readonly ownerId: number; readonly said: Said; readonly spend: (tx: Tx) => Promise<void> }> {
  const [payload = '', sign = ''] = ticket.split('.')
  const said = read(payload)
  const { AppKey, Time, Nonce } = said
  if (typeof AppKey !== 'string' || typeof Nonce !== 'string' || Nonce.length < 8 || Nonce.length > 80)
    throw badTicket()
  const issuer = await c.world.store.reader('*').one<{ ownerId: number; secret: Buffer }>(
    sql`
        select p.owner_id, s.secret
        from property p
        join property_secret s on s.owner_id = p.owner_id
        where p.app_key = ${AppKey} and p.delete_tag = 0
      `,
  )
  const is = createHmac('sha256', issuer?.secret ?? Buffer.alloc(32))
    .update(payload)
    .digest()
  const got = Buffer.from(sign, 'base64url')
  if (got.length !== is.length || !timingSafeEqual(got, is) || !issuer) throw badTicket()
  if (!(Math.abs(Number(Time) - c.world.clock() / 1000) <= lastsSeconds)) throw badTicket()
  const { ownerId } = issuer
  return {
    ownerId,
    said,
    spend: async tx => {
      await tx.run(
        sql`
          delete from used_ticket where owner_id = ${ownerId} and expire_time < ${new Date(c.world.clock())}
        `,
      )
      if (
        !(await tx.run(
          sql`
            insert into used_ticket (owner_id, nonce, expire_time)
            values (${ownerId}, ${Nonce}, ${new Date(c.world.clock() + 2 * lastsSeconds * 1000)})
            on conflict do nothing
          `,
        ))
      )
        throw badTicket('票据已使用过，请从原系统重新进入')
    },
  }
}
