import type { Id } from '#kit/domain/id.ts'
import { dayOfInstant } from '#kit/domain/moment.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { notDeleted } from '#kit/server/sql.ts'
import {
  hasCodeForm,
  isSecretKey,
  maskSecret,
  onDeviceEventBatch,
  type DeviceEvent,
  type DeviceEventBatch,
  type RefusedEvents,
} from '#modules/devices/server/public.ts'
import type { PersonKind } from '../../contract/choices.ts'
import { isStranger, passageTime, readPassage, type ReportedPassage } from '../../domain/passage-event.ts'
import { numberOfKey, recogniseCredentials, type RecognisedCredential } from '../reach/typed-credential.ts'
import type { Holder } from './holders.ts'
import { findNeighbours, type Neighbour } from './neighbours.ts'
import { keyOfRecord, type NewPassage } from './new-passage.ts'
import { withReasons } from './refusal-reasons.ts'
import { storePassages } from './store.ts'

interface BoundDoorway {
  readonly deviceId: Id
  readonly doorwayId: Id
  readonly projectCode: string
}

/** The doors of devices; what serves none has nothing to report here. */
async function findDoorways(
  tx: Tx,
  ownerId: Id,
  deviceIds: readonly Id[],
): Promise<ReadonlyMap<Id, BoundDoorway>> {
  const rows = await tx.rows<BoundDoorway>(sql`
    select l.device_id, l.doorway_id, d.project_code
    from doorway_device l
    join doorway d on d.owner_id = ${ownerId} and d.id = l.doorway_id
    where l.owner_id = ${ownerId} and l.device_id = any(${[...new Set(deviceIds)]}::bigint[]) and ${notDeleted('l')}
  `)
  return new Map(rows.map(row => [row.deviceId, row]))
}

function kindOf(holder: Holder | undefined, { openMethod }: ReportedPassage): PersonKind | undefined {
  if (!holder) return isStranger(openMethod, false) ? 'stranger' : undefined
  if (holder.staffId !== undefined) return 'staff'
  if (holder.userId === undefined) return 'visitor'
  return holder.isWorker && holder.roomId === undefined ? 'companyWorker' : 'resident'
}

interface Placed {
  readonly place: number
  readonly passage: NewPassage
  readonly reported: ReportedPassage
}

/** A code under its own kind, whatever the device took it for; its number is for no eye. */
function withCredential(passage: NewPassage, { key, holder }: RecognisedCredential): NewPassage {
  const { cardNo } = passage
  // Of nobody here, and it may be somebody's elsewhere: the key alone keeps it.
  if (!isSecretKey(key))
    return holder === undefined && cardNo !== undefined && hasCodeForm(cardNo)
      ? { ...passage, cardNo: maskSecret(cardNo) }
      : passage
  return {
    ...passage,
    itemKey: key,
    openMethod: passage.openMethod === 'card' ? 'qr' : passage.openMethod,
    ...(cardNo === undefined ? {} : { cardNo: maskSecret(cardNo) }),
  }
}

const withHolder = ({ passage, reported }: Placed, holder: Holder | undefined): NewPassage => ({
  ...passage,
  personKind: kindOf(holder, reported),
  userId: holder?.userId,
  staffId: holder?.staffId,
  personName: holder?.name,
  roomId: holder?.roomId,
})

function passageOf(
  event: DeviceEvent,
  reported: ReportedPassage,
  doorway: BoundDoorway,
  receivedMs: number,
): NewPassage {
  const { atMs, isDoubtful } = passageTime({
    deviceTime: event.data.at,
    eventTime: event.at,
    isEventDoubtful: event.isTimeDoubtful,
    receivedMs,
  })
  return { ...reported, ...doorway, atMs, isTimeDoubtful: isDoubtful }
}

/** Whose the credentials are, project by project: a card opens in its own alone. */
async function namePeople(tx: Tx, ownerId: Id, placed: readonly Placed[]): Promise<Placed[]> {
  const named: Placed[] = []
  for (const [projectCode, some] of Map.groupBy(placed, ({ passage }) => passage.projectCode)) {
    const keys = [...new Set(some.flatMap(({ passage }) => passage.itemKey ?? []))]
    const today = dayOfInstant(Math.max(...some.map(({ passage }) => passage.atMs)))
    const recognised = await recogniseCredentials(tx, { ownerId, projectCode, today }, keys)
    named.push(
      ...some.map(each => {
        const { itemKey } = each.passage
        const credential = itemKey === undefined ? undefined : recognised.get(itemKey)
        const passage = credential ? withCredential(each.passage, credential) : each.passage
        return { ...each, passage: withHolder({ ...each, passage }, credential?.holder) }
      }),
    )
  }
  return named
}

/** The same number may have been a card when it was stored, and be known as a code now. */
function isSameCredential(key: string | undefined, stored: string | undefined): boolean {
  if (key === stored) return true
  const number = key === undefined ? undefined : numberOfKey(key)
  return number !== undefined && stored !== undefined && number === numberOfKey(stored)
}

/** The number of a stored record with another content: it was made up, or the device began to count again. */
function isOther(passage: NewPassage, stored: Neighbour | undefined): boolean {
  if (!stored) return false
  const isSameTime = passage.isTimeDoubtful || stored.isTimeDoubtful || passage.atMs === stored.atMs
  return !isSameTime || !isSameCredential(passage.itemKey, stored.itemKey)
}

/** Records of devices as they come in: what is none, or is not a door's, is refused in words. */
async function takePassages({ app, tx, scope, events }: DeviceEventBatch): Promise<RefusedEvents> {
  const { ownerId } = scope
  const receivedMs = Date.parse(scope.time)
  const refused = new Map<number, string>()
  const doorways = await findDoorways(
    tx,
    ownerId,
    events.map(event => event.deviceId),
  )
  const placed = events.flatMap((event, place): Placed[] => {
    const doorway = doorways.get(event.deviceId)
    const reported = readPassage(event.data)
    const fault = typeof reported === 'string' ? reported : undefined
    if (!doorway || typeof reported === 'string') {
      refused.set(place, fault ?? '设备未绑定到门，请在「门禁设备」绑定后重新处理')
      return []
    }
    return [{ place, reported, passage: passageOf(event, reported, doorway, receivedMs) }]
  })
  if (!placed.length) return refused
  const named = await namePeople(tx, ownerId, placed)
  const passages = named.map(({ passage }) => passage)
  const neighbours = await findNeighbours(tx, ownerId, passages, receivedMs)
  const stored = new Map(neighbours.map(neighbour => [keyOfRecord(neighbour), neighbour]))
  const genuine = named.filter(({ place, passage }) => {
    const isForged = isOther(passage, stored.get(keyOfRecord(passage)))
    if (isForged) {
      refused.set(place, `记录号 ${passage.recordKey} 已存在，内容不同`)
    }
    return !isForged
  })
  await storePassages(
    app,
    tx,
    scope,
    await withReasons(
      tx,
      ownerId,
      genuine.map(({ passage }) => passage),
      receivedMs,
    ),
    neighbours,
  )
  return refused
}

onDeviceEventBatch('doorPassage', takePassages)
