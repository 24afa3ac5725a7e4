import { defined } from '#kit/domain/defined.ts'
import pg from 'pg'
import { openTestApp } from '#kit/server/fixtures/test-app.ts'
import { findPage } from '#kit/server/table.ts'
import { login } from '#modules/accounts/contract/sign-in.ts'
import { createCallerLoader } from '#modules/accounts/server/public.ts'
import { listRooms, room, roomFilters } from '#modules/rooms/contract/room.ts'
import { plainFilters, roomListFilters, type RoomListQuery } from '#modules/rooms/server/room-list.ts'
import { loadInstalledModules } from '#apps/server/modules.ts'
import { atMost, type BenchContext, type BenchRow } from './bench.ts'
import { seedCompany, estateCode, roomsPerEstate } from './room-data.ts'
import { captureStatements, type CapturedStatement } from './job-harness.ts'

export const name = 'list'

const roomCount = 1_000_000
const rounds = 25

const searches: readonly (readonly [string, RoomListQuery])[] = [
  [
    '一个项目，房态与类型筛选',
    { size: 20, projectCode: estateCode(25), roomState: ['vacant', 'lived'], roomType: ['home', 'flat'] },
  ],
  ['全公司，无筛选', { size: 20 }],
  ['全公司，按房号路径搜索', { size: 20, keyword: '12-2-1502' }],
]

const percentile = (all: readonly number[], part: number): number =>
  defined(all.toSorted((a, b) => a - b)[Math.min(all.length - 1, Math.floor(all.length * part))])

/**
 * The room list at a million rooms (20 rows with 30 columns, filters, order, total and sums), whole call
 * against its own statements on the bare driver.
 */
export async function run({ database, log }: BenchContext): Promise<BenchRow[]> {
  const url = await database()
  const scope = await seedCompany(url, roomCount / roomsPerEstate, { withRooms: true })
  log(`${roomCount} 个房间`)
  const t = await openTestApp(url, await loadInstalledModules(), createCallerLoader)
  const bare = new pg.Client({ connectionString: url })
  await bare.connect()
  await bare.query(`select set_config('app.owner_id', '${scope.ownerId}', false)`)
  const { token } = await t.call(login, { loginCode: 'bench', password: 'Anju2026' })
  /** The statements that the list sends, caught on their way. */
  const statements = async (query: RoomListQuery): Promise<readonly CapturedStatement[]> => {
    const { captured, db } = captureStatements()
    await findPage(db, room, scope, plainFilters(query), {
      filters: roomFilters,
      where: roomListFilters(query),
      sums: listRooms.output.sums,
    })
    return captured
  }
  /** Turn about, so that both meet the same minute. */
  const measure = async (query: RoomListQuery): Promise<{ ours: number[]; raw: number[] }> => {
    const captured = await statements(query)
    const ours: number[] = []
    const raw: number[] = []
    for (let i = -3; i < rounds; i++) {
      const from = performance.now()
      await t.callRaw(listRooms, query, {
        token,
        ...(query.projectCode ? { projectCode: query.projectCode } : {}),
      })
      const half = performance.now()
      for (const [n, q] of captured.entries()) {
        await bare.query({
          name: `${query.page ?? 1} ${query.keyword ?? ''} ${query.projectCode ?? ''} ${n}`,
          ...q,
          rowMode: 'array',
        })
      }
      if (i >= 0) {
        ours.push(half - from)
        raw.push(performance.now() - half)
      }
    }
    return { ours, raw }
  }
  try {
    const rows: BenchRow[] = []
    for (const [label, query] of searches) {
      const { ours, raw } = await measure(query)
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
    const first = await measure({ size: 20 })
    const deep = await measure({ size: 20, page: 10_000 })
    rows.push(
      atMost(2, {
        label: '第 10,000 页（对第 1 页）',
        ours: percentile(deep.ours, 0.5),
        raw: percentile(first.ours, 0.5),
        unit: 'ms',
      }),
    )
    return rows
  } finally {
    await bare.end()
    await t.close()
  }
}
