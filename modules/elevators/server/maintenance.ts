import { notFound, type FieldFault } from '#kit/contract/wire.ts'
import { dayOfMoment } from '#kit/domain/moment.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import type { WriteContext } from '#kit/server/handler.ts'
import { requireById, update } from '#kit/server/table.ts'
import { elevator } from '../contract/elevator.ts'
import { exportMaintenances, maintenances, type ElevatorMaintenance } from '../contract/maintenance.ts'
import { dueAfter } from '../domain/due-days.ts'

type Draft = Pick<ElevatorMaintenance, 'projectCode' | 'elevatorId' | 'doneTime' | 'nextDate'>

async function maintenanceFaults(draft: Draft, { tx, scope, now }: WriteContext): Promise<FieldFault[]> {
  const lift = await requireById(tx, elevator, scope, draft.elevatorId, { lock: true })
  if (lift.projectCode !== draft.projectCode) throw notFound()
  return [
    ...(draft.doneTime > now ? [{ Field: 'DoneTime', Message: '完成时间不能晚于现在' }] : []),
    ...(draft.nextDate && draft.nextDate <= dayOfMoment(draft.doneTime)
      ? [{ Field: 'NextDate', Message: '下次日期应晚于完成日期' }]
      : []),
  ]
}

/** ELV-1: work that was done moves the days of the lift. */
async function moveDueDays(row: ElevatorMaintenance, { tx, scope }: WriteContext): Promise<void> {
  const lift = await requireById(tx, elevator, scope, row.elevatorId)
  const due = dueAfter(lift, lift.maintainCycle, {
    maintainType: row.maintainType,
    isPassed: row.result === 'passed',
    doneDay: dayOfMoment(row.doneTime),
    nextDate: row.nextDate,
  })
  if (Object.keys(due).length) {
    await update(tx, elevator, scope, lift.id, due)
  }
}

export const maintenanceServer = crudHandlers(maintenances, {
  export: exportMaintenances,
  check: maintenanceFaults,
  pictures: ['photos'],
  afterInsert: moveDueDays,
})
