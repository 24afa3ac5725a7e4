import { defined } from '#kit/domain/defined.ts'
import { asId } from '#kit/domain/id.ts'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { openDatabase, sql, type Database } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { registerEntities } from '#kit/server/registry.ts'
import { loadInstalledModules } from '#apps/server/modules.ts'
import { generateNow, seedFee, type FeeOptions } from '#modules/bills/server/generate.fixtures.ts'
import { previewRun } from '#modules/bills/server/run-preview.ts'
import { prepareRun, type PreparedRun } from '#modules/bills/server/run-scope.ts'
import { ownerScope } from '#db/golden/seed-estate.ts'
import {
  atMost,
  measureGrowth,
  median,
  measureMs,
  atMostLimit,
  type BenchContext,
  type BenchRow,
} from './bench.ts'
import { seedCompany, estateCode, roomsPerEstate } from './room-data.ts'
import { measurePeakMemory } from './peak-memory.ts'
import { codeOf } from '#kit/contract/field.ts'
import { billState } from '#modules/bills/contract/choices.ts'

export const name = 'generate'

/** Rooms of all estates; `BENCH_ROOMS=20000` is a quick look. */
const roomsInAll = Number(process.env.BENCH_ROOMS ?? 100_000)
const estates = roomsInAll / roomsPerEstate
const today = '2026-11-21'
const month = '2026-11'

/**
 * Every room of every estate is charged three items: by area, a fixed amount, and by a formula with IF and
 * MIN; a third of them has a payer.
 */
export async function seedFees(url: string, scope: Scope): Promise<void> {
  registerEntities((await loadInstalledModules()).flatMap(m => m.contract.entities))
  const database = openDatabase(url, { pool: 2, bulk: 1 })
  await database.tx(scope.ownerId, async tx => {
    await tx.execute(
      sql`
        insert into resident (owner_id, home_project, name, mobile, user_type, source, state)
        select ${scope.ownerId}::bigint, project_code, '住户' || id, '1' || lpad(id::text, 10, '0'), 10, 10, 10
        from room
        where owner_id = ${scope.ownerId} and id % 3 = 0
      `,
    )
    // Without its size the join is planned row by row.
    await tx.execute(sql`analyze resident`)
    await tx.execute(
      sql`
        update room r
        set payer_id = p.id, payer_name = p.name
        from resident p
        where p.owner_id = r.owner_id and p.name = '住户' || r.id
      `,
    )
    for (let e = 1; e <= estates; e++) {
      const wishes: FeeOptions[] = [
        {},
        { formula: { formulaType: 'fixed' }, price: '35' },
        {
          formula: { formulaType: 'custom', expression: 'MIN(IF(建筑面积>90,建筑面积×单价,90×单价),500)' },
          price: '1.35',
        },
      ]
      for (const w of wishes) {
        const f = await seedFee(tx, scope, estateCode(e), w)
        await tx.execute(sql`
          insert into fee_relation (
            owner_id, project_code, source_type, source_code, source_name, build_code, fee_item_id,
            standard_id, begin_date, billed_to, multi, state
          )
          select owner_id, project_code, 10, code, path, build_code, ${f.itemId}::bigint,
            ${f.standardId}::bigint, '2026-01-01', '2026-10-31', false, 10
          from room
          where owner_id = ${scope.ownerId} and project_code = ${estateCode(e)}
          order by sort_key
        `)
      }
    }
  })
  const c = new pg.Client(url)
  await c.connect()
  for (const table of ['resident', 'room', 'fee_relation']) {
    await c.query(`vacuum analyze ${table}`)
  }
  await c.end()
  await database.close()
}

const firstBuildingCodes = (n: number): string[] =>
  Array.from({ length: n }, (_, i) => `B${String(i + 1).padStart(3, '0')}`)

export async function prepareBillRun(
  database: Database,
  scope: Scope,
  estate: number,
  buildings?: number,
): Promise<PreparedRun> {
  return prepareRun(
    database.reader(scope.ownerId),
    scope,
    estateCode(estate),
    buildings ? { buildCodes: firstBuildingCodes(buildings) } : {},
    { month, today },
  )
}

/** One estate's run, as its job does it, without the wait for a worker. Returns how many bills it made. */
export const generateBills = async (
  database: Database,
  scope: Scope,
  estate: number,
  buildings?: number,
): Promise<number> =>
  (
    await generateNow(
      database,
      scope,
      estateCode(estate),
      month,
      today,
      buildings ? { buildCodes: firstBuildingCodes(buildings) } : {},
    )
  ).made

/** Empty tables again, relations where they stood. */
export const clearBills = async (c: pg.Client): Promise<void> => {
  await c.query(`truncate bill, bill_month, bill_run`)
  await c.query(`update fee_relation set billed_to = '2026-10-31' where billed_to <> '2026-10-31'`)
  await c.query(`vacuum fee_relation`)
}

const storedColumnsSql = `
  select column_name
  from information_schema.columns
  where table_name = 'bill' and table_schema = 'public' and is_generated = 'NEVER'
  order by ordinal_position
`

/**
 * COPY of the same bills and months into identical, empty tables: with all indexes and constraints, or with
 * the primary key alone.
 */
export async function copyBills(c: pg.Client, url: string, bare: boolean): Promise<number> {
  const columns = (await c.query<{ column_name: string }>(storedColumnsSql)).rows
    .map(r => r.column_name)
    .join(', ')
  for (const table of ['bill', 'bill_month']) {
    await c.query(`drop table if exists ${table}_copy`)
    await c.query(
      bare
        ? `create table ${table}_copy (like ${table} including defaults including generated)`
        : `create table ${table}_copy (like ${table} including all)`,
    )
    if (bare) {
      const primaryKey = table === 'bill' ? 'owner_id, id' : 'owner_id, bill_id, month'
      await c.query(`alter table ${table}_copy add primary key (${primaryKey})`)
    }
    // Exclusion constraints are no part of LIKE … INCLUDING ALL.
    else if (table === 'bill') {
      await c.query(
        `
          alter table bill_copy
          add exclude using gist (
            owner_id with =, run_place with =, daterange(begin_date, end_date, '[]') with &&, run_root with <>
          )
          where (state in (${codeOf(billState, 'pending')}, ${codeOf(billState, 'normal')}, ${codeOf(billState, 'writtenOff')})
            and delete_tag = 0
            and not run_free)
        `,
      )
    }
  }
  const rows: Buffer[][] = []
  for (const [table, list] of [
    ['bill', columns],
    ['bill_month', '*'],
  ] as const) {
    const parts: Buffer[] = []
    for await (const part of c.query(copyTo(`copy (select ${list} from ${table}) to stdout`))) {
      parts.push(Buffer.from(part))
    }
    rows.push(parts)
  }
  const into = new pg.Client(url)
  await into.connect()
  try {
    return await measureMs(async () => {
      await pipeline(
        Readable.from(defined(rows[0])),
        into.query(copyFrom(`copy bill_copy (${columns}) from stdin`)),
      )
      await pipeline(Readable.from(defined(rows[1])), into.query(copyFrom(`copy bill_month_copy from stdin`)))
    })
  } finally {
    await into.end()
  }
}

const assertMade = (made: number, expected: number): void => {
  if (made !== expected) throw new Error('not every room was billed')
}

const measureOneEstate = (store: Database, c: pg.Client, scope: Scope): Promise<number> =>
  median(async () => {
    await clearBills(c)
    return measureMs(async () => assertMade(await generateBills(store, scope, 1, 25), 30_000))
  })

async function generateAllEstates(store: Database, scope: Scope): Promise<void> {
  for (let estate = 1; estate <= estates; estate++) {
    assertMade(await generateBills(store, scope, estate), roomsPerEstate * 3)
  }
}

/**
 * A month's bills of 100,000 rooms with three items each, chunk by chunk with relations and progress, against
 * COPY of the same rows.
 */
export async function run({ cluster, database, log }: BenchContext): Promise<BenchRow[]> {
  const url = await database()
  const scope = await seedCompany(url, estates, { withRooms: true })
  await seedFees(url, scope)
  const admin = new URL(cluster.adminUrl)
  admin.pathname = new URL(url).pathname
  const c = new pg.Client(admin.href)
  await c.connect()
  const store = openDatabase(url, { pool: 4, bulk: 1 })
  try {
    const preview = await median(async () => {
      const p = await prepareBillRun(store, scope, 1, 25)
      return measureMs(() => previewRun(store.reader(scope.ownerId), p, false))
    })
    log('预览 10000 间房 × 3 项')
    const small = await measureOneEstate(store, c, scope)
    log(`生成 30000 张：${Math.round(small)} ms`)
    await clearBills(c)
    const peak = await measurePeakMemory(import.meta.filename, url, scope)
    await clearBills(c)
    const large = await measureMs(() => generateAllEstates(store, scope))
    log(`生成 ${roomsInAll * 3} 张：${Math.round(large)} ms`)
    const copy = await copyBills(c, admin.href, false)
    const bare = await copyBills(c, admin.href, true)
    log(`COPY ${roomsInAll * 3} 张：${Math.round(copy)} ms，仅主键 ${Math.round(bare)} ms`)
    return [
      atMost(1, {
        label: `一月账单：${roomsInAll} 间房 × 3 项（对 COPY 进同样的表与索引）`,
        ours: large,
        raw: copy,
        unit: 'ms',
      }),
      atMost(4, {
        label: `一月账单：${roomsInAll} 间房 × 3 项（对 COPY 进仅有主键的表）`,
        ours: large,
        raw: bare,
        unit: 'ms',
      }),
      measureGrowth('一月账单', { rows: 30_000, ms: small }, { rows: roomsInAll * 3, ms: large }, 1.05),
      atMostLimit(512, { label: '生成 60000 张的内存峰值', ours: peak, raw: peak, unit: 'MB' }),
      atMostLimit(10_000, { label: '预览 10000 间房 × 3 项', ours: preview, raw: preview, unit: 'ms' }),
    ]
  } finally {
    await c.end()
    await store.close()
  }
}

if (import.meta.main) {
  const [url = '', ownerId = '', operator = ''] = process.argv.slice(2)
  const database = openDatabase(url, { pool: 2, bulk: 1 })
  registerEntities((await loadInstalledModules()).flatMap(m => m.contract.entities))
  await generateBills(database, ownerScope(asId(Number(ownerId)), asId(Number(operator)), '基准'), 1)
  console.log(Math.round(process.resourceUsage().maxRSS / 1024))
  await database.close()
}
