import type { Id } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import { addDaysToMoment, startOfDay } from '#kit/domain/moment.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { sql, type RawBuilder } from '#kit/server/db.ts'
import { contains } from '#kit/server/table.ts'
import { exportStays, parkingStays, type ParkingStay, type listStays } from '../contract/stay.ts'

export const defaultDays = 30

export const passNoOf = (id: Id): string => `TC${String(id).padStart(10, '0')}`

type StayQuery = NonNullable<typeof listStays.input.T>

/** Cars that are inside are shown whenever they came. */
const asksOnlyInside = ({ state }: StayQuery): boolean =>
  state !== undefined && state.length > 0 && state.every(each => each === 'inside' || each === 'paid')

function stayConditions(query: StayQuery, today: Day): readonly RawBuilder<unknown>[] {
  const { plateNo, passTimeFrom } = query
  return [
    ...(plateNo === undefined ? [] : [contains(sql`t.plate_no`, plateNo.toUpperCase())]),
    ...(passTimeFrom !== undefined || asksOnlyInside(query)
      ? []
      : [sql`t.pass_time >= ${addDaysToMoment(startOfDay(today), -defaultDays)}::timestamptz`]),
  ]
}

export const withPassNo = (row: ParkingStay): ParkingStay => ({ ...row, passNo: passNoOf(row.id) })

export const stayServer = crudHandlers(parkingStays, {
  filter: (query, { today }) => stayConditions(query, today),
  keyword: word => contains(sql`t.plate_no`, word.toUpperCase()),
  enrich: async rows => rows.map(withPassNo),
  export: exportStays,
})
