import { codeOf } from '#kit/contract/field.ts'
import { parseId, type Id } from '#kit/domain/id.ts'
import { refuse } from '#kit/contract/wire.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import {
  findDeviceStatuses,
  onCommandEnd,
  sendDeviceCommand,
  type CommandEndContext,
  type DeviceStatus,
} from '#modules/devices/server/public.ts'
import { openMethod, personKind, type PersonKind } from '../../contract/choices.ts'
import type { Doorway } from '../../contract/doorway.ts'
import { remoteWindowMs } from '../../domain/passage-merge.ts'
import { keyOfRecord, type NewPassage } from './new-passage.ts'
import { storePassages } from './store.ts'

export const openPurpose = 'access.open'
/** Late, nobody stands at the door any more. */
const timeoutMs = 15_000

/** Who opens a door from afar: one of the staff at a screen, or a person with the own telephone. */
export interface Opener {
  readonly kind: PersonKind
  readonly name: string
  readonly userId?: Id | undefined
  readonly staffId?: Id | undefined
  readonly roomId?: Id | undefined
}

interface Opening {
  readonly method: 'remote' | 'mobile'
  readonly person: Opener
  /** What is answered where the door has no device, or none can be reached. */
  readonly refusals: { readonly unbound: string; readonly offline: string }
}

type OpenedDoorway = Pick<Doorway, 'id' | 'doorwayName' | 'openSeconds'>

/** Any device of a door opens it: the first that can be reached. */
async function findOpener(
  tx: Tx,
  ownerId: Id,
  { id }: OpenedDoorway,
  { unbound, offline }: Opening['refusals'],
): Promise<DeviceStatus> {
  const links = await tx.rows<{ deviceId: Id }>(sql`
    select device_id
    from doorway_device
    where owner_id = ${ownerId} and doorway_id = ${id} and ${notDeleted()}
    order by id
  `)
  const ids = links.map(({ deviceId }) => deviceId)
  if (!ids.length) return refuse(unbound)
  const statuses = await findDeviceStatuses(tx, ownerId, ids)
  const online = ids.flatMap(deviceId => statuses.get(deviceId) ?? []).find(({ isOnline }) => isOnline)
  return online ?? refuse(offline)
}

/** Sends it with the commit; how it ends becomes a record of the door. */
export async function sendOpenCommand(
  tx: Tx,
  scope: Scope,
  opened: OpenedDoorway,
  { method, person, refusals }: Opening,
): Promise<{ readonly taskId: Id; readonly device: DeviceStatus }> {
  const device = await findOpener(tx, scope.ownerId, opened, refusals)
  const taskId = await sendDeviceCommand(tx, scope, {
    deviceId: device.id,
    input: { action: 'openDoor', data: { seconds: opened.openSeconds } },
    timeoutMs,
    purpose: openPurpose,
    reference: JSON.stringify({ doorwayId: opened.id, method, ...person }),
  })
  return { taskId, device }
}

interface Reference extends Opener {
  readonly doorwayId: Id
  readonly method: 'remote' | 'mobile'
}

const maxNameLength = 40

const kinds: ReadonlySet<string> = new Set(Object.keys(personKind.rows))
const isKind = (value: unknown): value is PersonKind => typeof value === 'string' && kinds.has(value)

/** As it was sent, by an earlier version too. */
function referenceOf(text: string | undefined): Reference {
  const value: unknown = JSON.parse(text ?? '{}')
  const part = (key: string): unknown =>
    typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
  const idOf = (key: string): Id | undefined => parseId(part(key)) || undefined
  const kind = part('kind')
  return {
    doorwayId: parseId(part('doorwayId')),
    method: part('method') === 'mobile' ? 'mobile' : 'remote',
    kind: isKind(kind) ? kind : 'staff',
    name: String(part('name') ?? '').slice(0, maxNameLength),
    userId: idOf('userId'),
    staffId: idOf('staffId'),
    roomId: idOf('roomId'),
  }
}

/**
 * The device's own record of it may have come first: it does not know by whom. One record alone, the nearest:
 * two people may open the same door within a minute. Returns whether there was one.
 */
async function nameOpener(tx: Tx, ownerId: Id, passage: NewPassage, key: string): Promise<boolean> {
  const {
    doorwayId,
    atMs,
    openMethod: method,
    personKind: kind,
    personName,
    userId,
    staffId,
    roomId,
  } = passage
  const from = new Date(atMs - remoteWindowMs)
  const until = new Date(atMs + remoteWindowMs)
  const created = new Date(atMs - 2 * remoteWindowMs)
  const named = await tx.execute(sql`
    update access_record
    set person_name = ${personName ?? null}, person_kind = ${kind ? codeOf(personKind, kind) : null},
      open_method = ${codeOf(openMethod, method)}, user_id = ${userId ?? null},
      staff_id = ${staffId ?? null}, room_id = ${roomId ?? null},
      merged_keys = coalesce(merged_keys, '{}') || ${key}::text
    where owner_id = ${ownerId}
      and create_time >= ${created}
      and id = (
        select r.id
        from access_record r
        where r.owner_id = ${ownerId}
          and r.doorway_id = ${doorwayId}
          and r.open_method = ${code(openMethod, 'remote')}
          and r.person_name is null
          and r.record_time >= ${from}
          and r.record_time <= ${until}
          and r.create_time >= ${created}
        order by r.record_time desc, r.id desc
        limit 1
      )
  `)
  return named > 0
}

const outcomeText = { failed: '设备执行失败', timedOut: '设备未在时限内答复' } as const

/** ACS-6: an opening from afar is a record like any other, with who did it; one that failed too. */
async function recordOpening({ app, tx, scope, end }: CommandEndContext): Promise<void> {
  const { doorwayId, method, kind, name, ...person } = referenceOf(end.reference)
  const found = await tx.one<{ projectCode: string }>(sql`
    select project_code from doorway where owner_id = ${scope.ownerId} and id = ${doorwayId}
  `)
  if (!found) return
  const isOpened = end.outcome === 'done'
  const passage: NewPassage = {
    projectCode: found.projectCode,
    doorwayId,
    deviceId: end.deviceId,
    recordKey: `task:${end.taskId}`,
    atMs: Date.parse(scope.time),
    isTimeDoubtful: false,
    openMethod: method,
    openStatus: isOpened ? 'opened' : 'refused',
    direction: 'both',
    personKind: kind,
    personName: name,
    ...person,
    reason: end.outcome === 'done' ? undefined : (end.reason ?? outcomeText[end.outcome]).slice(0, 100),
  }
  const isNamed = await nameOpener(tx, scope.ownerId, passage, keyOfRecord(passage))
  // Ends once: it repeats no other opening of that minute.
  if (!isNamed || !isOpened) {
    await storePassages(app, tx, scope, [passage], [])
  }
}

onCommandEnd(openPurpose, recordOpening)
