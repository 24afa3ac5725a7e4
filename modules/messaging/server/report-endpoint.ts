import { createHash, timingSafeEqual } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { parseId, type Id } from '#kit/domain/id.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import type { App } from '#kit/server/app.ts'
import { sql } from '#kit/server/db.ts'
import type { RawEndpoint, RawRequest, RawResponse } from '#kit/server/raw-endpoint.ts'
import { clockScope } from '#kit/server/scope.ts'
import { smsReportKey } from '#modules/accounts/server/public.ts'
import { readReplies, readReports, type SmsReport } from '../domain/report.ts'
import { bookReports, type Outcome } from './booking.ts'
import { optOut } from './opt-out.ts'

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

interface KnownMessage {
  readonly ownerId: Id
  readonly id: Id
  readonly address: string
  readonly providerRef?: string
}

/** `12-345`: the company and the message that a report names. */
function parseOutId(outId: string | undefined): { ownerId: Id; id: Id } | undefined {
  const [, owner, id] = /^(\d{1,15})-(\d{1,15})$/.exec(outId ?? '') ?? []
  return owner && id ? { ownerId: parseId(owner), id: parseId(id) } : undefined
}

/** The messages of reports, by the number that their sender gave them, or by the provider's. */
async function findMessages(app: App, reports: readonly SmsReport[]): Promise<KnownMessage[]> {
  const own = reports.flatMap(({ outId }) => parseOutId(outId) ?? [])
  const refs = reports.flatMap(({ outId, ref }) => (parseOutId(outId) || !ref ? [] : [ref]))
  const byRef = refs.length
    ? await app.database.reader('*').rows<KnownMessage>(sql`
        select m.owner_id, m.id, m.address, m.provider_ref
        from outgoing_message m
        where m.provider_ref = any(${refs}::text[])
      `)
    : []
  const named = await Promise.all(
    [...Map.groupBy(own, each => each.ownerId)].map(([ownerId, ofOwner]) =>
      app.database.reader(ownerId).rows<KnownMessage>(sql`
        select m.owner_id, m.id, m.address, m.provider_ref
        from outgoing_message m
        where m.owner_id = ${ownerId} and m.id = any(${ofOwner.map(({ id }) => id)}::bigint[])
      `),
    ),
  )
  return [...byRef, ...named.flat()]
}

type Matched = readonly [message: KnownMessage, report: SmsReport]

/** A report about a message to another number is somebody else's, or forged. */
const match = (messages: readonly KnownMessage[], reports: readonly SmsReport[]): Matched[] => {
  const byOutId = new Map(messages.map(message => [`${message.ownerId}-${message.id}`, message]))
  const byRef = Map.groupBy(messages, message => message.providerRef)
  return reports.flatMap((report): Matched[] => {
    const named = report.outId === undefined ? undefined : byOutId.get(report.outId)
    const found = named ?? byRef.get(report.ref)?.find(({ address }) => address === report.mobile)
    return found?.address === report.mobile ? [[found, report]] : []
  })
}

const toOutcome = ([{ id }, { isDelivered, ref, reason }]: Matched): Outcome =>
  isDelivered ? { id, state: 'delivered', ref } : { id, state: 'failed', ref, reason: reason ?? '未送达' }

/** Books reports; answers which of them named no known message. */
async function receive(app: App, reports: readonly SmsReport[]): Promise<SmsReport[]> {
  const matched = match(await findMessages(app, reports), reports)
  const now = fromInstant(app.clock())
  for (const [ownerId, own] of Map.groupBy(matched, ([message]) => message.ownerId)) {
    // Of several reports about one message the last one counts.
    const outcomes = [...new Map(own.map(each => [each[0].id, toOutcome(each)])).values()]
    await app.database.tx(ownerId, tx => bookReports(tx, clockScope(app, ownerId), outcomes, now))
  }
  const known = new Set(matched.map(([, report]) => report))
  return reports.filter(report => !known.has(report))
}

/** A report may be faster than the booking of what it is about. */
const secondLookMs = 2000

async function receiveReports(app: App, body: unknown): Promise<void> {
  const missed = await receive(app, readReports(body))
  const named = missed.filter(({ outId }) => outId === undefined)
  if (!named.length) return
  await pause(secondLookMs)
  await receive(app, named)
}

const accepted: RawResponse = {
  type: 'application/json',
  // The one is what Alibaba Cloud wants to read, the other what Tencent Cloud does.
  body: JSON.stringify({ code: 0, msg: '接收成功', result: 0, errmsg: 'OK' }),
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const receiver = (
  route: RawEndpoint['route'],
  work: (app: App, body: unknown) => Promise<void>,
): RawEndpoint => ({
  route,
  maxBodyBytes: 1_048_576,
  isFrequent: true,
  run: async ({ params, body }: RawRequest, app) => {
    if (!timingSafeEqual(digest(params.key ?? ''), digest(await smsReportKey(app)))) return { status: 404 }
    await work(app, parse(body))
    return accepted
  },
})

export const reportEndpoints: readonly RawEndpoint[] = [
  receiver('POST /api/sms/report/:key', receiveReports),
  receiver('POST /api/sms/reply/:key', (app, body) => optOut(app, readReplies(body))),
]
