import { formatExact } from '#kit/domain/exact.ts'
import { ratio, roundRatio } from '#kit/domain/ratio.ts'
import { addDaysToMoment, addSeconds, secondsBetween, startOfDay, type Moment } from '#kit/domain/moment.ts'
import { sql, type RawBuilder } from '#kit/server/db.ts'
import { reads, type ReadContext } from '#kit/server/handler.ts'
import { codes } from '#kit/server/sql.ts'
import { contains, findPage } from '#kit/server/table.ts'
import { stayState } from '../contract/choices.ts'
import { listLeftAges, listParkingAges, parkingStay, type ParkingStay } from '../contract/stay.ts'
import { ageBandHours, bandOf, hoursOf } from '../domain/age.ts'
import { duesOf } from './inside-fees.ts'
import { defaultDays } from './stays.ts'

type AgeQuery = NonNullable<typeof listParkingAges.input.T>
type AgePage = NonNullable<typeof listParkingAges.output.T>
type AgeRow = AgePage['rows'][number]

const inside = sql`t.state in ${codes(stayState, 'inside', 'paid')}`
const hoursText = (from: Moment, to: Moment) =>
  formatExact(roundRatio(ratio(Math.max(0, secondsBetween(from, to)), 3600), 2))

/** A band as times of entry, so that an index finds it. */
function bandCondition(bands: AgeQuery['ageBands'], end: RawBuilder<unknown>): RawBuilder<unknown>[] {
  if (!bands?.length) return []
  const ranges = bands.map(band => {
    const [above, upTo] = ageBandHours[band]
    const from = upTo === undefined ? sql`true` : sql`t.in_time >= ${end} - ${`${upTo} hours`}::interval`
    const to = above === 0 ? sql`true` : sql`t.in_time < ${end} - ${`${above} hours`}::interval`
    return sql`(${from} and ${to})`
  })
  return [sql`(${sql.join(ranges, sql` or `)})`]
}

/** By the plate, also where it is what somebody looks for. */
const plateCondition = ({ plateNo, keyword }: AgeQuery): RawBuilder<unknown>[] =>
  [plateNo, keyword].flatMap(part => (part ? [contains(sql`t.plate_no`, part.toUpperCase())] : []))

function rowOf(stay: ParkingStay, until: Moment, fee: AgeRow['fee']): AgeRow {
  const from = stay.inTime ?? until
  return { ...stay, stayHours: hoursText(from, until), ageBand: bandOf(hoursOf(from, until)), fee }
}

async function listInside(query: AgeQuery, { db, scope, now }: ReadContext): Promise<AgePage> {
  const page = await findPage(db, parkingStay, scope, query, {
    filters: listParkingAges.input.filters ?? [],
    where: [inside, ...plateCondition(query), ...bandCondition(query.ageBands, sql`${now}::timestamptz`)],
  })
  const dueOf = await duesOf(db, scope, page.rows, now)
  return { ...page, rows: page.rows.map(stay => rowOf(stay, now, dueOf(stay).due)) }
}

async function listLeft(query: AgeQuery, { db, scope, today, now }: ReadContext): Promise<AgePage> {
  const since = addDaysToMoment(startOfDay(today), -defaultDays)
  const page = await findPage(db, parkingStay, scope, query, {
    filters: listLeftAges.input.filters ?? [],
    where: [
      sql`t.out_time >= ${since}::timestamptz`,
      sql`t.in_time is not null`,
      ...plateCondition(query),
      ...bandCondition(query.ageBands, sql`t.out_time`),
    ],
  })
  const rows = page.rows.map(stay => rowOf(stay, stay.outTime ?? now, stay.shouldPay))
  return { ...page, rows }
}

/** A day and more inside, by the nightly check (PRK-9). */
export const longStayHours = 72
export const longStaySince = (now: Moment): Moment => addSeconds(now, -longStayHours * 3600)

export const ageHandlers = [reads(listParkingAges, listInside), reads(listLeftAges, listLeft)]
