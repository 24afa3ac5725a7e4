import { setTimeout as pause } from 'node:timers/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { codeOf } from '#kit/contract/field.ts'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { defined } from '#kit/domain/defined.ts'
import { asId } from '#kit/domain/id.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import { openTestApp } from '#kit/server/fixtures/test-app.ts'
import { clockScope } from '#kit/server/scope.ts'
import { loadInstalledModules } from '#apps/server/modules.ts'
import { createCallerLoader, smsOf, smsReportKey } from '#modules/accounts/server/public.ts'
import { messageState } from '#modules/messaging/contract/choices.ts'
import { channelOf } from '#modules/messaging/server/channels.ts'
import { dispatchCompany, inFlight } from '#modules/messaging/server/dispatcher.ts'
import {
  countAudience,
  defineMessageSource,
  queueMessages,
  registerChannel,
} from '#modules/messaging/server/public.ts'
import { reportEndpoints } from '#modules/messaging/server/report-endpoint.ts'
import { atLeast, atMost, measureMs, type BenchContext, type BenchRow } from './bench.ts'
import { measurePeakMemory } from './peak-memory.ts'
import { seedTown } from './resident-data.ts'

export const name = 'messages'

/** Of 20,000 residents each. `BENCH_ESTATES=1` is a quick look. */
const estates = Number(process.env.BENCH_ESTATES ?? 10)
const sentCount = 4_000
const reportsAtOnce = 100
const longSend = 40_000
const reportsPerSecond = 1_000
/** What the simulator waits before it answers: a provider is never as near as this process. */
const answerMs = 20
const everybody = { scopeType: 'all' } as const

const source = defineMessageSource({ key: 'bench', label: '基准', purpose: 'service' })

type Site = Awaited<ReturnType<typeof openSite>>

async function openSite(url: string, ownerId: number) {
  const t = await openTestApp(url, await loadInstalledModules(), createCallerLoader)
  await t.database.tx('*', tx =>
    tx.execute({
      sql: 'insert into sms_account (owner_id, total_count) values ($1, 100000000) on conflict do nothing',
      parameters: [ownerId],
    }),
  )
  const scope = clockScope(t.app, asId(ownerId))
  const queue = (bizId: number, mobiles?: readonly string[]) =>
    t.database.tx(scope.ownerId, tx =>
      queueMessages(
        { tx, app: t.app, scope, now: fromInstant(t.app.clock()) },
        {
          source: source.key,
          bizId: asId(bizId),
          channel: 'sms',
          to: mobiles ? { scopeType: 'numbers', scopeJson: { mobiles } } : everybody,
          message: { title: '停水', text: '{name}您好，{project}明日 9:00 停水，{room}请提前储水。' },
        },
      ),
    )
  return { t, scope, queue }
}

/** The same rows by COPY into a table with the same indexes. */
async function copyMs({ cluster }: BenchContext, url: string): Promise<number> {
  const admin = new URL(cluster.adminUrl)
  admin.pathname = new URL(url).pathname
  const client = new pg.Client(admin.href)
  await client.connect()
  await client.query('set statement_timeout = 0')
  const chunks: Buffer[] = []
  for await (const chunk of client.query(copyTo('copy outgoing_message to stdout'))) {
    chunks.push(Buffer.from(chunk))
  }
  await client.query('create table copied (like outgoing_message including all)')
  const ms = await measureMs(() =>
    pipeline(Readable.from(chunks), client.query(copyFrom('copy copied from stdin'))),
  )
  await client.query('drop table copied')
  await client.end()
  return ms
}

const mobilesOf = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => `136${String(10_000_000 + i * 10)}`)

/** As many at once as the dispatcher, over the same client of the same simulator. */
async function sendAlone({ t }: Site, mobiles: readonly string[]): Promise<void> {
  const sms = await smsOf(t.app)
  let at = 0
  const work = async (): Promise<void> => {
    while (at < mobiles.length) {
      const mobile = defined(mobiles[at++])
      await pause(answerMs)
      await sms.send(mobile, 'mass_notice', { content: '停水' }, '1-1')
    }
  }
  await Promise.all(Array.from({ length: inFlight }, work))
}

const rateOf = (count: number, ms: number): number => Math.round((count * 1000) / ms)

async function measureSending(site: Site): Promise<BenchRow> {
  const plain = channelOf('sms')
  registerChannel('sms', {
    ...plain,
    send: async (app, message) => {
      await pause(answerMs)
      return plain.send(app, message)
    },
  })
  const mobiles = mobilesOf(sentCount)
  await sendAlone(site, mobiles.slice(0, 500))
  const alone = await measureMs(() => sendAlone(site, mobiles))
  await site.queue(2, mobiles)
  const ours = await measureMs(() => dispatchCompany(site.t.app, site.scope.ownerId))
  const [ourRate, rawRate] = [rateOf(sentCount, ours), rateOf(sentCount, alone)]
  return atLeast(0.8, {
    label: `发送，同时 ${inFlight} 条，应答 ${answerMs} ms`,
    ours: ourRate,
    raw: rawRate,
    unit: '条/秒',
  })
}

async function measureReports({ t, scope }: Site): Promise<BenchRow> {
  const rows = await t.database.reader(scope.ownerId).rows<{ id: number; mobile: string }>({
    sql: 'select id, address as mobile from outgoing_message where owner_id = $1 and biz_id = 2 order by id',
    parameters: [scope.ownerId],
  })
  const reports = rows.map(({ id, mobile }) => ({
    phone_number: mobile,
    success: true,
    biz_id: `b${id}`,
    out_id: `${scope.ownerId}-${id}`,
  }))
  const key = await smsReportKey(t.app)
  const request = (body: string) => ({
    params: { key },
    query: new URLSearchParams(),
    headers: {},
    body,
    bytes: Buffer.from(body),
    ip: '127.0.0.1',
    agent: '',
    origin: '',
  })
  const ms = await measureMs(async () => {
    for (let from = 0; from < reports.length; from += reportsAtOnce) {
      const body = JSON.stringify(reports.slice(from, from + reportsAtOnce))
      await defined(reportEndpoints[0]).run(request(body), t.app)
    }
  })
  const ours = rateOf(reports.length, ms)
  return {
    ...atLeast(1, { label: '送达回执', ours, raw: reportsPerSecond, unit: '条/秒' }),
    bar: `≥ ${reportsPerSecond} 条/秒`,
  }
}

/** Whether a process that sends more messages needs more memory. */
async function measureMemory(url: string, { scope, queue }: Site): Promise<BenchRow> {
  const peak = async (count: number, bizId: number): Promise<number> => {
    await queue(bizId, mobilesOf(count))
    return measurePeakMemory(import.meta.filename, url, scope, String(count))
  }
  const few = await peak(longSend / 4, 3)
  const many = await peak(longSend, 4)
  return atMost(1.25, {
    label: `发送 ${longSend} 条的内存峰值（对 ${longSend / 4} 条）`,
    ours: many,
    raw: few,
    unit: 'MB',
  })
}

/** A message to everybody of a company: chosen, counted, queued; then sent, and reported. */
export async function run(context: BenchContext): Promise<BenchRow[]> {
  process.env.SMS_PER_SECOND = '5000'
  const url = await context.database()
  const { ownerId } = await seedTown(url, estates)
  const site = await openSite(url, ownerId)
  try {
    const db = site.t.database.reader(site.scope.ownerId)
    let people = 0
    const chosen = await measureMs(async () => {
      people = (await countAudience(db, site.scope, everybody, ['sms'])).people
      await site.queue(1)
    })
    const copied = await copyMs(context, url)
    context.log(`${people} 位接收人`)
    await site.t.database.tx(site.scope.ownerId, tx =>
      tx.execute({
        sql: 'update outgoing_message set state = $2 where owner_id = $1 and biz_id = 1',
        parameters: [ownerId, codeOf(messageState, 'cancelled')],
      }),
    )
    return [
      atMost(4, { label: `选人、统计、排队 ${people} 条`, ours: chosen, raw: copied, unit: 'ms' }),
      await measureSending(site),
      await measureReports(site),
      await measureMemory(url, site),
    ]
  } finally {
    await site.t.close()
  }
}

if (import.meta.main) {
  const [url = '', ownerId = '', , count = ''] = process.argv.slice(2)
  process.env.SMS_PER_SECOND = '5000'
  const site = await openSite(url, Number(ownerId))
  // The simulator keeps what it was sent: it is not what is measured.
  registerChannel('sms', { ...channelOf('sms'), send: async (_, { id }) => ({ ref: `m${id}` }) })
  const sent = await dispatchCompany(site.t.app, site.scope.ownerId)
  if (sent !== Number(count)) throw new Error(`${sent} of ${count} messages sent`)
  console.log(Math.round(process.resourceUsage().maxRSS / 1024))
  await site.t.close()
}
