import type { Id } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import type { WriteContext } from '#kit/server/handler.ts'
import { exemptions } from '../contract/apply.ts'
import { addDepartments } from './people.ts'
import { recomputePeople } from './recompute.ts'

export const exemptionServer = crudHandlers(exemptions, {
  enrich: addDepartments,
  check: ({ beginDate, endDate }) =>
    endDate && endDate < beginDate ? [{ Field: 'EndDate', Message: '止日不能早于起日' }] : [],
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

const recomputeFrom = (
  { tx, scope, today, now }: WriteContext,
  ids: readonly Id[],
  from: Day,
): Promise<number> => recomputePeople(tx, scope, ids, { from, to: today }, now)
