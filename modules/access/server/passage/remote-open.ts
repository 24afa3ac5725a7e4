import { parseId, type Id } from '#kit/domain/id.ts'
import { notFound, refuse, refuseField } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { requireById } from '#kit/server/table.ts'
import {
  findDeviceStatuses,
  isOwnCommand,
  onCommandEnd,
  sendDeviceCommand,
  waitForCommand,
  type CommandEndContext,
  type DeviceStatus,
} from '#modules/devices/server/public.ts'
import { declareSetting, getSettingValue } from '#modules/estates/server/public.ts'
import { openMethod, personKind } from '../../contract/choices.ts'
import { doorway, type Doorway } from '../../contract/doorway.ts'
import { getOpenResult, getOpenRules, openDoorway } from '../../contract/remote-open.ts'
import { remoteWindowMs } from '../../domain/passage-merge.ts'
import { storePassages } from './store.ts'

const purpose = 'access.open'
/** Late, nobody stands at the door any more. */
const timeoutMs = 15_000
/** A browser asks again after so long. */
const waitMs = 5000

/** ACS-6 */
const reasonSetting = declareSetting({
  key: 'access.openReason',
  label: '远程开门须填写原因',
  help: '0 可不填；1 必须填写原因才能开门',
  defaultValue: '0',
  check: value => (/^[01]$/.test(value) ? undefined : '请填写 0 或 1'),
})

const needsReason = async (db: Db, ownerId: Id, projectCode: string): Promise<boolean> =>
  (await getSettingValue(db, ownerId, projectCode, reasonSetting)) === '1'

/** Any device of a door opens it: the first that can be reached. */
async function findOpener(tx: Tx, ownerId: Id, { id, doorwayName }: Doorway): Promise<DeviceStatus> {
  const links = await tx.rows<{ deviceId: Id }>(sql`
    select device_id
    from doorway_device
    where owner_id = ${ownerId} and doorway_id = ${id} and ${notDeleted()}
    order by id
  `)
  const ids = links.map(({ deviceId }) => deviceId)
  if (!ids.length) return refuse(`「${doorwayName}」未绑定设备，请先在「设备」中绑定`)
  const statuses = await findDeviceStatuses(tx, ownerId, ids)
  const online = ids.flatMap(deviceId => statuses.get(deviceId) ?? []).find(({ isOnline }) => isOnline)
  return online ?? refuse(`「${doorwayName}」的设备离线，请稍后再试或到现场开门`)
}

async function sendOpening(tx: Tx, scope: Scope, id: Id, reason: string | undefined) {
  const asked = await requireById(tx, doorway, scope, id)
  const { projectCode, doorwayName, openSeconds, state } = asked
  if (state !== 'on') return refuse('门已停用，启用后才能远程开门')
  if (!reason?.trim() && (await needsReason(tx, scope.ownerId, projectCode))) {
    return refuseField('Reason', '请填写远程开门的原因')
  }
  const device = await findOpener(tx, scope.ownerId, asked)
  const taskId = await sendDeviceCommand(tx, scope, {
    deviceId: device.id,
    input: { action: 'openDoor', data: { seconds: openSeconds } },
    timeoutMs,
    purpose,
    reference: JSON.stringify({ doorwayId: id, operatorId: scope.operatorId, name: scope.name }),
  })
  await audit(tx, scope, [
    {
      action: 'state',
      entity: doorway.name,
      entityId: id,
      projectCode,
      after: { doorwayName, remark: `远程开门，经设备「${device.name}」` },
      reason,
    },
  ])
  return { taskId, deviceName: device.name }
}

interface Reference {
  readonly doorwayId: Id
  readonly operatorId: Id
  readonly name: string
}

function referenceOf(text: string | undefined): Reference {
  const value: unknown = JSON.parse(text ?? '{}')
  const part = (key: string): unknown =>
    typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
  return {
    doorwayId: parseId(part('doorwayId')),
    operatorId: parseId(part('operatorId')),
    name: String(part('name') ?? ''),
  }
}

/** The device's own record of it may have come first: it does not know by whom. */
const nameOperator = (tx: Tx, ownerId: Id, doorwayId: Id, name: string, atMs: number): Promise<number> =>
  tx.execute(sql`
    update access_record
    set person_name = ${name}, person_kind = ${code(personKind, 'staff')}
    where owner_id = ${ownerId}
      and doorway_id = ${doorwayId}
      and open_method = ${code(openMethod, 'remote')}
      and person_name is null
      and record_time >= ${new Date(atMs - remoteWindowMs)}
      and record_time <= ${new Date(atMs + remoteWindowMs)}
      and create_time >= ${new Date(atMs - 2 * remoteWindowMs)}
  `)

const outcomeText = { failed: '设备执行失败', timedOut: '设备未在时限内答复' } as const

/** ACS-6: an opening from afar is a record like any other, with its operator; one that failed too. */
async function recordOpening({ app, tx, scope, end }: CommandEndContext): Promise<void> {
  const { doorwayId, name } = referenceOf(end.reference)
  const found = await tx.one<{ projectCode: string }>(sql`
    select project_code from doorway where owner_id = ${scope.ownerId} and id = ${doorwayId}
  `)
  if (!found) return
  const atMs = Date.parse(scope.time)
  const isOpened = end.outcome === 'done'
  await storePassages(app, tx, scope, [
    {
      projectCode: found.projectCode,
      doorwayId,
      deviceId: end.deviceId,
      recordKey: `task:${end.taskId}`,
      atMs,
      isTimeDoubtful: false,
      openMethod: 'remote',
      openStatus: isOpened ? 'opened' : 'refused',
      direction: 'both',
      personKind: 'staff',
      personName: name.slice(0, maxNameLength),
      reason: end.outcome === 'done' ? undefined : (end.reason ?? outcomeText[end.outcome]).slice(0, 100),
    },
  ])
  await nameOperator(tx, scope.ownerId, doorwayId, name.slice(0, maxNameLength), atMs)
}

const maxNameLength = 40

onCommandEnd(purpose, recordOpening)

export const remoteOpenHandlers = [
  writes(openDoorway, ({ id, reason }, { tx, scope }) => sendOpening(tx, scope, id, reason)),
  reads(getOpenRules, async ({ id }, { db, scope }) => {
    const { projectCode } = await requireById(db, doorway, scope, id)
    return { needsReason: await needsReason(db, scope.ownerId, projectCode) }
  }),
  // RMT-3: to the sender alone.
  reads(getOpenResult, async ({ taskId }, { app, db, scope }) => {
    if (!(await isOwnCommand(db, scope, taskId, purpose))) throw notFound()
    const { state, reason } = await waitForCommand(app, scope.ownerId, taskId, waitMs)
    return { state, reason, hasEnded: state !== 'sent' && state !== 'received' }
  }),
]
