import { parseId, type Id } from '#kit/domain/id.ts'
import { addMinutes, fromInstant } from '#kit/domain/moment.ts'
import type { App } from '#kit/server/app.ts'
import { sql } from '#kit/server/db.ts'
import { defineCron } from '#kit/server/jobs.ts'
import { clockScope } from '#kit/server/scope.ts'
import type { MessageReport } from '../domain/report.ts'
import { bookReports, type Outcome } from './booking.ts'

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
async function findMessages(app: App, reports: readonly MessageReport[]): Promise<KnownMessage[]> {
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

type Matched = readonly [message: KnownMessage, report: MessageReport]

/** A report about a message to another number is somebody else's, or forged. */
const match = (messages: readonly KnownMessage[], reports: readonly MessageReport[]): Matched[] => {
  const byOutId = new Map(messages.map(message => [`${message.ownerId}-${message.id}`, message]))
  const byRef = Map.groupBy(messages, message => message.providerRef)
  return reports.flatMap((report): Matched[] => {
    const named = report.outId === undefined ? undefined : byOutId.get(report.outId)
    const found = named ?? byRef.get(report.ref)?.find(({ address }) => address === report.address)
    return found?.address === report.address ? [[found, report]] : []
  })
}

const toOutcome = ([{ id }, { isDelivered, isRefused, ref, reason }]: Matched): Outcome =>
  isDelivered
    ? { id, state: 'delivered', ref }
    : { id, state: isRefused ? 'refused' : 'failed', ref, reason: reason ?? '未送达' }

/** Books reports; answers which of them named no known message. */
async function receive(app: App, reports: readonly MessageReport[]): Promise<MessageReport[]> {
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

type EarlyReport = MessageReport & { readonly ref: string }

/** Names its message by the provider's number alone, which is known when the provider has answered. */
const isEarly = (report: MessageReport): report is EarlyReport =>
  report.outId === undefined && report.ref !== undefined

const keepReports = (app: App, reports: readonly EarlyReport[]): Promise<number> => {
  const rows = reports.map(({ ref, address, isDelivered, isRefused = false, reason }) => ({
    ref,
    address,
    is_delivered: isDelivered,
    is_refused: isRefused,
    reason,
  }))
  const now = fromInstant(app.clock())
  return app.database.tx('*', tx =>
    tx.execute(sql`
      insert into message_early_report (ref, address, is_delivered, is_refused, reason, receive_time)
      select distinct on (r.ref, r.address) r.ref, r.address, r.is_delivered, r.is_refused, r.reason,
        ${now}::timestamptz
      from json_to_recordset(${JSON.stringify(rows)}::json) as r(
        ref text, address text, is_delivered boolean, is_refused boolean, reason text
      )
      on conflict (ref, address) do update
      set is_delivered = excluded.is_delivered, is_refused = excluded.is_refused, reason = excluded.reason
      returning ref
    `),
  )
}

const forgetReports = (app: App, reports: readonly EarlyReport[]): Promise<number> =>
  app.database.tx('*', tx =>
    tx.execute(sql`
      delete from message_early_report
      where (ref, address) in (
        select *
        from unnest(
          ${reports.map(({ ref }) => ref)}::text[], ${reports.map(({ address }) => address)}::text[]
        )
      )
    `),
  )

/** Books kept reports whose messages are known by now. */
async function bookKept(app: App, kept: readonly EarlyReport[]): Promise<void> {
  const missed = new Set<MessageReport>(await receive(app, kept))
  const booked = kept.filter(report => !missed.has(report))
  if (booked.length) {
    await forgetReports(app, booked)
  }
}

/**
 * Books delivery reports. One that is faster than the answer about its message is kept first and looked at
 * again: what is booked between the two looks is found by one of them.
 */
export async function receiveReports(app: App, reports: readonly MessageReport[]): Promise<void> {
  const early = (await receive(app, reports)).filter(isEarly)
  if (!early.length) return
  await keepReports(app, early)
  await bookKept(app, early)
}

/** No answer comes so late. */
const keptHours = 24
const keptAtOnce = 5000

/** Reports that came early, as soon as the answers are booked. */
export async function bookEarlyReports(app: App): Promise<void> {
  const before = addMinutes(fromInstant(app.clock()), -keptHours * 60)
  const kept = await app.database.reader('*').rows<Omit<EarlyReport, 'outId'>>(sql`
    select ref, address, is_delivered, is_refused, reason
    from message_early_report
    order by receive_time desc
    limit ${keptAtOnce}
  `)
  if (!kept.length) return
  await bookKept(
    app,
    kept.map(report => ({ ...report, outId: undefined })),
  )
  await app.database.tx('*', tx =>
    tx.execute(sql`delete from message_early_report where receive_time < ${before}::timestamptz`),
  )
}

export const earlyReportsCron = defineCron({
  name: 'messages-early-reports',
  schedule: '* * * * *',
  run: bookEarlyReports,
})
