import { refuse } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { writes, type WriteContext } from '#kit/server/handler.ts'
import { insert, requireById } from '#kit/server/table.ts'
import { parkLane } from '#modules/parking-lanes/contract/park-lane.ts'
import { reportCar, requestLaneOpen } from '#modules/parking-lanes/server/public.ts'
import { openLane, passLane } from '../contract/lane-view.ts'
import { shiftEvent } from '../contract/shift-event.ts'

type Open = NonNullable<typeof openLane.input.T>

/** Whatever the lane decided; audited and on the sheet of the shift (PRK-10). */
async function open({ laneId, plateNo, reason }: Open, { tx, scope, now }: WriteContext) {
  const lane = await requireById(tx, parkLane, scope, laneId)
  if (lane.state !== 'on') {
    refuse(`车道「${lane.laneName}」已停用，请先启用`)
  }
  const commandId = await requestLaneOpen(tx, scope, { laneId, plateNo, origin: 'staff', reason })
  await insert(tx, shiftEvent, scope, {
    projectCode: lane.projectCode,
    parkId: lane.parkId,
    laneId,
    plateNo: plateNo?.slice(0, 8),
    eventTime: now,
    kind: 'open',
    waived: 0,
    reason,
    operatorId: scope.operatorId,
    operatorName: scope.name,
  })
  await audit(tx, scope, [
    {
      action: 'state',
      entity: parkLane.name,
      entityId: laneId,
      projectCode: lane.projectCode,
      after: { laneName: lane.laneName, commandId, plateNo },
      reason,
    },
  ])
  return { commandId }
}

const openReason = '岗亭登记通行'

async function pass(report: NonNullable<typeof passLane.input.T>, { tx, scope, now }: WriteContext) {
  const answer = await reportCar(tx, scope, report, now)
  if (answer.isOpen && !report.hasPassed) {
    const { plateNo, stayId } = answer
    await requestLaneOpen(tx, scope, {
      laneId: report.laneId,
      stayId,
      plateNo,
      origin: 'release',
      reason: openReason,
    })
  }
  return answer
}

export const laneActionHandlers = [writes(openLane, open), writes(passLane, pass)]
