import { reads } from '#kit/server/handler.ts'
import { countRows } from '#kit/server/table.ts'
import { getGatehouse } from '../contract/check.ts'
import { visitRecord } from '../contract/visit-record.ts'
import { inviteVisitor } from '../contract/visitor.ts'
import { loadSetting } from './setting.ts'
import { isExpectedOn, isInside, isOverdueAt } from './visit-conditions.ts'

export const gatehouseHandlers = [
  reads(getGatehouse, async ({ projectCode }, { db, scope }) => {
    const { ownerId, time } = scope
    const setting = await loadSetting(db, scope, projectCode)
    const countVisits = (where: ReturnType<typeof isInside>) =>
      countRows(db, visitRecord, scope, { projectCode }, { where: [where] })
    return {
      asksPhoto: setting.asksPhoto,
      asksItems: setting.asksItems,
      asksTemperature: setting.asksTemperature,
      maxTemperature: setting.maxTemperature,
      printsSlip: setting.printsSlip,
      overtimeMinutes: setting.overtimeMinutes,
      expectedCount: await countRows(
        db,
        inviteVisitor,
        scope,
        { projectCode },
        { where: [isExpectedOn(time)] },
      ),
      insideCount: await countVisits(isInside()),
      overdueCount: await countVisits(isOverdueAt(ownerId, time)),
    }
  }),
]
