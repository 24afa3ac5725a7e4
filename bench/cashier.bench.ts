import { defined } from '#kit/domain/defined.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findPayers } from '#modules/payments/contract/cashier.ts'
import { cashierHandlers } from '#modules/payments/server/cashier.ts'
import { type BenchContext, type BenchRow } from './bench.ts'
import { seedBills } from './bill-data.ts'
import { nameOf, seedTown } from './resident-data.ts'
import { estateCode, roomsPerEstate } from './room-data.ts'
import { openSideBySide, percentileRows, timeSearch, type SideBySide } from './side-by-side.ts'

export const name = 'cashier'

/**
 * Rooms, each with a resident, some with two, and five bills. `BENCH_ROOMS=1000000` measures the large
 * company; filling it takes a quarter of an hour.
 */
const roomCount = Number(process.env.BENCH_ROOMS ?? 100_000)
const billsPerRoom = 5

const searches: readonly (readonly [string, string])[] = [
  ['房号路径', '12-2-1502'],
  ['房号', '1502'],
  ['姓名', nameOf((25_000 * 7919) % 180_000)],
  ['手机尾号', '4217'],
  ['拼音首字母', 'wwf'],
  ['账单号', 'ZD00000000123456'],
]

/**
 * Whom the cashier looks for, with what each owes: the whole call against its own statements on the bare
 * driver, turn about.
 */
export async function run({ database, log }: BenchContext): Promise<BenchRow[]> {
  const url = await database()
  const scope = await seedTown(url, roomCount / roomsPerEstate)
  const sides = await openSideBySide(url, scope.ownerId)
  try {
    await seedBills(sides.bare, scope.ownerId)
    log(`${roomCount} 套房，${roomCount * billsPerRoom} 张账单`)
    const rows: BenchRow[] = []
    for (const [label, keyword] of searches) {
      rows.push(...(await measureSearch(sides, scope, label, keyword, log)))
    }
    return rows
  } finally {
    await sides.close()
  }
}

async function measureSearch(
  sides: SideBySide,
  scope: Scope,
  label: string,
  keyword: string,
  log: BenchContext['log'],
): Promise<BenchRow[]> {
  const { t, token } = sides
  const handler = defined(cashierHandlers.find(({ call }) => call === findPayers))
  const projectCode = estateCode(2)
  const input = { projectCode, keyword }
  let found = 0
  const timings = await timeSearch(sides, scope, { label, handler, input }, async () => {
    found = (await t.call(findPayers, input, { token, projectCode })).length
  })
  log(`${label} ${keyword}：${found} 个`)
  return percentileRows(1.5, `收银台找人：${label}`, timings)
}
