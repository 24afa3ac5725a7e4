import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { loadInstalledModules } from '#apps/server/modules.ts'
import { asId, type Id } from '#kit/domain/id.ts'
import { asMoment } from '#kit/domain/moment.ts'
import { openDatabase, type Database } from '#kit/server/db.ts'
import { registerEntities } from '#kit/server/registry.ts'
import type { Scope } from '#kit/server/scope.ts'
import { canOpen } from '#modules/access/server/public.ts'
import { findRights } from '#modules/access/server/reach/rights.ts'
import { planProject } from '#modules/access/server/sync/plan.ts'
import { atMost, atMostLimit, measureMs, median, type BenchContext, type BenchRow } from './bench.ts'
import { estateCode, seedCompany } from './room-data.ts'

export const name = 'access'

/** People with a card each, and doors with a device each. */
interface Size {
  readonly credentials: number
  readonly doorways: number
}

/** `BENCH_CREDENTIALS=5000` is a quick look. */
const planSize: Size = {
  credentials: Number(process.env.BENCH_CREDENTIALS ?? 50_000),
  doorways: Number(process.env.BENCH_DOORWAYS ?? 40),
}
/** `BENCH_PEOPLE=5000` is a quick look. */
const decisionSize: Size = { credentials: Number(process.env.BENCH_PEOPLE ?? 200_000), doorways: 500 }
const decisions = 200
const projectCode = estateCode(1)
const now = asMoment('2026-09-30 10:00:00')
const time = '2026-09-30T02:00:00.000Z'

/** Everybody lives in a room, has a card, and may pass all doors: half because of home, half by a group. */
async function seedAccess(bare: pg.Client, ownerId: Id, { credentials, doorways }: Size): Promise<void> {
  const write = (text: string) => bare.query(text)
  await write(`
    insert into resident (owner_id, id, home_project, name, user_type, source, state)
    select ${ownerId}, n, '${projectCode}', '住户' || n, 10, 10, 10 from generate_series(1, ${credentials}) n
  `)
  await write(`
    insert into user_room (
      owner_id, project_code, user_id, room_id, build_code, relation, in_date, status, apply_source
    )
    select ${ownerId}, '${projectCode}', n, r.id, r.build_code, 10, '2020-01-01', 20, 10
    from generate_series(1, ${credentials}) n
    join (
      select id, build_code, row_number() over (order by id) as place
      from room
      where owner_id = ${ownerId}
    ) r on r.place = n % (select count(*) from room where owner_id = ${ownerId}) + 1
  `)
  await write(`
    insert into doorway (owner_id, id, project_code, doorway_code, doorway_name, direction, passage_type, is_public)
    select ${ownerId}, n, '${projectCode}', 'M' || n, '门' || n, 30, 10, n % 2 = 0
    from generate_series(1, ${doorways}) n
  `)
  await write(`
    insert into doorway_group (owner_id, id, project_code, group_name, doorway_ids, scope_type)
    select ${ownerId}, 1, '${projectCode}', '住户', array_agg(n::text), 10
    from generate_series(1, ${doorways}, 2) n
  `)
  await write(`
    insert into identity_card (
      owner_id, id, project_code, card_no, card_type, user_id, doorway_group_ids, end_date, state
    )
    select ${ownerId}, n, '${projectCode}', 'K' || n, 10, n, '{1}', '2030-01-01', 10
    from generate_series(1, ${credentials}) n
  `)
  await write(`
    insert into gateway (owner_id, id, project_code, gate_no, name, state, is_online, health_score)
    values (${ownerId}, 1, '${projectCode}', 'G1', '网关', 10, false, 100)
  `)
  await write(`
    insert into device_model (owner_id, id, name, system_type, dev_type, driver, state)
    values (${ownerId}, 1, '型号', 70, 'access', 'simulator', 10)
  `)
  await write(`
    insert into device (
      owner_id, id, project_code, dev_no, name, model_id, gateway_id, state, is_online, health_score
    )
    select ${ownerId}, n, '${projectCode}', 'D' || n, '设备' || n, 1, 1, 10, false, 100
    from generate_series(1, ${doorways}) n
  `)
  await write(`
    insert into doorway_device (owner_id, project_code, doorway_id, device_id, direction)
    select ${ownerId}, '${projectCode}', n, n, 30 from generate_series(1, ${doorways}) n
  `)
  await write(
    'vacuum analyze resident, user_room, identity_card, doorway, doorway_group, doorway_device, device, gateway',
  )
}

/** COPY of the rows of a table into an identical, empty one. */
async function copyRows(bare: pg.Client, table: string): Promise<number> {
  await bare.query(`drop table if exists ${table}_copy`)
  await bare.query(`create table ${table}_copy (like ${table} including all)`)
  const parts: Buffer[] = []
  for await (const part of bare.query(copyTo(`copy ${table} to stdout`))) {
    parts.push(Buffer.from(part))
  }
  const took = await measureMs(() =>
    pipeline(Readable.from(parts), bare.query(copyFrom(`copy ${table}_copy from stdin`))),
  )
  await bare.query(`drop table ${table}_copy`)
  return took
}

async function measurePlan(database: Database, bare: pg.Client, scope: Scope): Promise<BenchRow[]> {
  const affected = { projectCode, isWhole: true, keys: [], deviceIds: [], otherDeviceIds: [] }
  const plan = () => database.tx(scope.ownerId, tx => planProject(tx, { ...scope, time }, affected))
  const { credentials, doorways } = planSize
  const wanted = (credentials + 1) * doorways
  const ours = await measureMs(async () => {
    const changed = await plan()
    if (changed !== wanted) throw new Error(`${changed} items were planned, not ${wanted}`)
  })
  await bare.query('vacuum analyze device_item')
  const raw = await copyRows(bare, 'device_item')
  const again = await measureMs(async () => {
    if ((await plan()) > 0) throw new Error('what has not changed was planned again')
  })
  const one = { ...affected, isWhole: false, keys: ['card:K77'] }
  const card = await median(() =>
    measureMs(() => database.tx(scope.ownerId, tx => planProject(tx, { ...scope, time }, one))),
  )
  return [
    atMost(4, { label: `下发计划：${credentials} 个凭证 × ${doorways} 台设备`, ours, raw, unit: 'ms' }),
    atMost(4, { label: '下发计划，无变化', ours: again, raw, unit: 'ms' }),
    atMostLimit(500, { label: '一张卡变动后的下发计划', ours: card, raw: card, unit: 'ms' }),
  ]
}

const p95 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? 0

/** The decision of the product against the statement that it asks. */
async function measureDecision(database: Database, scope: Scope): Promise<BenchRow> {
  const { credentials, doorways } = decisionSize
  const reader = database.reader(scope.ownerId)
  const numbers = Array.from({ length: decisions }, (_, i) => ((i * 7919) % credentials) + 1)
  const timed = async (work: (n: number) => Promise<unknown>): Promise<number> => {
    const took: number[] = []
    for (const n of numbers) {
      took.push(await measureMs(() => work(n)))
    }
    return p95(took)
  }
  const doorwayOf = (n: number): Id => asId((n % doorways) + 1)
  const decide = (n: number) =>
    canOpen(reader, scope.ownerId, { key: `card:K${n}`, doorwayId: doorwayOf(n), at: now })
  const statement = (n: number) =>
    findRights(reader, {
      ownerId: scope.ownerId,
      projectCode,
      today: '2026-09-30',
      keys: [`card:K${n}`],
      doorwayIds: [doorwayOf(n)],
    })
  await timed(decide)
  const raw = await timed(statement)
  const ours = await timed(decide)
  return atMost(1.5, { label: `开门判断 p95：${credentials} 人 × ${doorways} 个门`, ours, raw, unit: 'ms' })
}

type Measure = (database: Database, bare: pg.Client, scope: Scope) => Promise<BenchRow[]>

/** In a database of its own, filled to a size. */
async function measureAt(
  size: Size,
  measure: Measure,
  { cluster, database }: BenchContext,
): Promise<BenchRow[]> {
  const url = await database()
  const scope = await seedCompany(url, 1, { withRooms: true })
  const admin = new URL(cluster.adminUrl)
  admin.pathname = new URL(url).pathname
  const bare = new pg.Client(admin.href)
  await bare.connect()
  const store = openDatabase(url, { pool: 4, bulk: 1 })
  try {
    await seedAccess(bare, scope.ownerId, size)
    return await measure(store, bare, scope)
  } finally {
    await bare.end()
    await store.close()
  }
}

export async function run(context: BenchContext): Promise<BenchRow[]> {
  registerEntities((await loadInstalledModules()).flatMap(m => m.contract.entities))
  const decision = await measureAt(
    decisionSize,
    async (store, _bare, scope) => [await measureDecision(store, scope)],
    context,
  )
  context.log('计算全部凭证 ……')
  return [...decision, ...(await measureAt(planSize, measurePlan, context))]
}
