import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { loadInstalledModules } from '#apps/server/modules.ts'
import type { Id } from '#kit/domain/id.ts'
import { dayOf } from '#kit/domain/day.ts'
import { asMoment } from '#kit/domain/moment.ts'
import { openDatabase, sql, type Database } from '#kit/server/db.ts'
import { findPage } from '#kit/server/table.ts'
import { registerEntities } from '#kit/server/registry.ts'
import type { Scope } from '#kit/server/scope.ts'
import { codeOf } from '#kit/contract/field.ts'
import { workKind } from '#modules/planned-work/contract/choices.ts'
import { countDay } from '#modules/planned-work/server/figures.ts'
import { generateCompany } from '#modules/planned-work/server/generate.ts'
import { findPointRates, findRates, ofKinds } from '#modules/planned-work/server/rates.ts'
import { workTask } from '#modules/planned-work/contract/task.ts'
import { atMost, atMostLimit, measureMs, median, type BenchContext, type BenchRow } from './bench.ts'
import { seedCompany } from './room-data.ts'

export const name = 'planned-work'

/** `BENCH_PLANS=500` is a quick look; `BENCH_STEPS=10000000` the whole month of results. */
const plans = Number(process.env.BENCH_PLANS ?? 5000)
const results = Number(process.env.BENCH_STEPS ?? 1_000_000)
const span = { from: '2026-10-01', to: '2026-10-30' } as const
const days = 30
const now = asMoment('2026-09-30 00:05:00')

/** Of fifty points each. The months before are there as well, and are not looked at. */
const monthTasks = Math.ceil(results / 50)
const earlierMonths = 5

/** The patrols of the benchmark. */
const kind = codeOf(workKind, 'patrol')

const items = JSON.stringify(Array.from({ length: 5 }, (_, i) => ({ name: `检查项${i + 1}`, weight: i + 1 })))

async function seedPlans(bare: pg.Client, ownerId: Id, projectCode: string): Promise<void> {
  await bare.query(`
    insert into staff (owner_id, id, name, staff_no, state)
    select ${ownerId}, n, '员工' || n, 'Y' || lpad(n::text, 5, '0'), 10 from generate_series(1, 200) n
  `)
  await bare.query(`
    insert into task_standard (owner_id, id, standard_name, category, items)
    select ${ownerId}, n, '标准' || n, 10, '${items}' from generate_series(1, 50) n
  `)
  await bare.query(`
    insert into work_plan (
      owner_id, project_code, kind, plan_name, subject_id, cycle_type, times, staff_mode, staff_ids, begin_date, state
    )
    select ${ownerId}, '${projectCode}', 20, '计划' || n, n % 50 + 1, 1, '[{"begin":"08:00","end":"10:00"}]', 3,
      array[(n % 200 + 1)::text, ((n + 1) % 200 + 1)::text], '2026-09-01', 20
    from generate_series(1, ${plans}) n
  `)
  await bare.query('vacuum analyze staff, task_standard, work_plan')
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

async function measureGeneration(database: Database, bare: pg.Client, scope: Scope): Promise<BenchRow[]> {
  const ours = await median(async () => {
    await bare.query('truncate work_task, work_step')
    return measureMs(async () => {
      const { made } = await generateCompany(database, scope, span, now)
      if (made !== plans * days) throw new Error(`${made} tasks were made`)
    })
  }, 3)
  const again = await generateCompany(database, scope, span, now)
  const raw = await median(
    async () => (await copyRows(bare, 'work_task')) + (await copyRows(bare, 'work_step')),
    3,
  )
  const changes = again.made + again.changed + again.removed
  return [
    atMost(4, { label: `生成任务：${plans} 个计划 × ${days} 天`, ours, raw, unit: 'ms' }),
    atMostLimit(0, { label: '再次生成的变化', ours: changes, raw: 1, unit: '个' }),
  ]
}

/** The results of a month, spread over its days and a thousand points. */
async function seedResults(bare: pg.Client, ownerId: Id, projectCode: string): Promise<void> {
  await bare.query('truncate work_task, work_step')
  await bare.query(`
    insert into work_task (
      owner_id, id, project_code, kind, plan_id, plan_name, task_date, begin_time, end_time, close_time, slot, subject_id,
      target_id, staff_id, state, step_total, step_done, normal_count
    )
    select ${ownerId}, n, '${projectCode}', 10, n % ${plans} + 1, '巡更', d.day, d.day + interval '8 hours',
      d.day + interval '9 hours', d.day + interval '9 hours', n, 1, n % 500 + 1, n % 200 + 1, 30, 50, 50, 50
    from generate_series(1, ${monthTasks * (1 + earlierMonths)}) n
    cross join lateral (
      select case when n <= ${monthTasks} then '2026-10-01'::date + (n % ${days})::int
        else '2026-09-30'::date - (n % ${days * earlierMonths})::int end as day
    ) d
  `)
  await bare.query(`
    insert into work_step (
      owner_id, project_code, kind, task_id, task_date, sort, subject_id, step_name, due_time, result
    )
    select ${ownerId}, '${projectCode}', 10, n / 50 + 1, '2026-10-01'::date + ((n / 50 + 1) % ${days})::int, n % 50, n % 1000 + 1,
      '点位', '2026-10-01', (array[10, 10, 10, 10, 20, 30, 40])[n % 7 + 1]
    from generate_series(0, ${results - 1}) n
  `)
  await bare.query('vacuum analyze work_task, work_step')
}

async function measureRates(database: Database, bare: pg.Client, scope: Scope): Promise<BenchRow> {
  for (let day = 1; day <= days; day++) {
    const date = dayOf(2026, 10, day)
    await database.tx(scope.ownerId, tx => countDay(tx, scope.ownerId, date, now))
  }
  const reader = database.reader(scope.ownerId)
  const ours = await median(() =>
    measureMs(async () => {
      const rates = await findPointRates(reader, scope, { kinds: ['patrol'], ...span })
      if (rates.length !== 1000) throw new Error(`${rates.length} points have rates`)
    }),
  )
  const raw = await median(() =>
    measureMs(() =>
      bare.query(`
        select subject_id, result, count(*)
        from work_step
        where owner_id = ${scope.ownerId} and kind = ${kind} and task_date between '${span.from}' and '${span.to}'
        group by 1, 2
      `),
    ),
  )
  return atMost(1, { label: `点位的月比率：${results} 条结果`, ours, raw, unit: 'ms' })
}

const ofMonth = (ownerId: Id): string =>
  `from work_task where owner_id = ${ownerId} and kind = ${kind} and delete_tag = 0 and task_date between '${span.from}' and '${span.to}'`

/** Rates of tasks by each key beside one grouped scan of the same month's results. */
async function measureTaskRates(database: Database, scope: Scope, scanMs: number): Promise<BenchRow[]> {
  const reader = database.reader(scope.ownerId)
  const rows: BenchRow[] = []
  for (const [by, label] of [
    ['day', '日期'],
    ['staff', '人员'],
    ['plan', '计划'],
    ['target', '对象'],
  ] as const) {
    const ours = await median(() =>
      measureMs(async () => {
        const rates = await findRates(reader, scope, { kinds: ['patrol'], ...span }, by)
        const tasks = rates.reduce((sum, row) => sum + row.tasks, 0)
        if (tasks !== monthTasks) throw new Error(`${tasks} tasks were counted`)
      }),
    )
    const measured = `任务的月统计，按${label}：${results} 条结果`
    rows.push(atMost(1, { label: measured, ours, raw: scanMs, unit: 'ms' }))
  }
  return rows
}

/** A week of the calendar beside the same rows read directly. */
async function measureCalendar(database: Database, bare: pg.Client, scope: Scope): Promise<BenchRow> {
  const reader = database.reader(scope.ownerId)
  const week = sql`t.task_date between '2026-10-12' and '2026-10-18'`
  const query = { size: 2000, order: 'beginTime' }
  const ours = await median(() =>
    measureMs(() => findPage(reader, workTask, scope, query, { where: [ofKinds(['patrol']), week] })),
  )
  const raw = await median(() =>
    measureMs(async () => {
      const where = `${ofMonth(scope.ownerId)} and task_date between '2026-10-12' and '2026-10-18'`
      await bare.query(`select * ${where} order by begin_time limit 2000`)
      await bare.query(`select count(*) ${where}`)
    }),
  )
  return atMost(2, { label: '任务日历的一周', ours, raw, unit: 'ms' })
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
  const estate = await bare.query<{ code: string }>('select project_code as code from estate limit 1')
  const projectCode = estate.rows[0]?.code ?? ''
  try {
    await seedPlans(bare, scope.ownerId, projectCode)
    const generation = await measureGeneration(store, bare, scope)
    log('写入一个月的结果 ……')
    await seedResults(bare, scope.ownerId, projectCode)
    const ofPoints = await measureRates(store, bare, scope)
    return [
      ...generation,
      ofPoints,
      ...(await measureTaskRates(store, scope, ofPoints.raw)),
      await measureCalendar(store, bare, scope),
    ]
  } finally {
    await bare.end()
    await store.close()
  }
}
