import { notFound, type FieldFault } from '#kit/contract/wire.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { sql } from '#kit/server/db.ts'
import type { WriteContext } from '#kit/server/handler.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { findAll } from '#kit/server/table.ts'
import { publicTime, publicTimes, type PublicTime } from '../contract/public-time.ts'
import { areOverlapping, type DatedWindow } from '#kit/domain/week-window.ts'

type Draft = Pick<
  PublicTime,
  'doorwayId' | 'weekDays' | 'beginTime' | 'endTime' | 'effectiveFrom' | 'effectiveTo'
>

const windowOf = ({ weekDays, beginTime, endTime, effectiveFrom, effectiveTo }: Draft): DatedWindow => ({
  weekDays,
  begin: beginTime,
  end: endTime,
  from: effectiveFrom,
  to: effectiveTo,
})

/** ACS-7, one writer after the other for each door. */
async function overlapFaults(
  draft: Draft,
  { tx, scope }: WriteContext,
  before: PublicTime | undefined,
): Promise<FieldFault[]> {
  if (draft.effectiveFrom && draft.effectiveTo && draft.effectiveTo < draft.effectiveFrom)
    return [{ Field: 'EffectiveTo', Message: '失效日期不能早于生效日期' }]
  const doorway = await tx.one(sql`
    select 1 as found
    from doorway
    where owner_id = ${scope.ownerId} and id = ${draft.doorwayId} and ${notDeleted()}
    for update
  `)
  if (!doorway) throw notFound()
  const others = await findAll(
    tx,
    publicTime,
    scope,
    {},
    { where: [sql`t.doorway_id = ${draft.doorwayId} and t.id <> ${before?.id ?? 0}`] },
  )
  const other = others.find(each => areOverlapping(windowOf(draft), windowOf(each)))
  return other
    ? [
        {
          Field: 'BeginTime',
          Message: `与该门已有的常开时段 ${other.beginTime} ~ ${other.endTime} 重叠，请调整时间或星期`,
        },
      ]
    : []
}

export const publicTimeServer = crudHandlers(publicTimes, {
  refusesChangeOf: ['doorwayId'],
  check: overlapFaults,
})
