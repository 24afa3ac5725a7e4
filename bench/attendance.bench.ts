import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { loadInstalledModules } from '#apps/server/modules.ts'
import { ownerScope } from '#db/golden/seed-estate.ts'
import { asId, type Id } from '#kit/domain/id.ts'
import { asMoment } from '#kit/domain/moment.ts'
import { openDatabase, type Database } from '#kit/server/db.ts'
import { registerEntities } from '#kit/server/registry.ts'
import type { Scope } from '#kit/server/scope.ts'
import { getDayGrid } from '#modules/attendance/contract/day.ts'
import { loadDayGrid } from '#modules/attendance/server/day-grid.ts'
import { addPunches } from '#modules/attendance/server/punches.ts'
import { recomputeCompany } from '#modules/attendance/server/recompute.ts'
import {
  atMost,
  atMostLimit,
  measureMs,
  median,
  percentile,
  type BenchContext,
  type BenchRow,
} from './bench.ts'
import { captureStatements } from './job-harness.ts'
import { measurePeakMemory } from './peak-memory.ts'
import { seedCompany } from './room-data.ts'
import { openSideBySide, replay, timeInTurn } from './side-by-side.ts'

export const name = 'attendance'

/** `BENCH_PEOPLE=500` is a quick look. */
const people = Number(process.env.BENCH_PEOPLE ?? 5000)
const days = 31
const span = { from: '2026-10-01', to: '2026-10-31' } as const
const now = asMoment('2026-11-10 09:00:00')

const week = JSON.stringify(
  ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'].map(weekDay => ({ weekDay, shiftId: 1 })),
)

/**
 * 5,000 people with a fixed shift, and a punch in the morning and in the evening of each weekday, written as
 * `addPunches` writes them: with the day of their clock.
 */
async function seedPeople(bare: pg.Client, ownerId: Id): Promise<void> {
  await bare.query(`
    insert into attendance_shift (owner_id, id, shift_name, segments, rests, work_minutes)
    values (${ownerId}, 1, '白班', '[{"in":"09:00","out":"18:00"}]', '[{"in":"12:00","out":"13:00"}]', 480)
  `)
  await bare.query(`
    insert into attendance_group (owner_id, id, group_name, group_type, week)
    values (${ownerId}, 1, '行政', 1, '${week}')
  `)
  await bare.query(`
    insert into staff (owner_id, id, name, staff_no, state)
    select ${ownerId}, n, '员工' || n, 'Y' || lpad(n::text, 5, '0'), 10
    from generate_series(1, ${people}) n
  `)
  await bare.query(`
    insert into attendance_member (owner_id, staff_id, group_id, begin_date)
    select ${ownerId}, n, 1, '2026-01-01'
    from generate_series(1, ${people}) n
  `)
  await bare.query(`
    insert into attendance_log (owner_id, staff_id, matched_date, punch_time, source)
    select ${ownerId}, n, d::date, (d::date + t.time + make_interval(mins => ((n * 7 + t.no * 13) % 30)::int - 20))::timestamp at time zone 'Asia/Shanghai', 10
    from generate_series(1, ${people}) n
    cross join generate_series('2026-10-01'::date, '2026-10-31'::date, interval '1 day') d
    cross join (values (1, time '09:00'), (2, time '18:10')) t(no, time)
    where extract(isodow from d) < 6
  `)
  await bare.query('vacuum analyze attendance_log, attendance_member, staff')
}

/** COPY of the same days into an identical, empty table. */
async function copyDays(bare: pg.Client): Promise<number> {
  await bare.query('drop table if exists attendance_day_copy')
  await bare.query('create table attendance_day_copy (like attendance_day including all)')
  const parts: Buffer[] = []
  for await (const part of bare.query(copyTo('copy attendance_day to stdout'))) {
    parts.push(Buffer.from(part))
  }
  return measureMs(() =>
    pipeline(Readable.from(parts), bare.query(copyFrom('copy attendance_day_copy from stdin'))),
  )
}

const recomputeAll = async (database: Database, scope: Scope): Promise<void> => {
  const changed = await recomputeCompany(database, scope, span, now)
  if (changed !== people * days) throw new Error(`${changed} days were written`)
}

/** Round trips of one punch: insert, read, write. */
async function countRoundTrips(database: Database, scope: Scope): Promise<number> {
  let trips = 0
  await database.tx(scope.ownerId, async tx => {
    const counted = new Proxy(tx, {
      get: (target, key) => {
        if (['rows', 'one', 'execute', 'all'].includes(String(key))) {
          trips++
        }
        const value: unknown = Reflect.get(target, key)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    await addPunches(
      counted,
      scope,
      [{ staffId: asId(7), punchTime: asMoment('2026-10-14 20:00:00'), source: 'device' }],
      now,
    )
  })
  return trips
}

async function measureGrid(url: string, scope: Scope): Promise<BenchRow> {
  const { t, token, bare, close } = await openSideBySide(url, scope.ownerId)
  const query = { month: '2026-10', size: 500 } as const
  const { captured, db } = captureStatements(t.database.reader(scope.ownerId))
  await loadDayGrid(db, scope, query)
  const { ours, raw } = await timeInTurn(
    { warmup: 3, measured: 21 },
    () => t.callRaw(getDayGrid, query, { token }),
    () => replay(bare, 'grid', captured),
  )
  await close()
  return atMost(1.5, {
    label: '一月考勤台账：500 人 × 31 天，p50',
    ours: percentile(ours, 0.5),
    raw: percentile(raw, 0.5),
    unit: 'ms',
  })
}

export async function run({ cluster, database, log }: BenchContext): Promise<BenchRow[]> {
  const url = await database()
  const scope = await seedCompany(url, 1, { withRooms: false })
  const admin = new URL(cluster.adminUrl)
  admin.pathname = new URL(url).pathname
  const bare = new pg.Client(admin.href)
  await bare.connect()
  registerEntities((await loadInstalledModules()).flatMap(m => m.contract.entities))
  const store = openDatabase(url, { pool: 4, bulk: 1 })
  const clear = async (): Promise<void> => {
    await bare.query('truncate attendance_day')
  }
  try {
    await seedPeople(bare, scope.ownerId)
    const peak = await measurePeakMemory(import.meta.filename, url, scope)
    const ours = await median(async () => {
      await clear()
      return measureMs(() => recomputeAll(store, scope))
    })
    const copy = await median(() => copyDays(bare))
    log(`重新计算 ${people * days} 天：${Math.round(ours)} ms，COPY ${Math.round(copy)} ms`)
    const trips = await countRoundTrips(store, scope)
    return [
      atMost(4, { label: `重新计算 ${people} 人 × ${days} 天`, ours, raw: copy, unit: 'ms' }),
      atMostLimit(512, { label: '重新计算的内存峰值', ours: peak, raw: peak, unit: 'MB' }),
      atMostLimit(3, { label: '一次打卡重新计算一天的往返', ours: trips, raw: trips, unit: '次' }),
      await measureGrid(url, scope),
    ]
  } finally {
    await bare.end()
    await store.close()
  }
}

if (import.meta.main) {
  const [url = '', ownerId = '', operator = ''] = process.argv.slice(2)
  const database = openDatabase(url, { pool: 2, bulk: 1 })
  registerEntities((await loadInstalledModules()).flatMap(m => m.contract.entities))
  const scope = ownerScope(asId(Number(ownerId)), asId(Number(operator)), '基准')
  await recomputeAll(database, scope)
  console.log(Math.round(process.resourceUsage().maxRSS / 1024))
  await database.close()
}
