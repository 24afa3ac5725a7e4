import pg from 'pg'
import { castForTest } from '#kit/domain/fixtures.ts'
import { defined } from '#kit/domain/defined.ts'
import { asId, type Id } from '#kit/domain/id.ts'
import { addMinutes, fromInstant } from '#kit/domain/moment.ts'
import type { Tx } from '#kit/server/db.ts'
import { clockScope, type Scope } from '#kit/server/scope.ts'
import { exampleFeeTerms } from '#db/golden/park-fee-terms.ts'
import { listStays } from '#modules/parking-lanes/contract/stay.ts'
import { feeOfMinutes } from '#modules/parking-lanes/domain/stay-fee.ts'
import { reportCar } from '#modules/parking-lanes/server/public.ts'
import { stayServer } from '#modules/parking-lanes/server/stays.ts'
import { atMostLimit, measureMs, type BenchContext, type BenchRow } from './bench.ts'
import { captureStatements } from './job-harness.ts'
import { estateCode, seedCompany } from './room-data.ts'
import {
  openSideBySide,
  percentileRows,
  timeInTurn,
  timeSearch,
  type SideBySide,
  type Timings,
} from './side-by-side.ts'

export const name = 'parking-lanes'

/** `BENCH_STAYS=200000 BENCH_CARS=20000` is a quick look. */
const stayCount = Number(process.env.BENCH_STAYS ?? 10_000_000)
const carCount = Number(process.env.BENCH_CARS ?? 200_000)
const laneCount = 100
const parkCount = 10
const rowsAtOnce = 1_000_000
const days = 360
const projectCode = estateCode(1)
const rounds = { warmup: 20, measured: 100 }

/** Of a number below 800,000 none twice: the letter goes on with each round of the digits. */
const plate = (n: string): string =>
  `'粤' || chr(65 + ((${n}) + (${n}) / 100000) % 8) || lpad(((${n}) % 100000)::text, 5, '0')`

async function seedParks(bare: pg.Client, ownerId: Id): Promise<void> {
  await bare.query(`
    insert into park (owner_id, id, project_code, code, name, park_type, state)
    select ${ownerId}, n, '${projectCode}', 'P' || n, '车场' || n, 10, 10
    from generate_series(1, ${parkCount}) n
  `)
  await bare.query(`
    insert into park_fee_rule (
      owner_id, project_code, rule_name, park_id, free_minutes, first_minutes, first_fee, step_minutes, step_fee,
      cap_type, cap_fee, effective_date
    )
    select ${ownerId}, '${projectCode}', '临停', n, 30, 60, 5, 60, 2, 1, 20, '2026-01-01'
    from generate_series(1, ${parkCount}) n
  `)
  await bare.query(`
    insert into park_lane (owner_id, id, project_code, lane_name, park_id, direction, lane_type)
    select ${ownerId}, n, '${projectCode}', '车道' || n, (n - 1) / 10 + 1,
      case n % 2 when 0 then 20 else 10 end, 20
    from generate_series(1, ${laneCount}) n
  `)
  await bare.query(`
    insert into car (
      owner_id, project_code, plate_no, plate_color, car_kind, owner_name, begin_date, end_date, car_state
    )
    select ${ownerId}, '${projectCode}', ${plate('n')}, 10, 10, '车主' || n, '2026-01-01', '2027-12-31', 20
    from generate_series(1, ${carCount}) n
  `)
}

/** A year of stays, evenly over its days; the last hundredth of them is still inside. */
async function seedStays(bare: pg.Client, ownerId: Id, log: (line: string) => void): Promise<void> {
  for (let from = 0; from < stayCount; from += rowsAtOnce) {
    const rows = Math.min(rowsAtOnce, stayCount - from)
    await bare.query(`
      insert into parking_stay (
        owner_id, project_code, park_id, plate_no, car_kind, pass_time, in_time, in_lane_id, out_time, out_lane_id,
        stay_minutes, should_pay, paid, state, exit_kind
      )
      select ${ownerId}, '${projectCode}', r.n % ${parkCount} + 1, ${plate('r.n * 7')}, 50, r.at, r.at,
        r.n % ${parkCount} * 10 + 1, r.left_at,
        case when r.left_at is not null then r.n % ${parkCount} * 10 + 2 end, 90, 7, 7,
        case when r.left_at is null then 10 else 30 end, case when r.left_at is not null then 1 end
      from (
        select n, at, case when n <= ${stayCount * 0.99} then at + interval '90 minutes' end as left_at
        from (
          select n, now() - make_interval(secs => (1 - n::float8 / ${stayCount}) * ${days * 86_400} + 7200) as at
          from generate_series(${from + 1}, ${from + rows}) n
        ) t
      ) r
    `)
    log(`${from + rows} 条出入记录`)
  }
  for (const table of ['park', 'park_lane', 'park_fee_rule', 'car', 'parking_stay']) {
    await bare.query(`vacuum analyze ${table}`)
  }
}

async function seed({ cluster, log }: BenchContext, url: string, ownerId: Id): Promise<void> {
  const admin = new URL(cluster.adminUrl)
  admin.pathname = new URL(url).pathname
  const bare = new pg.Client(admin.href)
  await bare.connect()
  try {
    await bare.query("set statement_timeout = 0; set maintenance_work_mem = '1GB'")
    await seedParks(bare, ownerId)
    await seedStays(bare, ownerId, log)
  } finally {
    await bare.end()
  }
}

const statementNames = new Map<string, string>()

/** Passages send different statements: each is prepared once, by its text. */
function nameOf(text: string): string {
  const known = statementNames.get(text) ?? `decision ${statementNames.size}`
  statementNames.set(text, known)
  return known
}

/** Nothing of a measured passage stays: each round meets the same data. */
class RolledBack extends Error {}

const decisionOf = async (sides: SideBySide, scope: Scope, n: number, tx: Tx): Promise<void> => {
  const laneId = asId((n % (laneCount / 2)) * 2 + 1)
  const plateNo = `粤${String.fromCodePoint(65 + (n % 8))}${String((n * 977) % 100_000).padStart(5, '0')}`
  await reportCar(tx, scope, { laneId, passKey: `bench-${n}`, plateNo }, fromInstant(sides.t.app.clock()))
}

async function measureDecisions(sides: SideBySide, ownerId: Id): Promise<Timings> {
  const { t, bare } = sides
  const scope = clockScope(t.app, ownerId)
  const rolledBack = (work: (tx: Tx) => Promise<void>): Promise<void> =>
    t.database
      .tx(ownerId, async tx => {
        await work(tx)
        throw new RolledBack()
      })
      .catch((error: unknown) => {
        if (!(error instanceof RolledBack)) throw error
      })
  const statements: (readonly { readonly text: string; readonly values: unknown[] }[])[] = []
  for (let n = 0; n < rounds.warmup + rounds.measured; n++) {
    await rolledBack(async tx => {
      const { captured, db } = captureStatements(tx)
      await decisionOf(sides, scope, n, castForTest<Tx>({ ...tx, ...db }))
      statements.push(captured)
    })
  }
  let ours = 0
  let raw = 0
  return timeInTurn(
    rounds,
    () => rolledBack(tx => decisionOf(sides, scope, ours++, tx)),
    async () => {
      await bare.query('begin')
      for (const statement of defined(statements[raw++])) {
        await bare.query({ name: nameOf(statement.text), ...statement, rowMode: 'array' })
      }
      await bare.query('rollback')
    },
  )
}

const feesAtOnce = 10_000

async function measureFees(): Promise<BenchRow> {
  const begin = '2026-11-01 08:00:00'
  const ours = await measureMs(async () => {
    for (let n = 0; n < feesAtOnce; n++) {
      feeOfMinutes({ terms: exampleFeeTerms }, addMinutes(begin, n), (n * 37) % 10_000)
    }
  })
  return atMostLimit(1000, { label: `${feesAtOnce} 次停车的费用`, ours, raw: 1000, unit: 'ms' })
}

type Query = NonNullable<typeof listStays.input.T>

const searches: readonly (readonly [label: string, query: Query])[] = [
  ['近 30 天', { size: 20, projectCode }],
  ['一个停车场', { size: 20, projectCode, parkId: ['3'] }],
  ['部分车牌', { size: 20, projectCode, plateNo: '04711' }],
  ['在场', { size: 20, projectCode, state: ['inside', 'paid'] }],
]

async function measureLists(sides: SideBySide, scope: Scope): Promise<BenchRow[]> {
  const handler = defined(stayServer.handlers.find(({ call }) => call.route === listStays.route))
  const rows: BenchRow[] = []
  for (const [label, input] of searches) {
    const text = `${stayCount} 条出入记录，${label}`
    const timings = await timeSearch(sides, scope, { label: text, handler, input }, () =>
      sides.t.callRaw(listStays, input, { token: sides.token, projectCode }),
    )
    rows.push(...percentileRows(1.5, text, timings))
  }
  return rows
}

/** 100 lanes, 200,000 cars, 10 million stays: the decision, the fees, the list of entries and exits. */
export async function run(context: BenchContext): Promise<BenchRow[]> {
  const url = await context.database()
  const scope = await seedCompany(url, 1, { withRooms: false })
  await seed(context, url, scope.ownerId)
  const sides = await openSideBySide(url, scope.ownerId)
  try {
    const decisions = await measureDecisions(sides, scope.ownerId)
    return [
      ...percentileRows(1.5, `${stayCount} 条出入记录、${carCount} 辆车，车道的判断`, decisions),
      await measureFees(),
      ...(await measureLists(sides, scope)),
    ]
  } finally {
    await sides.close()
  }
}
