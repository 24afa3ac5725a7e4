import { refuse } from '#kit/contract/wire.ts'
import { parseId } from '#kit/domain/id.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { writes, type WriteContext } from '#kit/server/handler.ts'
import { insert, requireById, update } from '#kit/server/table.ts'
import { onCommandEnd, sendDeviceCommand } from '#modules/devices/server/public.ts'
import { elevator, type Elevator } from '../contract/elevator.ts'
import { elevatorCommand, elevatorCommands, sendElevatorCommand } from '../contract/remote.ts'
import { busyLimitAt, floorFault } from '../domain/lift-call.ts'

const purpose = 'elevators.remote'

/** A person waits for the lift: later it is of no use. */
const timeoutMs = 15_000
const releaseSeconds = 60

export const commandServer = crudHandlers(elevatorCommands)

/** ELV-1, ELV-2: why a lift is not called from afar now. */
function assertCallable(lift: Elevator, floor: string, { now }: WriteContext): void {
  const fault = floorFault({ ...lift, floorList: lift.floorList ?? [] }, floor)
  if (fault !== undefined) refuse(`${fault}，不能远程呼梯`)
  if (busyLimitAt(lift.busyTimes, now) === 'noCall') refuse('繁忙时段禁止呼梯，请在时段结束后再试')
}

export const commandHandlers = [
  writes(sendElevatorCommand, async ({ elevatorId, action, floor, seconds, reason }, c) => {
    const { tx, scope } = c
    const lift = await requireById(tx, elevator, scope, elevatorId)
    if (lift.deviceId === undefined) return refuse(`电梯「${lift.name}」未绑定梯控设备，请先绑定`)
    assertCallable(lift, floor, c)
    const isRelease = action === 'releaseFloor'
    const made = await insert(tx, elevatorCommand, scope, {
      projectCode: lift.projectCode,
      elevatorId,
      action,
      floor,
      ...(isRelease ? { seconds: seconds ?? releaseSeconds } : {}),
      reason,
      operatorName: scope.name,
      state: 'sent',
    })
    await sendDeviceCommand(tx, scope, {
      deviceId: lift.deviceId,
      input: {
        action,
        data: { floor, ...(isRelease ? { seconds: seconds ?? releaseSeconds } : {}) },
      },
      timeoutMs,
      purpose,
      reference: String(made.id),
    })
    return made
  }),
]

onCommandEnd(purpose, async ({ tx, scope, app, end: { reference, outcome, reason } }) => {
  await update(tx, elevatorCommand, scope, parseId(reference), {
    state: outcome,
    endTime: fromInstant(Date.parse(scope.time)),
    failure: reason?.slice(0, 300),
  })
  app.live.publishOnCommit(tx, scope.ownerId, { topic: 'elevatorCommands' }, 'elevatorCommand')
})
