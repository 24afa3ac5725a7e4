import { castForTest } from '#kit/domain/fixtures.ts'
import { defined } from '#kit/domain/defined.ts'
import pg from 'pg'
import { openTestApp } from '#kit/server/fixtures/test-app.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findPage } from '#kit/server/table.ts'
import { rowsOnly, type PartQuery } from '#kit/contract/list-parts.ts'
import { loadInstalledModules } from '#apps/server/modules.ts'
import { login } from '#modules/accounts/contract/sign-in.ts'
import { createCallerLoader } from '#modules/accounts/server/public.ts'
import { bill } from '#modules/bills/contract/bill.ts'
import { findBillsBySource, listBills, type BillFilter } from '#modules/bills/contract/list.ts'
import { atMost, atMostLimit, percentile, type BenchContext, type BenchRow } from './bench.ts'
import { seedCompany, estateCode, roomsPerEstate } from './room-data.ts'
import { billQuery } from '#modules/bills/server/bill-query.ts'
import { listHandlers } from '#modules/bills/server/list.ts'
import { refreshLateFees } from '#modules/bills/server/late-fee-refresh.ts'
import { captureStatements, type CapturedStatement } from './job-harness.ts'
import { percentileRows, replay, rowsAloneRows, timeInTurn, type Timings } from './side-by-side.ts'
import { billCount, billsPerRoom, seedBills } from './bill-data.ts'
import { measureAbolition, measureLateFees, now, today, type MeasuredDatabase } from './bill-writes.ts'

export const name = 'bills'

const rounds = 15

const searches: readonly (readonly [string, BillFilter & PartQuery])[] = [
  ['一个项目，打开列表，合计', { size: 20, projectCode: estateCode(3) }],
  ['一个项目的待缴，合计', { size: 20, projectCode: estateCode(3), payState: ['unpaid'] }],
  [
    '一个项目逾期、按楼栋与项目',
    { size: 20, projectCode: estateCode(3), overdue: true, buildCode: ['B003', 'B004'], feeItemId: ['1'] },
  ],
  ['全公司逾期 90 天以上', { size: 20, overdueDaysFrom: 91 }],
  ['一个项目已缴，按缴清时间', { size: 20, projectCode: estateCode(3), payState: ['paid'] }],
  [
    '一个项目按所属月份',
    { size: 20, projectCode: estateCode(3), belongMonthFrom: '2026-09', belongMonthTo: '2026-10' },
  ],
  ['一个项目一栋楼待缴', { size: 20, projectCode: estateCode(3), buildCode: ['B003'], payState: ['unpaid'] }],
  [
    '一个项目按应缴日',
    { size: 20, projectCode: estateCode(3), dueDateFrom: '2026-08-01', dueDateTo: '2026-08-31' },
  ],
  ['全公司按房号路径搜索', { size: 20, keyword: '12-2-1502' }],
  ['屏幕的请求：全公司待缴，只取本页记录', { size: 20, payState: ['unpaid'], ...rowsOnly(listBills) }],
]

/**
 * Lists with their first page and their ten thousandth, or the last one there is: what is owed over all
 * estates, and an estate's list as it opens.
 */
const deepPages: readonly (readonly [label: string, filter: BillFilter, page: number])[] = [
  ['全公司待缴', { size: 20, payState: ['unpaid'] }, Math.min(10_000, billCount / 5 / 20)],
  [
    '一个项目打开列表',
    { size: 10, projectCode: estateCode(3) },
    Math.min(10_000, (roomsPerEstate * billsPerRoom) / 10),
  ],
]

/** The product with a signed-in user. */
interface Measured extends MeasuredDatabase {
  readonly token: string
}

/** A call and the statements that it sends, turn about, each without its first three rounds. */
const measureInTurns = (
  { client }: Measured,
  call: () => Promise<unknown>,
  captured: readonly CapturedStatement[],
  key: string,
): Promise<Timings> => timeInTurn({ warmup: 3, measured: rounds }, call, () => replay(client, key, captured))

async function captureList(scope: Scope, filter: BillFilter): Promise<readonly CapturedStatement[]> {
  const { captured, db } = captureStatements()
  const { q, find } = billQuery(scope.ownerId, filter, today, now)
  await findPage(db, bill, scope, q, { ...find, sums: listBills.output.sums })
  return captured
}

const callOptionsOf = ({ token }: Measured, { projectCode }: BillFilter) => ({
  token,
  ...(projectCode ? { projectCode } : {}),
})

async function measureSearches(measured: Measured): Promise<void> {
  const { app, scope, rows } = measured
  for (const [label, filter] of searches) {
    const timings = await measureInTurns(
      measured,
      () => app.callRaw(listBills, filter, callOptionsOf(measured, filter)),
      await captureList(scope, filter),
      label,
    )
    rows.push(
      ...(filter.part === 'rows' ? rowsAloneRows(label, timings) : percentileRows(1.5, label, timings)),
    )
  }
}

/** Both pages in turns, on a warm server. */
async function measureDeepPages(measured: Measured): Promise<void> {
  const { app, rows } = measured
  for (const [label, filter, last] of deepPages) {
    const options = callOptionsOf(measured, filter)
    const { ours: near, raw: far } = await timeInTurn(
      { warmup: 3, measured: rounds },
      () => app.callRaw(listBills, filter, options),
      () => app.callRaw(listBills, { ...filter, page: last }, options),
    )
    rows.push(...percentileRows(2, `${label}，第 ${last} 页对第 1 页`, { ours: far, raw: near }))
  }
}

/** A millisecond of the database: most of it is the fixed cost of a call, and is measured by `call`. */
async function measureRoom(measured: Measured): Promise<void> {
  const { app, scope, rows } = measured
  const filter: BillFilter = { size: 20, projectCode: estateCode(3), sourceCode: 'R0121012' }
  const { ours, raw } = await measureInTurns(
    measured,
    () => app.callRaw(listBills, filter, callOptionsOf(measured, filter)),
    await captureList(scope, filter),
    'room',
  )
  rows.push(
    atMostLimit(50, {
      label: '一个房间的账单，p95',
      ours: percentile(ours, 0.95),
      raw: percentile(raw, 0.95),
      unit: 'ms',
    }),
  )
}

async function measureCashierSearch(measured: Measured): Promise<void> {
  const { app, scope, token, rows } = measured
  const { captured, db } = captureStatements()
  const search = defined(listHandlers.find(handler => handler.call === findBillsBySource))
  await search.run({ keyword: '12-2-1502' }, castForTest({ db, scope, today, now }))
  await refreshLateFees(app.database, scope.ownerId, today)
  const { ours, raw } = await measureInTurns(
    measured,
    () => app.callRaw(findBillsBySource, { keyword: '12-2-1502' }, { token }),
    captured,
    'cashier',
  )
  for (const part of [0.5, 0.95]) {
    rows.push(
      atMost(1.5, {
        label: `收银台查欠费，p${part * 100}`,
        ours: percentile(ours, part),
        raw: percentile(raw, part),
        unit: 'ms',
      }),
    )
  }
}

/**
 * The list of bills with its totals, the cashier's search, the night's late fees and an abolition by search,
 * each against its own statements on the bare driver.
 */
export async function run({ database, log }: BenchContext): Promise<BenchRow[]> {
  const url = await database()
  const scope = await seedCompany(url, billCount / billsPerRoom / roomsPerEstate, { withRooms: true })
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(
    `select set_config('app.owner_id', '${scope.ownerId}', false), set_config('timezone', 'Asia/Shanghai', false)`,
  )
  await seedBills(client, scope.ownerId)
  log(`${billCount} 张账单`)
  const app = await openTestApp(url, await loadInstalledModules(), createCallerLoader)
  try {
    const { token } = await app.call(login, { loginCode: 'bench', password: 'Anju2026' })
    const measured: Measured = { app, url, scope, token, client, rows: [] }
    await measureSearches(measured)
    await measureDeepPages(measured)
    log('列表')
    await measureRoom(measured)
    await measureCashierSearch(measured)
    await measureLateFees(measured)
    await measureAbolition(measured)
    return measured.rows
  } finally {
    await client.end()
    await app.close()
  }
}
