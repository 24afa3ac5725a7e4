import { refuse } from '#kit/contract/wire.ts'
import { sql } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import { notDeleted } from '#kit/server/sql.ts'
import {
  closeFaults,
  closeFaultsByHand,
  findFaultPage,
  onDeviceEvent,
  openFaults,
  type DeviceEventContext,
} from '#modules/devices/server/public.ts'
import { closeDoorwayAlarms, listDoorwayAlarms } from '../../contract/doorway-alarm.ts'
import { doorwayAlarmPrefix, doorwayAlarms, isDoorwayAlarm } from '../../domain/doorway-alarm.ts'

async function doorwayNameOf({ tx, scope, event }: DeviceEventContext): Promise<string | undefined> {
  const found = await tx.one<{ name: string }>(sql`
    select d.doorway_name as name
    from doorway_device l
    join doorway d on d.owner_id = ${scope.ownerId} and d.id = l.doorway_id
    where l.owner_id = ${scope.ownerId} and l.device_id = ${event.deviceId} and ${notDeleted('l')}
  `)
  return found?.name
}

/**
 * A fault of the device that is open until the door is shut again; a forced opening until somebody has looked
 * (ACS-5, DEV-2).
 */
async function takeAlarm(context: DeviceEventContext): Promise<void> {
  const { app, tx, scope, event } = context
  const { gatewayId, deviceId, projectCode, data } = event
  if (!isDoorwayAlarm(data.alarm)) return refuse('报警类型无法识别，应为 forced 或 heldOpen')
  const { code, title, level, endsByItself } = doorwayAlarms[data.alarm]
  const now = new Date(scope.time)
  const fault = { gatewayId, deviceId, kind: 'reported', code } as const
  if (data.ended === true) {
    if (endsByItself) {
      await closeFaults(tx, scope.ownerId, now, [fault])
    }
  } else {
    const name = await doorwayNameOf(context)
    await openFaults(tx, scope.ownerId, now, [
      { ...fault, projectCode, level, title: name === undefined ? title : `${title}：${name}` },
    ])
  }
  app.live.publishOnCommit(tx, scope.ownerId, { topic: 'passages' }, 'doorwayAlarms')
}

onDeviceEvent('doorAlarm', takeAlarm)

export const alarmHandlers = [
  reads(listDoorwayAlarms, (query, { db, scope }) => findFaultPage(db, scope, query, doorwayAlarmPrefix)),
  writes(closeDoorwayAlarms, ({ ids, reason }, { tx, scope, now }) =>
    closeFaultsByHand(tx, scope, now, { ids, reason, codePrefix: doorwayAlarmPrefix }),
  ),
]
