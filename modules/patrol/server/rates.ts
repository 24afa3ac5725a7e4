import { refuse } from '#kit/contract/wire.ts'
import { parseId, type Id } from '#kit/domain/id.ts'
import { addDays, type Day } from '#kit/domain/day.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import {
  findPointRates,
  findRates,
  totalOfPoints,
  type RateKey,
} from '#modules/planned-work/server/public.ts'
import { getMissedPoints, getPatrolRates } from '../contract/rates.ts'

interface Named {
  readonly id: Id
  readonly name: string
}

type NameTable = 'patrol_road' | 'patrol_point' | 'staff'
const nameColumns: Record<NameTable, string> = {
  patrol_road: 'road_name',
  patrol_point: 'point_name',
  staff: 'name',
}

/** Names by id, those of deleted records too: their rounds still count. */
async function loadNames(
  db: Db,
  { ownerId }: Scope,
  table: NameTable,
  ids: readonly Id[],
): Promise<ReadonlyMap<Id, string>> {
  const rows = await db.rows<Named>(sql`
    select id, ${sql.id(nameColumns[table])} as name
    from ${sql.table(table)}
    where owner_id = ${ownerId} and id = any(${[...ids]}::bigint[])
  `)
  return new Map(rows.map(row => [row.id, row.name]))
}

/** A year of figures at most: longer spans are for exports. */
function assertSpan(from: Day, to: Day): void {
  if (to < from) refuse('止日不能早于起日')
  if (addDays(from, 366) < to) refuse('一次最多统计一年')
}

const keyByGroup = { day: 'day', staff: 'staff', road: 'subject' } as const satisfies Record<string, RateKey>
const tableByGroup = { staff: 'staff', road: 'patrol_road', point: 'patrol_point' } as const

interface Counted {
  readonly due: number
  readonly normal: number
  readonly early: number
  readonly late: number
  readonly disorder: number
  readonly missed: number
  readonly abnormal: number
  readonly signedRate: string
  readonly punctualRate: string
  readonly missedRate: string
}

const countsOf = ({
  due,
  normal,
  early,
  late,
  disorder,
  missed,
  abnormal,
  signedRate,
  punctualRate,
  missedRate,
}: Counted) => ({
  due,
  normal,
  early,
  late,
  disorder,
  missed,
  abnormal,
  signedRate,
  punctualRate,
  missedRate,
})

type RateInput = NonNullable<typeof getPatrolRates.input.T>

interface RateRows {
  readonly total: readonly Counted[]
  readonly rows: readonly (Counted & { readonly key: string })[]
}

/** The counts by key (an id or a day), and their total from the same source. */
async function loadRows(db: Db, scope: Scope, { by, ...period }: RateInput): Promise<RateRows> {
  const query = { kinds: ['patrol'], ...period } as const
  if (by !== 'point')
    return {
      total: await findRates(db, scope, query, 'all'),
      rows: await findRates(db, scope, query, keyByGroup[by]),
    }
  const points = await findPointRates(db, scope, query)
  return {
    total: points.length ? [totalOfPoints(points)] : [],
    rows: points.map(row => ({ ...row, key: String(row.subjectId) })),
  }
}

export const rateHandlers = [
  reads(getPatrolRates, async (input, { db, scope }) => {
    const { by, from, to } = input
    assertSpan(from, to)
    const { total, rows: counted } = await loadRows(db, scope, input)
    const names =
      by === 'day'
        ? undefined
        : await loadNames(
            db,
            scope,
            tableByGroup[by],
            counted.map(row => parseId(row.key)),
          )
    const rows = counted.map(row => ({
      ...(names ? { id: parseId(row.key) } : {}),
      name: names ? (names.get(parseId(row.key)) ?? '未归属') : row.key,
      ...countsOf(row),
    }))
    return { total: total.map(countsOf), rows }
  }),
  reads(getMissedPoints, async (period, { db, scope }) => {
    assertSpan(period.from, period.to)
    const counted = await findPointRates(db, scope, { kinds: ['patrol'], ...period }, true)
    const byPoint = [...Map.groupBy(counted, row => row.subjectId)]
    const names = await loadNames(
      db,
      scope,
      'patrol_point',
      byPoint.map(([id]) => id),
    )
    const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
    return byPoint
      .map(([pointId, days]) => ({
        pointId,
        pointName: names.get(pointId) ?? '已删除点位',
        due: sum(days.map(row => row.due)),
        missed: sum(days.map(row => row.missed)),
        days: days.flatMap(({ day, due, missed }) => (day === undefined ? [] : [{ day, due, missed }])),
      }))
      .toSorted((a, b) => b.missed - a.missed || a.pointId - b.pointId)
  }),
]
