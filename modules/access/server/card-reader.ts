import { isObject } from '#kit/contract/wire/members.ts'
import { notFound, Refused, resultCode } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import { requireProject, type Scope } from '#kit/server/scope.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { findAll } from '#kit/server/table.ts'
import { device, type Device } from '#modules/devices/contract/device.ts'
import { driverCommands } from '#modules/devices/contract/driver-commands.ts'
import { isOwnCommand, sendDeviceCommand, waitForCommand } from '#modules/devices/server/public.ts'
import { getCardRead, listCardReaders, startCardReading } from '../contract/card-reader.ts'

const action = 'readCard'
const purpose = 'access.readCard'
const readMs = 30_000
/** Below what a proxy lets a request wait. */
const answerMs = 5_000

const canRead = ({ driver }: Device): boolean =>
  driver !== undefined && driverCommands[driver]?.some(command => command.action === action) === true

/** Of doors of the project, those that can be reached first. */
async function findReaders(db: Db, scope: Scope, projectCode: string): Promise<Device[]> {
  const found = await findAll(
    db,
    device,
    scope,
    { projectCode: requireProject(scope.domain, projectCode) },
    {
      where: [
        sql`exists (
          select 1
          from doorway_device l
          where l.owner_id = ${scope.ownerId} and l.device_id = t.id and ${notDeleted('l')}
        )`,
      ],
    },
  )
  return found.filter(canRead).toSorted((a, b) => Number(b.isOnline) - Number(a.isOnline))
}

const isReader = async (db: Db, scope: Scope, projectCode: string, deviceId: Id): Promise<boolean> =>
  (await findReaders(db, scope, projectCode)).some(({ id }) => id === deviceId)

export const cardReaderHandlers = [
  reads(listCardReaders, async ({ projectCode }, { db, scope }) =>
    (await findReaders(db, scope, projectCode)).map(({ id, name, isOnline }) => ({
      deviceId: id,
      deviceName: name,
      isOnline,
    })),
  ),
  writes(startCardReading, async ({ projectCode, deviceId }, { tx, scope }) => {
    if (!(await isReader(tx, scope, projectCode, deviceId)))
      throw new Refused(resultCode.refused, '此设备不能读卡，请选择其他设备')
    const input = { action }
    return { taskId: await sendDeviceCommand(tx, scope, { deviceId, input, timeoutMs: readMs, purpose }) }
  }),
  reads(getCardRead, async ({ taskId }, { app, db, scope }) => {
    if (!(await isOwnCommand(db, scope, taskId, purpose))) throw notFound()
    const { state, data, reason } = await waitForCommand(app, scope.ownerId, taskId, answerMs)
    const isEnded = state !== 'sent' && state !== 'received'
    const card = state === 'done' && isObject(data) ? data.card : undefined
    if (typeof card === 'string') return { isEnded, cardNo: card }
    return { isEnded, ...(isEnded && { reason: reason ?? '未读到卡，请重试' }) }
  }),
]
