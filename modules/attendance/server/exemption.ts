import type { Id } from '#kit/domain/id.ts'
import { addDays, type Day } from '#kit/domain/day.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import type { WriteContext } from '#kit/server/handler.ts'
import { exemptions, type AttendanceExemption } from '../contract/apply.ts'
import { assertSpanOpen, keepMonthsOpen } from './closed-months.ts'
import { addDepartments, type Span } from './people.ts'
import { recomputePeople } from './recompute.ts'

export const exemptionServer = crudHandlers(exemptions, {
  enrich: addDepartments,
  lock: ({ tx, scope }) => keepMonthsOpen(tx, scope),
  check: async ({ beginDate, endDate }, { tx, scope }, before) => {
    if (endDate && endDate < beginDate) return [{ Field: 'EndDate', Message: '止日不能早于起日' }]
    for (const { field, ...span } of changedSpans({ beginDate, endDate }, before)) {
      await assertSpanOpen(tx, scope, span, field)
    }
    return []
  },
  beforeDelete: async (rows, { tx, scope }) => {
    for (const { beginDate: from, endDate: to } of rows) {
      await assertSpanOpen(tx, scope, { from, to }, 'Ids')
    }
  },
  afterInsert: (row, c) => recomputeFrom(c, [row.staffId], row.beginDate),
  afterUpdate: (row, c, before) =>
    recomputeFrom(c, [row.staffId], row.beginDate < before.beginDate ? row.beginDate : before.beginDate),
  afterDelete: (rows, c) =>
    recomputeFrom(
      c,
      rows.map(({ staffId }) => staffId),
      rows.map(({ beginDate }) => beginDate).toSorted()[0] ?? c.today,
    ),
})

type Exempted = Pick<AttendanceExemption, 'beginDate' | 'endDate'>

const endless: Day = '9999-12-31'

/** The days whose exemption another draft changes, by the field that does. */
function changedSpans(after: Exempted, before: Exempted | undefined): (Span & { field: string })[] {
  if (!before) return [{ from: after.beginDate, to: after.endDate ?? endless, field: 'BeginDate' }]
  const begins = [after.beginDate, before.beginDate].toSorted()
  const ends = [after.endDate ?? endless, before.endDate ?? endless].toSorted()
  return [
    { from: begins[0] ?? endless, to: addDays(begins[1] ?? endless, -1), field: 'BeginDate' },
    {
      from: ends[0] === endless ? endless : addDays(ends[0] ?? endless, 1),
      to: ends[1] ?? endless,
      field: 'EndDate',
    },
  ].filter(({ from, to }) => from <= to && from !== endless)
}

const recomputeFrom = (
  { tx, scope, today, now }: WriteContext,
  ids: readonly Id[],
  from: Day,
): Promise<number> => recomputePeople(tx, scope, ids, { from, to: today }, now)
