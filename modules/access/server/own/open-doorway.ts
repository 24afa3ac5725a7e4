import type { Id } from '#kit/domain/id.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { notFound, refuse } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { doorway, type Doorway } from '../../contract/doorway.ts'
import { sendOpenCommand } from '../passage/open-command.ts'
import { canOpen } from '../reach/decision.ts'
import { phoneKeyOf } from '../reach/own-credentials.ts'
import type { OwnPerson } from './own-person.ts'
import { isStopped, stoppedText } from './pass-code.ts'

interface Context {
  readonly tx: Tx
  readonly scope: Scope
  readonly now: Moment
}

type OpenedDoorway = Pick<Doorway, 'id' | 'projectCode' | 'doorwayName' | 'openSeconds'>

/** A door by its number alone: whether it is for the person, the decision says. */
export async function requireDoorway(tx: Tx, ownerId: Id, id: Id): Promise<OpenedDoorway> {
  const found = await tx.one<OpenedDoorway>(sql`
    select id, project_code, doorway_name, open_seconds
    from doorway
    where owner_id = ${ownerId} and id = ${id} and ${notDeleted()}
  `)
  if (!found) throw notFound()
  return found
}

/** Opens a door from the person's telephone, by the decision at the door itself (ACS-2). */
export async function openByPhone(
  person: OwnPerson,
  opened: OpenedDoorway,
  { tx, scope, now }: Context,
): Promise<Id> {
  const { id, projectCode, doorwayName } = opened
  if (projectCode !== person.projectCode) throw notFound()
  const { ownerId } = scope
  if (await isStopped(tx, ownerId, person)) return refuse(stoppedText)
  const request = { key: phoneKeyOf(person), doorwayId: id, at: now, isRemote: true }
  const decision = await canOpen(tx, ownerId, request)
  if (!decision.isAllowed) return refuse(`无法打开「${doorwayName}」：${decision.reason}，如有疑问请联系物业`)
  const { taskId, device } = await sendOpenCommand(tx, scope, opened, {
    method: 'mobile',
    person: {
      kind: person.kind,
      name: person.name,
      userId: person.userId,
      staffId: person.staffId,
      roomId: person.roomId,
    },
    refusals: {
      unbound: `「${doorwayName}」尚未接入设备，请联系物业`,
      offline: `「${doorwayName}」的设备离线，请刷卡或扫码开门，或联系物业`,
    },
  })
  await audit(tx, scope, [
    {
      action: 'state',
      entity: doorway.name,
      entityId: id,
      projectCode,
      after: { doorwayName, remark: `${person.name}手机开门，经设备「${device.name}」` },
      reason: decision.reason,
    },
  ])
  return taskId
}
