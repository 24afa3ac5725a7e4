import { defined } from '#kit/domain/defined.ts'
import type { Scope } from '#kit/server/scope.ts'
import { listResidents } from '#modules/residents/contract/resident.ts'
import { server } from '#modules/residents/server/index.ts'
import { type BenchContext, type BenchRow } from './bench.ts'
import { nameOf, seedTown } from './resident-data.ts'
import { estateCode, roomsPerEstate } from './room-data.ts'
import { openSideBySide, percentileRows, timeSearch, type SideBySide } from './side-by-side.ts'

export const name = 'people'

const residentCount = 1_000_000

type ResidentSearch = NonNullable<typeof listResidents.input.T>

const searches: readonly (readonly [string, ResidentSearch])[] = [
  ['姓名全名', { size: 20, keyword: nameOf(12_345) }],
  ['姓名一部分（两个字）', { size: 20, keyword: nameOf(12_346).slice(1) }],
  ['手机尾号', { size: 20, keyword: '4217' }],
  ['房间', { size: 20, keyword: '12-2-1502' }],
  ['拼音', { size: 20, keyword: 'wangweifang' }],
  ['首字母三个', { size: 20, keyword: 'wwf' }],
  ['首字母两个，一个项目', { size: 20, keyword: 'wf', projectCode: estateCode(25) }],
]

/**
 * Residents sought among a million with a million and a half homes: the whole call (a page with homes, total,
 * blocks) against its own statements on the bare driver.
 */
export async function run({ database, log }: BenchContext): Promise<BenchRow[]> {
  const url = await database()
  const scope = await seedTown(url, residentCount / roomsPerEstate)
  log(`${residentCount} 位住户`)
  return measureSearches(url, scope, log)
}

export async function measureSearches(
  url: string,
  scope: Scope,
  log: BenchContext['log'],
): Promise<BenchRow[]> {
  const sides = await openSideBySide(url, scope.ownerId)
  try {
    const rows: BenchRow[] = []
    for (const [label, query] of searches) {
      rows.push(...(await measureSearch(sides, scope, label, query, log)))
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
  query: ResidentSearch,
  log: BenchContext['log'],
): Promise<BenchRow[]> {
  const { t, token } = sides
  const handler = defined(server.handlers.find(({ call }) => call === listResidents))
  const { projectCode } = query
  let answer: unknown
  const timings = await timeSearch(sides, scope, { label, handler, input: query }, async () => {
    answer = await t.callRaw(listResidents, query, { token, ...(projectCode ? { projectCode } : {}) })
  })
  log(`${label}：${JSON.stringify(answer).match(/"Total":(\d+)/)?.[1]} 位`)
  return percentileRows(1.5, label, timings)
}
