import { rowsOnly, type PartQuery } from '#kit/contract/list-parts.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findPage } from '#kit/server/table.ts'
import { listRooms, room, roomFilters } from '#modules/rooms/contract/room.ts'
import { plainFilters, roomListFilters, type RoomListQuery } from '#modules/rooms/server/room-list.ts'
import { atMost, percentile, type BenchContext, type BenchRow } from './bench.ts'
import { seedCompany, estateCode, roomsPerEstate } from './room-data.ts'
import { captureStatements } from './job-harness.ts'
import {
  openSideBySide,
  percentileRows,
  replay,
  rowsAloneRows,
  timeInTurn,
  type SideBySide,
  type Timings,
} from './side-by-side.ts'

export const name = 'list'

const roomCount = 1_000_000
const rounds = 25

type RoomListRequest = RoomListQuery & PartQuery

const searches: readonly (readonly [string, RoomListRequest])[] = [
  [
    '一个项目，房态与类型筛选',
    { size: 20, projectCode: estateCode(25), roomState: ['vacant', 'lived'], roomType: ['home', 'flat'] },
  ],
  ['全公司，无筛选', { size: 20 }],
  ['全公司，按房号路径搜索', { size: 20, keyword: '12-2-1502' }],
]

/**
 * The room list at a million rooms (20 rows with 30 columns, filters, order, total and sums), whole call
 * against its own statements on the bare driver.
 */
export async function run({ database, log }: BenchContext): Promise<BenchRow[]> {
  const url = await database()
  const scope = await seedCompany(url, roomCount / roomsPerEstate, { withRooms: true })
  log(`${roomCount} 个房间`)
  const sides = await openSideBySide(url, scope.ownerId)
  try {
    const rows: BenchRow[] = []
    for (const [label, query] of searches) {
      rows.push(...percentileRows(1.5, label, await measureList(sides, scope, query)))
    }
    const rowsAlone = await measureList(sides, scope, { size: 20, ...rowsOnly(listRooms) })
    rows.push(...rowsAloneRows('屏幕的请求：全公司，无筛选，只取本页记录', rowsAlone))
    const first = await measureList(sides, scope, { size: 20 })
    const deep = await measureList(sides, scope, { size: 20, page: 10_000 })
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
    await sides.close()
  }
}

async function measureList(
  { t, token, bare }: SideBySide,
  scope: Scope,
  query: RoomListRequest,
): Promise<Timings> {
  // The statements that the list sends, caught on their way.
  const { captured, db } = captureStatements()
  await findPage(db, room, scope, plainFilters(query), {
    filters: roomFilters,
    where: roomListFilters(scope.ownerId, query),
    sums: listRooms.output.sums,
  })
  const { projectCode, keyword = '', page = 1, part = '' } = query
  return timeInTurn(
    { warmup: 3, measured: rounds },
    () => t.callRaw(listRooms, query, { token, ...(projectCode ? { projectCode } : {}) }),
    () => replay(bare, `${page} ${part} ${keyword} ${projectCode ?? ''}`, captured),
  )
}
