import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { dayOfInstant } from '#kit/domain/moment.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { openDatabase, sql, type Database } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findPage } from '#kit/server/table.ts'
import { listPassages, passage, passages } from '#modules/access/contract/passage.ts'
import { passageConditions } from '#modules/access/server/passage/list.ts'
import { AgentClient } from '#modules/devices/server/fixtures/agent-client.ts'
import { BenchServer } from './bench-server.ts'
import { atMost, atMostLimit, measureMs, type BenchContext, type BenchRow } from './bench.ts'
import { seedSites, type BenchSites } from './device-data.ts'
import { captureStatements } from './job-harness.ts'
import { estateCode, seedCompany } from './room-data.ts'
import {
  openSideBySide,
  percentileRows,
  replay,
  timeInTurn,
  type SideBySide,
  type Timings,
} from './side-by-side.ts'

export const name = 'passages'

/** `BENCH_PASSAGES=500000` is a quick look. */
const recordCount = Number(process.env.BENCH_PASSAGES ?? 50_000_000)
const rowsAtOnce = 1_000_000
const months = 12
const doorwayCount = 200
const people = 100_000
const rounds = 15
const openingsPerSecond = 300
const seconds = 20
const gatewayCount = 10

type Query = NonNullable<typeof listPassages.input.T>

const projectCode = estateCode(1)

const searches: readonly (readonly [label: string, query: Query])[] = [
  ['一个项目，近 30 天', { size: 20, projectCode }],
  ['一个门', { size: 20, projectCode, doorwayId: ['17'] }],
  ['一张卡', { size: 20, projectCode, cardNo: 'K4711' }],
  ['姓名', { size: 20, projectCode, personName: '住户4711' }],
]

/** A client that no limit of time ends: of the administrator of the cluster. */
async function openAdmin({ cluster }: BenchContext, url: string): Promise<pg.Client> {
  const admin = new URL(cluster.adminUrl)
  admin.pathname = new URL(url).pathname
  const bare = new pg.Client(admin.href)
  await bare.connect()
  await bare.query("set statement_timeout = 0; set maintenance_work_mem = '1GB'")
  return bare
}

/** Fifty million entries are sorted at once rather than added one by one. */
async function withoutIndexes(bare: pg.Client, table: string, work: () => Promise<void>): Promise<void> {
  const { rows } = await bare.query<{ name: string; definition: string }>(`
    select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
    from pg_index i
    where i.indrelid = '${table}'::regclass
      and not exists (select 1 from pg_constraint c where c.conindid = i.indexrelid)
  `)
  for (const { name: index } of rows) {
    await bare.query(`drop index ${index}`)
  }
  await work()
  for (const { definition } of rows) {
    await bare.query(definition.replace(' ON ONLY ', ' ON '))
  }
}

/** A year of records, evenly over its days, into the partitions of their months. */
async function seedRecords(bare: pg.Client, { ownerId }: Scope, log: (line: string) => void): Promise<void> {
  await bare.query(`call make_months('access_record', (current_date - ${months * 31})::date, ${months + 4})`)
  await bare.query(`
    insert into doorway (owner_id, id, project_code, doorway_code, doorway_name, direction, passage_type)
    select ${ownerId}, n, '${projectCode}', 'M' || n, '门' || n, 30, 10
    from generate_series(1, ${doorwayCount}) n
  `)
  await withoutIndexes(bare, 'access_record', async () => {
    for (let from = 0; from < recordCount; from += rowsAtOnce) {
      const rows = Math.min(rowsAtOnce, recordCount - from)
      await bare.query(`
        insert into access_record (
          owner_id, project_code, record_time, create_time, update_time, doorway_id, device_id, open_method,
          open_status, direction, person_kind, person_name, card_no, item_key, record_key
        )
        select ${ownerId}, '${projectCode}', r.at, r.at, r.at, r.n % ${doorwayCount} + 1,
          r.n % ${doorwayCount} + 1, 1, 1, 20, 10, '住户' || r.n % ${people},
          'K' || r.n % ${people}, 'card:K' || r.n % ${people}, r.n::text
        from (
          select n, now() - make_interval(secs => (n::float8 / ${recordCount}) * ${months * 30 * 86_400}) as at
          from generate_series(${from + 1}, ${from + rows}) n
        ) r
      `)
      log(`${from + rows} 条记录`)
    }
    log('建立索引 ……')
  })
  await bare.query('analyze access_record')
}

async function measureList(
  { t, token, bare }: SideBySide,
  scope: Scope,
  query: Query,
  statement: string,
): Promise<Timings> {
  const { captured, db } = captureStatements()
  const { cardNo: _card, personName: _name, ...plain } = query
  await findPage(db, passage, scope, plain, {
    filters: passages.filters,
    where: passageConditions(query, dayOfInstant(Date.now())),
  })
  return timeInTurn(
    { warmup: 3, measured: rounds },
    () => t.callRaw(listPassages, query, { token, projectCode }),
    () => replay(bare, statement, captured),
  )
}

async function measureLists(context: BenchContext): Promise<BenchRow[]> {
  const url = await context.database()
  const scope = await seedCompany(url, 1, { withRooms: false })
  const bare = await openAdmin(context, url)
  try {
    await seedRecords(bare, scope, context.log)
  } finally {
    await bare.end()
  }
  const sides = await openSideBySide(url, scope.ownerId)
  try {
    const rows: BenchRow[] = []
    for (const [i, [label, query]] of searches.entries()) {
      rows.push(
        ...percentileRows(
          1.5,
          `${recordCount} 条记录，${label}`,
          await measureList(sides, scope, query, `passages ${i}`),
        ),
      )
    }
    return rows
  } finally {
    await sides.close()
  }
}

/** A door for each gateway. */
const seedDoorways = (database: Database, { ownerId, gateways }: BenchSites): Promise<void> =>
  database.tx(ownerId, async tx => {
    const deviceIds = gateways.map(({ deviceIds: [first] }) => defined(first))
    await tx.execute(sql`
      insert into doorway (owner_id, id, project_code, doorway_code, doorway_name, direction, passage_type)
      select ${ownerId}::bigint, n, d.project_code, 'M' || n, '门' || n, 30, 10
      from unnest(${deviceIds}::bigint[]) with ordinality r(device_id, n)
      join device d on d.id = r.device_id
      where d.owner_id = ${ownerId}
      returning id
    `)
    await tx.execute(sql`
      insert into doorway_device (owner_id, project_code, doorway_id, device_id, direction)
      select ${ownerId}::bigint, d.project_code, n, d.id, 30
      from unnest(${deviceIds}::bigint[]) with ordinality r(device_id, n)
      join device d on d.id = r.device_id
      where d.owner_id = ${ownerId}
      returning id
    `)
  })

const sentEveryMs = 100

interface Sent {
  readonly count: number
  /** How long after the last one all were stored. */
  readonly lateMs: number
}

/** Openings at an even pace over all gateways. */
async function sendOpenings(agents: readonly AgentClient[], { gateways }: BenchSites): Promise<Sent> {
  const perTurn = (openingsPerSecond * sentEveryMs) / 1000 / agents.length
  const seqs = agents.map(() => 0)
  const turns = (seconds * 1000) / sentEveryMs
  const startedAt = performance.now()
  for (let turn = 0; turn < turns; turn++) {
    agents.forEach((agent, i) => {
      const deviceId: Id = defined(defined(gateways[i]).deviceIds[0])
      const first = defined(seqs[i]) + 1
      const at = new Date().toISOString()
      agent.events(
        Array.from({ length: perTurn }, (_, n) => ({
          type: 'doorPassage',
          deviceId,
          data: { key: String(first + n), at, method: 1, result: 1, direction: 1, card: `K${first + n}` },
        })),
        first,
      )
      seqs[i] = first + perTurn - 1
    })
    await pause(Math.max(0, startedAt + (turn + 1) * sentEveryMs - performance.now()))
  }
  const lateMs = await measureMs(() =>
    Promise.all(
      agents.map((agent, i) => agent.waitFor('eventsAck', ack => ack.seq >= defined(seqs[i]), 60_000)),
    ),
  )
  return { count: seqs.reduce((sum, seq) => sum + seq, 0), lateMs }
}

async function measureIntake({ database, folder, log }: BenchContext): Promise<BenchRow[]> {
  const url = await database()
  const store = openDatabase(url, { pool: 2, bulk: 1 })
  const sites = await seedSites(store, gatewayCount, 1)
  await seedDoorways(store, sites)
  const server = await BenchServer.start(url, folder())
  try {
    const agents = await Promise.all(
      sites.gateways.map(({ identity }) =>
        AgentClient.connect(`http://127.0.0.1:${server.port}`, identity, { clock: () => Date.now() }),
      ),
    )
    log(`${openingsPerSecond} 次开门/秒，${seconds} 秒 ……`)
    const sent = await sendOpenings(agents, sites)
    const [stored] = await store.reader(sites.ownerId).rows<{ n: number }>(sql`
      select count(*)::integer as n from access_record where owner_id = ${sites.ownerId}
    `)
    agents.forEach(agent => agent.close())
    return [
      atMost(1, {
        label: `每秒 ${openingsPerSecond} 次开门：发出 / 存下`,
        ours: sent.count,
        raw: defined(stored).n,
        unit: '条',
      }),
      atMostLimit(2000, {
        label: '最后一次开门至全部存下',
        ours: sent.lateMs,
        raw: 2000,
        unit: 'ms',
      }),
    ]
  } finally {
    await server.stop()
    await store.close()
  }
}

/** 50 million records by months: lists against their own statements; 300 openings a second, none lost. */
export async function run(context: BenchContext): Promise<BenchRow[]> {
  return [...(await measureIntake(context)), ...(await measureLists(context))]
}
