import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { Refused, resultCode } from '#kit/contract/wire.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { App } from '#kit/server/app.ts'
import { live } from '#kit/server/sql.ts'
import { findEntry } from '#kit/server/directory.ts'

const ticketLifetimeSeconds = 300
export const sha256 = (s: string): Buffer => createHash('sha256').update(s).digest()

export const createTicketRefusal = (message = '票据无效或已过期，请从原系统重新进入'): Refused =>
  new Refused(resultCode.refused, message, { Field: 'Ticket' })

export type TicketPayload = Readonly<Record<string, unknown>>

function parsePayload(payload: string): TicketPayload {
  try {
    const v = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as unknown
    if (v && typeof v === 'object') return v as TicketPayload
  } catch {
    /* not a ticket */
  }
  throw createTicketRefusal()
}

/**
 * What another system of a company says under its key: `payload.signature`, base64url of JSON with `AppKey`,
 * `Time` (seconds) and `Nonce`, and base64url of its HMAC-SHA-256 under the SHA-256 of the AppSecret. It
 * holds five minutes. `spend` must run in the transaction that acts on it: a second use refuses there.
 */
export async function verifyTicket(
  c: { readonly app: App },
  ticket: string,
): Promise<{
  readonly ownerId: number
  readonly said: TicketPayload
  readonly spend: (tx: Tx) => Promise<void>
}> {
  const [payload = '', sign = ''] = ticket.split('.')
  const said = parsePayload(payload)
  const { AppKey, Time, Nonce } = said
  if (typeof AppKey !== 'string' || typeof Nonce !== 'string' || Nonce.length < 8 || Nonce.length > 80)
    throw createTicketRefusal()
  const entry = await findEntry(c.app.database.reader('*'), 'app_key', AppKey)
  const issuer =
    entry &&
    (await c.app.database.reader(entry.ownerId).one<{ ownerId: number; secret: Buffer }>(
      sql`
        select p.owner_id, s.secret
        from property p
        join property_secret s on s.owner_id = ${entry.ownerId}
        where p.owner_id = ${entry.ownerId} and p.app_key = ${AppKey} and ${live('p')}
      `,
    ))
  const is = createHmac('sha256', issuer?.secret ?? Buffer.alloc(32))
    .update(payload)
    .digest()
  const got = Buffer.from(sign, 'base64url')
  if (got.length !== is.length || !timingSafeEqual(got, is) || !issuer) throw createTicketRefusal()
  if (!(Math.abs(Number(Time) - c.app.clock() / 1000) <= ticketLifetimeSeconds)) throw createTicketRefusal()
  const { ownerId } = issuer
  return {
    ownerId,
    said,
    spend: async tx => {
      await tx.execute(
        sql`
          delete from used_ticket where owner_id = ${ownerId} and expire_time < ${new Date(c.app.clock())}
        `,
      )
      if (
        !(await tx.execute(
          sql`
            insert into used_ticket (owner_id, nonce, expire_time)
            values (${ownerId}, ${Nonce}, ${new Date(c.app.clock() + 2 * ticketLifetimeSeconds * 1000)})
            on conflict do nothing
          `,
        ))
      )
        throw createTicketRefusal('票据已使用过，请从原系统重新进入')
    },
  }
}
