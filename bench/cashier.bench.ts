import { castForTest } from '#kit/domain/fixtures.ts'
import { defined } from '#kit/domain/defined.ts'
import pg from 'pg'
import { openTestApp } from '#kit/server/fixtures/test-app.ts'
import { loadInstalledModules } from '#apps/server/modules.ts'
import { login } from '#modules/accounts/contract/sign-in.ts'
import { createCallerLoader } from '#modules/accounts/server/public.ts'
import { findPayers } from '#modules/payments/contract/cashier.ts'
import { cashierHandlers } from '#modules/payments/server/cashier.ts'
import { atMost, type BenchContext, type BenchRow } from './bench.ts'
import { seedBills } from './bill-data.ts'
import { nameOf, seedTown } from './resident-data.ts'
import { estateCode, roomsPerEstate } from './room-data.ts'
import { captureStatements, type CapturedStatement } from './job-harness.ts'

export const name = 'cashier'

/**
 * Rooms, each with a resident, some with two, and five bills. `BENCH_ROOMS=1000000` measures the large
 * company; filling it takes a quarter of an hour.
 */
const roomCount = Number(process.env.BENCH_ROOMS ?? 100_000)
const billsPerRoom = 5
const warmupRounds = 30
const rounds = 100

const searches: readonly (readonly [string, string])[] = [
  ['房号路径', '12-2-1502'],
  ['房号', '1502'],
  ['姓名', nameOf((25_000 * 7919) % 180_000)],
  ['手机尾号', '4217'],
  ['拼音首字母', 'wwf'],
  ['账单号', 'ZD00000000123456'],
]

const percentile = (all: readonly number[], part: number): number =>
  defined(all.toSorted((a, b) => a - b)[Math.min(all.length - 1, Math.floor(all.length * part))])

/**
 * Whom the cashier looks for, with what each owes: the whole call against its own statements on the bare
 * driver, turn about.
 */
export async function run({ database, log }: BenchContext): Promise<BenchRow[]> {
  const url = await database()
  const scope = await seedTown(url, roomCount / roomsPerEstate)
  const bare = new pg.Client({ connectionString: url })
  await bare.connect()
  await bare.query(
    `select set_config('app.owner_id', '${scope.ownerId}', false), set_config('timezone', 'Asia/Shanghai', false)`,
  )
  await seedBills(bare, scope.ownerId)
  log(`${roomCount} 套房，${roomCount * billsPerRoom} 张账单`)
  const t = await openTestApp(url, await loadInstalledModules(), createCallerLoader)
  const { token } = await t.call(login, { loginCode: 'bench', password: 'Anju2026' })
  const handler = defined(cashierHandlers.find(h => h.call === findPayers))
  const projectCode = estateCode(2)
  /** The statements that the handler sends, caught on their way to the database. */
  const statements = async (keyword: string): Promise<readonly CapturedStatement[]> => {
    const { captured, db } = captureStatements(t.database.reader(scope.ownerId))
    await handler.run(
      { projectCode, keyword },
      castForTest({ db, scope, today: '2026-11-21', now: '2026-11-21 10:00:00' }),
    )
    return captured
  }
  const rows: BenchRow[] = []
  try {
    for (const [label, keyword] of searches) {
      const captured = await statements(keyword)
      const ours: number[] = []
      const raw: number[] = []
      for (let i = -warmupRounds; i < rounds; i++) {
        const from = performance.now()
        const found = await t.call(findPayers, { projectCode, keyword }, { token, projectCode })
        const half = performance.now()
        for (const [n, q] of captured.entries()) {
          await bare.query({ name: `${label} ${n}`, ...q, rowMode: 'array' })
        }
        if (i === 0) {
          log(`${label} ${keyword}：${found.length} 个`)
        }
        if (i >= 0) {
          ours.push(half - from)
          raw.push(performance.now() - half)
        }
      }
      for (const part of [0.5, 0.95]) {
        rows.push(
          atMost(1.5, {
            label: `收银台找人：${label}，p${part * 100}`,
            ours: percentile(ours, part),
            raw: percentile(raw, part),
            unit: 'ms',
          }),
        )
      }
    }
    return rows
  } finally {
    await bare.end()
    await t.close()
  }
}
