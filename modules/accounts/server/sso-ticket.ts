import type { Id } from '#kit/domain/id.ts'
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { Refused, resultCode } from '#kit/contract/wire.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { findEntry } from '#kit/server/directory.ts'
import { notDeleted } from '#kit/server/sql.ts'

const ticketLifetimeSeconds = 300
export const sha256 = (s: string): Buffer => createHash('sha256').update(s).digest()

export const createTicketRefusal = (message = '凭证无效或已过期，请从原系统重新进入'): Refused =>
  new Refused(resultCode.refused, message, { Field: 'Ticket' })

export type TicketPayload = Readonly<Record<string, unknown>>

export interface VerifiedTicket {
  readonly ownerId: Id
  readonly payload: TicketPayload
  /** Must run in the transaction that acts on the ticket: a second use refuses there. */
  readonly markUsed: (tx: Tx) => Promise<void>
}

function parsePayload(encoded: string): TicketPayload {
  try {
    const payload: TicketPayload | null = JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8'))
    if (payload && typeof payload === 'object') return payload
  } catch {
    // Not a ticket.
  }
  throw createTicketRefusal()
}

/** The company of an AppKey, once the signature is right under its secret; refuses otherwise. */
async function requireIssuer(
  app: App,
  appKey: string,
  encodedPayload: string,
  signature: string,
): Promise<Id> {
  const entry = await findEntry(app.database.reader('*'), 'app_key', appKey)
  const issuer =
    entry &&
    (await app.database.reader(entry.ownerId).one<{ ownerId: Id; secret: Buffer }>(
      sql`
        select p.owner_id, s.secret
        from property p
        join property_secret s on s.owner_id = ${entry.ownerId}
        where p.owner_id = ${entry.ownerId} and p.app_key = ${appKey} and ${notDeleted('p')}
      `,
    ))
  // An unknown key costs the same work as a known one.
  const expected = createHmac('sha256', issuer?.secret ?? Buffer.alloc(32))
    .update(encodedPayload)
    .digest()
  const received = Buffer.from(signature, 'base64url')
  const isRight = received.length === expected.length && timingSafeEqual(received, expected)
  if (!isRight || !issuer) throw createTicketRefusal()
  return issuer.ownerId
}

/**
 * Writes down that a nonce was used, and forgets those that have expired; refuses one that was used before.
 * A ticket from a clock that is five minutes fast is valid for ten: its nonce is kept that long.
 */
async function consumeNonce(tx: Tx, ownerId: Id, nonce: string, nowMs: number): Promise<void> {
  await tx.execute(
    sql`delete from used_ticket where owner_id = ${ownerId} and expire_time < ${new Date(nowMs)}`,
  )
  const inserted = await tx.execute(
    sql`
      insert into used_ticket (owner_id, nonce, expire_time)
      values (${ownerId}, ${nonce}, ${new Date(nowMs + 2 * ticketLifetimeSeconds * 1000)})
      on conflict do nothing
    `,
  )
  if (!inserted) throw createTicketRefusal('凭证已使用过，请从原系统重新进入')
}

/**
 * Verifies what another system of a company sends under its key: `payload.signature`, base64url of JSON with
 * `AppKey`, `Time` (seconds) and `Nonce`, and base64url of its HMAC-SHA-256 under the SHA-256 of the
 * AppSecret. Valid for five minutes. Refuses anything else with one message.
 */
export async function verifyTicket(context: { readonly app: App }, ticket: string): Promise<VerifiedTicket> {
  const [encodedPayload = '', signature = ''] = ticket.split('.')
  const payload = parsePayload(encodedPayload)
  const { AppKey, Time, Nonce } = payload
  if (typeof AppKey !== 'string' || typeof Nonce !== 'string' || Nonce.length < 8 || Nonce.length > 80)
    throw createTicketRefusal()
  const ownerId = await requireIssuer(context.app, AppKey, encodedPayload, signature)
  // Negated, because a Time that is no number must be refused too.
  if (!(Math.abs(Number(Time) - context.app.clock() / 1000) <= ticketLifetimeSeconds))
    throw createTicketRefusal()
  return { ownerId, payload, markUsed: tx => consumeNonce(tx, ownerId, Nonce, context.app.clock()) }
}
