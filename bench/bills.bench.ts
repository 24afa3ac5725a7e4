import { castForTest } from '#kit/domain/fixtures.ts'
import { defined } from '#kit/domain/defined.ts'
import pg from 'pg'
import { openDatabase } from '#kit/server/db.ts'
import { openTestApp } from '#kit/server/fixtures/test-app.ts'
import { findPage } from '#kit/server/table.ts'
import { loadInstalledModules } from '#apps/server/modules.ts'
import { login } from '#modules/accounts/contract/sign-in.ts'
import { createCallerLoader } from '#modules/accounts/server/public.ts'
import { bill } from '#modules/bills/contract/bill.ts'
import { findBillsBySource, listBills, type BillFilter } from '#modules/bills/contract/list.ts'
import { atMost, measureMs, atMostLimit, type BenchContext, type BenchRow } from './bench.ts'
import { seedCompany, estateCode, roomsPerEstate } from './room-data.ts'
import { applyAbolish } from '#modules/bills/server/actions.ts'
import { billCondition, billQuery } from '#modules/bills/server/bill-query.ts'
import { lockBills } from '#modules/bills/server/bill-lock.ts'
import { listHandlers } from '#modules/bills/server/list.ts'
import { refreshLateFees } from '#modules/bills/server/late-fee-refresh.ts'
import { captureStatements, type CapturedStatement } from './job-harness.ts'
import { billCount, billsPerRoom, seedBills } from './bill-data.ts'

export const name = 'bills'

const rounds = 15
const today = '2026-11-21'
const now = `${today} 09:00:00`

const searches: readonly (readonly [string, BillFilter])[] = [
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

const percentile = (all: readonly number[], part: number): number =>
  defined(all.toSorted((a, b) => a - b)[Math.min(all.length - 1, Math.floor(all.length * part))])

/**
 * The list of bills with its totals, the cashier's search, the night's late fees and an abolition by search,
 * each against its own statements on the bare driver.
 */
export async function run({ database, log }: BenchContext): Promise<BenchRow[]> {
  const url = await database()
  const scope = await seedCompany(url, billCount / billsPerRoom / roomsPerEstate, true)
  const bare = new pg.Client({ connectionString: url })
  await bare.connect()
  await bare.query(
    `select set_config('app.owner_id', '${scope.ownerId}', false), set_config('timezone', 'Asia/Shanghai', false)`,
  )
  await seedBills(bare, scope.ownerId)
  log(`${billCount} 张账单`)
  const t = await openTestApp(url, await loadInstalledModules(), createCallerLoader)
  const { token } = await t.call(login, { loginCode: 'bench', password: 'Anju2026' })
  const rows: BenchRow[] = []
  const measureInTurns = async (
    call: () => Promise<unknown>,
    captured: readonly CapturedStatement[],
    key: string,
  ): Promise<{ ours: number[]; raw: number[] }> => {
    const ours: number[] = []
    const raw: number[] = []
    for (let i = -3; i < rounds; i++) {
      const from = performance.now()
      await call()
      const half = performance.now()
      for (const [n, q] of captured.entries()) {
        await bare.query({ name: `${key} ${n}`, ...q, rowMode: 'array' })
      }
      if (i >= 0) {
        ours.push(half - from)
        raw.push(performance.now() - half)
      }
    }
    return { ours, raw }
  }
  try {
    const captureFor = async (filter: BillFilter): Promise<readonly CapturedStatement[]> => {
      const { captured, db } = captureStatements()
      const { q, find } = billQuery(scope.ownerId, filter, today, now)
      await findPage(db, bill, scope, q, { ...find, sums: listBills.output.sums })
      return captured
    }
    for (const [label, filter] of searches) {
      const { ours, raw } = await measureInTurns(
        () =>
          t.callRaw(listBills, filter, {
            token,
            ...(filter.projectCode ? { projectCode: filter.projectCode } : {}),
          }),
        await captureFor(filter),
        label,
      )
      for (const part of [0.5, 0.95]) {
        rows.push(
          atMost(1.5, {
            label: `${label}，p${part * 100}`,
            ours: percentile(ours, part),
            raw: percentile(raw, part),
            unit: 'ms',
          }),
        )
      }
    }
    // Both pages in turns, on a warm server.
    for (const [label, filter, last] of deepPages) {
      const head = filter.projectCode ? { projectCode: filter.projectCode } : {}
      const near: number[] = []
      const far: number[] = []
      for (let i = -3; i < rounds; i++) {
        const first = await measureMs(() => t.callRaw(listBills, filter, { token, ...head }))
        const then = await measureMs(() =>
          t.callRaw(listBills, { ...filter, page: last }, { token, ...head }),
        )
        if (i >= 0) {
          near.push(first)
          far.push(then)
        }
      }
      for (const part of [0.5, 0.95]) {
        rows.push(
          atMost(2, {
            label: `${label}，第 ${last} 页对第 1 页，p${part * 100}`,
            ours: percentile(far, part),
            raw: percentile(near, part),
            unit: 'ms',
          }),
        )
      }
    }
    log('列表')

    // A millisecond of the database: most of it is the fixed cost of a call, and is measured by `call`.
    const room: BillFilter = { size: 20, projectCode: estateCode(3), sourceCode: 'R0121012' }
    const ofRoom = await measureInTurns(
      () => t.callRaw(listBills, room, { token, projectCode: estateCode(3) }),
      await captureFor(room),
      'room',
    )
    rows.push(
      atMostLimit(50, {
        label: '一个房间的账单，p95',
        ours: percentile(ofRoom.ours, 0.95),
        raw: percentile(ofRoom.raw, 0.95),
        unit: 'ms',
      }),
    )

    const { captured, db } = captureStatements()
    const search = defined(listHandlers.find(h => h.call === findBillsBySource))
    await search.run({ keyword: '12-2-1502' }, castForTest({ db, scope, today, now }))
    await refreshLateFees(t.database, scope.ownerId, today)
    const collectionRow = await measureInTurns(
      () => t.callRaw(findBillsBySource, { keyword: '12-2-1502' }, { token }),
      captured,
      'till',
    )
    for (const part of [0.5, 0.95]) {
      rows.push(
        atMost(1.5, {
          label: `收银台查欠费，p${part * 100}`,
          ours: percentile(collectionRow.ours, part),
          raw: percentile(collectionRow.raw, part),
          unit: 'ms',
        }),
      )
    }

    // One and the same set twice: computed and written by the job, then written by the bare statement.
    await bare.query(
      `update bill set late_fee_due = 0, late_day = null where owner_id = ${scope.ownerId} and pay_state = 0`,
    )
    await bare.query('vacuum analyze bill')
    let from = performance.now()
    const done = await refreshLateFees(t.database, scope.ownerId, '2026-11-22')
    const ours = performance.now() - from
    from = performance.now()
    await bare.query(
      `
        update bill t
        set late_fee_due = least(
          round(t.unpaid_principal * 0.0005 * (date '2026-11-23' - t.due_date), 2), t.unpaid_principal
        ),
          late_day = '2026-11-23'
        from fee_item i
        where i.owner_id = t.owner_id
          and i.id = t.fee_item_id
          and i.late_fee_switch
          and t.owner_id = ${scope.ownerId}
          and t.delete_tag = 0
          and t.state = 20
          and t.pay_state = 0
          and t.due_date < '2026-11-23'
      `,
    )
    rows.push(
      atMost(4, {
        label: `违约金重算 ${done.written} 张逾期账单（对一条 update）`,
        ours: ours / 1000,
        raw: (performance.now() - from) / 1000,
        unit: 's',
      }),
    )

    // A hundred thousand, by so many buildings of every project.
    const buildingCount = Math.min(50, Math.ceil((100_000 / (billCount / billsPerRoom)) * 50))
    const codes = Array.from({ length: buildingCount }, (_, i) => `B${String(i + 1).padStart(3, '0')}`)
    const filter: BillFilter = { payState: ['unpaid'], buildCode: codes }
    const ownDatabase = openDatabase(url, { pool: 2, bulk: 1 })
    await bare.query('vacuum analyze bill')
    from = performance.now()
    const abolishedBills = await ownDatabase.tx(scope.ownerId, async tx =>
      applyAbolish(
        tx,
        { scope, today, now, reason: '基准' },
        (await lockBills(tx, scope, billCondition(scope, filter, today, now))).slice(0, 100_000),
      ),
    )
    const abolished = performance.now() - from
    // The same bills again, as they were; \`source_type\` as in the product.
    const marked = `owner_id = ${scope.ownerId} and state = 30`
    await bare.query(
      `update bill set state = 20, abolish_time = null, source_type = source_type where ${marked}`,
    )
    await bare.query('vacuum analyze bill')
    from = performance.now()
    await bare.query(
      `update bill set state = 30, abolish_time = now(), version = version + 1, source_type = source_type where owner_id = ${scope.ownerId} and id in (select id from bill where owner_id = ${scope.ownerId} and build_code = any('{${codes.join(',')}}') and state = 20 and pay_state = 0 and delete_tag = 0 order by id limit ${abolishedBills.success})`,
    )
    rows.push(
      atMost(8, {
        label: `按筛选作废 ${abolishedBills.success} 张，逐张判断、审计（对一条 update）`,
        ours: abolished / 1000,
        raw: (performance.now() - from) / 1000,
        unit: 's',
      }),
    )
    await ownDatabase.close()
    return rows
  } finally {
    await bare.end()
    await t.close()
  }
}
