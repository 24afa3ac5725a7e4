import { addDays, daysBetween, type Day } from '#kit/domain/day.ts'
import { parseId } from '#kit/domain/id.ts'
import { refuseField } from '#kit/contract/wire.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import { requireProject, type Scope } from '#kit/server/scope.ts'
import { code } from '#kit/server/sql.ts'
import { tenantFilter } from '#kit/server/table.ts'
import { openMethod, openStatus, personKind } from '../../contract/choices.ts'
import { getPassageStatistics, maxStatisticsDays } from '../../contract/passage-statistics.ts'
import { passage } from '../../contract/passage.ts'
import {
  choiceFigures,
  dayFigures,
  hourFigures,
  topFigures,
  type Counted,
} from '../../domain/passage-figures.ts'

type StatisticsInput = NonNullable<typeof getPassageStatistics.input.T>

const defaultDays = 7
const shownDoorways = 10
const shownReasons = 8

/** What records are counted by; one reading of them counts all. */
const dimensions = ['day', 'hour', 'method', 'kind', 'doorway', 'reason'] as const
type Dimension = (typeof dimensions)[number]

type CountedRow = Omit<Counted, 'value'> & { readonly dimension: Dimension; readonly value?: string }

interface Period {
  readonly from: Day
  readonly to: Day
}

function periodOf({ dayFrom, dayTo }: StatisticsInput, today: Day): Period {
  const to = dayTo ?? today
  const from = dayFrom ?? addDays(to, 1 - defaultDays)
  if (from > to) return refuseField('EndDate', '截止日期不能早于开始日期')
  return daysBetween(from, to) >= maxStatisticsDays
    ? refuseField('EndDate', `一次最多统计 ${maxStatisticsDays} 天，请缩短时间`)
    : { from, to }
}

const local = sql`(t.record_time at time zone 'Asia/Shanghai')`

const countAll = (
  db: Db,
  scope: Scope,
  { projectCode, doorwayId }: StatisticsInput,
  { from, to }: Period,
): Promise<CountedRow[]> =>
  db.rows(sql`
    with counted as (
      select to_char(${local}, 'YYYY-MM-DD') as day, extract(hour from ${local})::integer::text as hour,
        t.open_method::text as method, t.person_kind::text as kind, t.doorway_id::text as doorway,
        case when t.open_status = ${code(openStatus, 'refused')} then coalesce(t.reason, '未说明') end as reason,
        t.open_status = ${code(openStatus, 'opened')} as is_opened
      from access_record t
      where ${tenantFilter(passage, scope, projectCode)}
        and t.record_time >= ${from}::date::timestamp at time zone 'Asia/Shanghai'
        and t.record_time < (${to}::date + 1)::timestamp at time zone 'Asia/Shanghai'
        and t.create_time >= (${from}::date - 1)::timestamp at time zone 'Asia/Shanghai'
        ${doorwayId === undefined ? sql`` : sql`and t.doorway_id = ${doorwayId}`}
    )
    select (array['day', 'hour', 'method', 'kind', 'doorway', 'reason'])[
        case grouping(day, hour, method, kind, doorway, reason)
          when 31 then 1 when 47 then 2 when 55 then 3 when 59 then 4 when 61 then 5 else 6 end
      ] as dimension,
      coalesce(day, hour, method, kind, doorway, reason) as value, is_opened, count(*)::integer as count
    from counted
    group by is_opened, grouping sets ((day), (hour), (method), (kind), (doorway), (reason))
  `)

async function doorwayNames(
  db: Db,
  { ownerId }: Scope,
  rows: readonly Counted[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(rows.map(({ value }) => parseId(value)))]
  const found = await db.rows<{ id: string; name: string }>(sql`
    select id::text as id, doorway_name as name
    from doorway
    where owner_id = ${ownerId} and id = any(${ids}::bigint[])
  `)
  return new Map(found.map(({ id, name }) => [id, name]))
}

const sumOf = (rows: readonly Counted[], isOpened: boolean): number =>
  rows.reduce((sum, row) => (row.isOpened === isOpened ? sum + row.count : sum), 0)

async function countPassages(db: Db, scope: Scope, input: StatisticsInput, period: Period) {
  const counted = await countAll(db, scope, input, period)
  const rowsOf = (dimension: Dimension): readonly Counted[] =>
    counted.flatMap(({ value, ...row }) =>
      row.dimension === dimension && value !== undefined ? [{ ...row, value }] : [],
    )
  const names = await doorwayNames(db, scope, rowsOf('doorway'))
  const kinds = choiceFigures(rowsOf('kind'), personKind)
  const strangers = kinds.find(({ key }) => key === 'stranger')
  return {
    dayFrom: period.from,
    dayTo: period.to,
    opened: sumOf(rowsOf('day'), true),
    refused: sumOf(rowsOf('day'), false),
    strangers: strangers ? strangers.opened + strangers.refused : 0,
    days: dayFigures(rowsOf('day'), period.from, period.to),
    hours: hourFigures(rowsOf('hour')),
    methods: choiceFigures(rowsOf('method'), openMethod),
    kinds,
    doorways: topFigures(rowsOf('doorway'), shownDoorways, id => names.get(id) ?? id),
    reasons: topFigures(rowsOf('reason'), shownReasons),
  }
}

export const statisticsHandlers = [
  reads(getPassageStatistics, async (input, { db, scope, today }) => {
    if (input.projectCode) {
      requireProject(scope.domain, input.projectCode)
    }
    return countPassages(db, scope, input, periodOf(input, today))
  }),
]
