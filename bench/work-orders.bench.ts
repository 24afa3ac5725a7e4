import pg from 'pg'
import { loadInstalledModules } from '#apps/server/modules.ts'
import { ownerScope } from '#db/golden/seed-estate.ts'
import type { Id } from '#kit/domain/id.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import { openTestApp, type TestApp } from '#kit/server/fixtures/test-app.ts'
import { sql } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { login } from '#modules/accounts/contract/sign-in.ts'
import { createCallerLoader } from '#modules/accounts/server/public.ts'
import { dispatchOrder } from '#modules/work-orders/contract/order-actions.ts'
import { listOrders } from '#modules/work-orders/contract/order-list.ts'
import { savePersonConfig } from '#modules/work-orders/contract/person-config.ts'
import { setTimeWarnings } from '#modules/work-orders/contract/settings.ts'
import { listPage } from '#modules/work-orders/server/order-list.ts'
import { fireWarnings } from '#modules/work-orders/server/time-warnings.ts'
import { markCrossings } from '#modules/work-orders/server/overtime.ts'
import { atMost, atMostLimit, measureMs, percentile, type BenchContext, type BenchRow } from './bench.ts'
import { captureStatements } from './job-harness.ts'
import { estateCode, seedCompany } from './room-data.ts'
import { code } from '#kit/server/sql.ts'
import { orderState } from '#modules/work-orders/contract/choices.ts'

export const name = 'work-orders'

const estates = 10
const orderCount = 1_000_000
const openCount = 100_000
const rounds = 21
const dispatchers = 32

const limits = JSON.stringify({
  is24h: true,
  workdaysOnly: false,
  serviceBegin: '00:00',
  serviceEnd: '24:00',
  photoCount: 0,
  needAccept: false,
  needVisit: false,
  evaluateDays: 7,
})

/**
 * A million orders over 200 days in ten estates, the newest 100,000 of them open, with deadlines in the next
 * hours. `now` is the clock of the test app.
 */
async function seedOrders(bare: pg.Client, ownerId: Id, now: string): Promise<void> {
  await bare.query(`
    insert into work_order_type (
      owner_id, type_code, type_name, category, dispatch_mode, response_minutes, finish_minutes
    )
    select ${ownerId}, 'T' || n, '类型' || n, 10, 3, 30, 600
    from generate_series(1, 20) n
  `)
  await bare.query(`
    insert into work_order (
      owner_id, project_code, order_no, type_id, type_name, category, build_code, address, reporter_name,
      reporter_phone, title, content, state, register_time, handler_id, handler_name, accept_time,
      arrive_time, finish_time, response_deadline, finish_deadline, next_deadline, response_entered,
      finish_entered, score, limits, search_text
    )
    select ${ownerId}, 'P' || lpad((1 + n % ${estates})::text, 7, '0'), 'GD' || n, y.id, y.type_name, 10, 'B001',
      '1-1-' || n % 900, '住户' || n % 5000, '138' || lpad((n % 100000000)::text, 8, '0'), '水管漏水', '厨房水管漏水',
      case when o.is_open then 40 else 80 end, o.registered, 1, '处理人', o.registered + interval '10 minutes',
      o.registered + interval '30 minutes', case when o.is_open then null else o.registered + interval '2 hours' end,
      o.registered + interval '30 minutes', o.deadline, case when o.is_open then o.deadline end,
      o.registered, o.registered, case when o.is_open then null else 3 + n % 3 end, '${limits}'::jsonb,
      'gd' || n || ' 1-1-' || n % 900
    from generate_series(1, ${orderCount}) n
    cross join lateral (
      select n > ${orderCount - openCount} as is_open,
        '${now}'::timestamptz - make_interval(mins => (${orderCount} - n) * 36 / 125) as registered,
        '${now}'::timestamptz + make_interval(secs => 3600 + n % 36000) as deadline
    ) o
    join work_order_type y on y.owner_id = ${ownerId} and y.type_code = 'T' || (1 + n % 20)
  `)
  await bare.query('analyze work_order')
}

/** The list of a project with the clocks of its orders, the call against its own statements. */
async function measureList(t: TestApp, bare: pg.Client, scope: Scope, token: string): Promise<BenchRow[]> {
  const rows: BenchRow[] = []
  for (const [label, query] of [
    ['一个项目，未完结', { size: 20, view: 'open', projectCode: estateCode(3) }],
    ['全公司，无筛选', { size: 20 }],
    ['一个项目，按时限排列', { size: 20, view: 'open', projectCode: estateCode(3), order: 'nextDeadline' }],
  ] as const) {
    const { captured, db } = captureStatements()
    await listPage(query, { db, scope, now: fromInstant(t.app.clock()) })
    const [ours, raw]: [number[], number[]] = [[], []]
    for (let i = -3; i < rounds; i++) {
      const own = await measureMs(() => t.callRaw(listOrders, query, { token }))
      const plain = await measureMs(async () => {
        for (const [n, statement] of captured.entries()) {
          await bare.query({ name: `${label} ${n}`, ...statement, rowMode: 'array' })
        }
      })
      if (i >= 0) {
        ours.push(own)
        raw.push(plain)
      }
    }
    rows.push(
      atMost(1.5, {
        label: `${label}，p50`,
        ours: percentile(ours, 0.5),
        raw: percentile(raw, 0.5),
        unit: 'ms',
      }),
    )
  }
  return rows
}

/** A turn of the warnings over 100,000 open orders, none due, against one grouped scan of them. */
async function measureWarnings(t: TestApp, bare: pg.Client, ownerId: Id, token: string): Promise<BenchRow> {
  await t.call(
    setTimeWarnings,
    {
      warnings: (['response', 'arrive', 'finish'] as const).flatMap(stage =>
        [-30, 0].map(offsetMinutes => ({
          stage,
          offsetMinutes,
          receivers: ['handler'] as const,
          channels: ['site'] as const,
        })),
      ),
    },
    { token },
  )
  const [ours, raw]: [number[], number[]] = [[], []]
  for (let i = -3; i < rounds; i++) {
    const own = await measureMs(() =>
      t.database.tx(ownerId, async tx => {
        await markCrossings(tx, t.app, ownerId)
        await fireWarnings(tx, t.app, ownerId)
      }),
    )
    const scan = await measureMs(() =>
      bare.query({
        name: 'scan',
        text: `
          select state, count(*), min(next_deadline)
          from work_order
          where owner_id = ${ownerId} and state < 50 and next_deadline is not null and delete_tag = 0
          group by state
        `,
      }),
    )
    if (i >= 0) {
      ours.push(own)
      raw.push(scan)
    }
  }
  return atMost(2, {
    label: '预警与超时，10 万张未完结 / 一次分组扫描',
    ours: percentile(ours, 0.5),
    raw: percentile(raw, 0.5),
    unit: 'ms',
  })
}

/** 32 orders dispatched in turn at once. */
async function measureDispatch(t: TestApp, ownerId: Id, operatorId: Id, token: string): Promise<BenchRow> {
  const projectCode = estateCode(1)
  await t.call(
    savePersonConfig,
    { projectCode, managerIds: [String(operatorId)], onlyOnDuty: false },
    { token },
  )
  const waiting = await t.database.tx(ownerId, tx =>
    tx.rows<{ id: Id }>(sql`
      update work_order
      set state = ${code(orderState, 'waiting')}, handler_id = null
      where owner_id = ${ownerId}
        and id in (
          select w.id
          from work_order w
          where w.owner_id = ${ownerId}
            and w.project_code = ${projectCode}
            and w.state = ${code(orderState, 'processing')}
          order by w.id desc
          limit ${dispatchers}
        )
      returning id
    `),
  )
  const all = await measureMs(() =>
    Promise.all(waiting.map(({ id }) => t.call(dispatchOrder, { id }, { token, projectCode }))),
  )
  return atMostLimit(5000, { label: '32 张同时轮流派单', ours: all, raw: all / dispatchers, unit: 'ms' })
}

export async function run({ database, log }: BenchContext): Promise<BenchRow[]> {
  const url = await database()
  const seeded = await seedCompany(url, estates, { withRooms: false })
  const t = await openTestApp(url, await loadInstalledModules(), createCallerLoader)
  const bare = new pg.Client({ connectionString: url })
  await bare.connect()
  try {
    await bare.query(`select set_config('app.owner_id', '${seeded.ownerId}', false)`)
    await seedOrders(bare, seeded.ownerId, new Date(t.app.clock()).toISOString())
    log(`${orderCount} 张工单`)
    const scope = ownerScope(seeded.ownerId, seeded.operatorId, '基准')
    const { token } = await t.call(login, { loginCode: 'bench', password: 'Anju2026' })
    return [
      ...(await measureList(t, bare, scope, token)),
      await measureWarnings(t, bare, seeded.ownerId, token),
      await measureDispatch(t, seeded.ownerId, seeded.operatorId, token),
    ]
  } finally {
    await bare.end()
    await t.close()
  }
}
