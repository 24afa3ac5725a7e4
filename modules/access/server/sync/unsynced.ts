import { keyOf, labelOf, type ChoiceOf } from '#kit/contract/field.ts'
import { refuse } from '#kit/contract/wire.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { codes, notDeleted } from '#kit/server/sql.ts'
import { findAll } from '#kit/server/table.ts'
import { itemState } from '#modules/devices/contract/choices.ts'
import { findDeviceStatuses } from '#modules/devices/server/public.ts'
import type { PanelSectionContent } from '#modules/rooms/contract/room-board.ts'
import { registerRoomPanelSection } from '#modules/rooms/server/public.ts'
import { cardPermissions } from '#modules/residents/contract/card.ts'
import { registerResidentPanelSection, requireResident } from '#modules/residents/server/public.ts'
import { credentialKind, type CredentialKind } from '../../contract/choices.ts'
import { doorwayDevice } from '../../contract/doorway-device.ts'
import { listUnsynced } from '../../contract/unsynced.ts'
import { credentialSources, sourceOfCredential, valuesOfKind } from '../reach/credential-source.ts'
import type { Holders } from '../reach/query.ts'

interface Unsynced {
  readonly doorwayName: string
  readonly deviceName: string
  readonly kind: CredentialKind
  readonly number?: string | undefined
  readonly state: ItemState
  readonly reason: string
}

interface StoredItem {
  readonly deviceId: Id
  readonly itemKey: string
  readonly state: number
  readonly reason?: string
}

const shownItems = 100

/** Open items of these holders on some devices: by the key of each, of which somebody has a few. */
const findOpenItems = (
  db: Db,
  ownerId: Id,
  holders: Holders,
  deviceIds: readonly Id[],
): Promise<StoredItem[]> =>
  db.rows(sql`
    select t.device_id, t.item_key, t.state, t.reason
    from device_item t
    where t.owner_id = ${ownerId}
      and t.device_id = any(${[...deviceIds]}::bigint[])
      and t.state in ${codes(itemState, 'waiting', 'failed', 'removing')}
      and t.item_key = any(
        array(
          select k.item_key
          from (
            ${sql.join(
              credentialSources().map(source => source.selectKeys(ownerId, holders)),
              sql` union `,
            )}
          ) k
        )
      )
    order by t.state desc, t.item_key, t.device_id
    limit ${shownItems}
  `)

type ItemState = ChoiceOf<typeof itemState>

const pendingText = (state: ItemState): string => (state === 'removing' ? '正在收回' : '正在下发')

/** What devices of the doors that the caller sees lack of these holders, or still have (ACS-3). */
async function findUnsynced(db: Db, scope: Scope, holders: Holders): Promise<Unsynced[]> {
  const links = new Map((await findAll(db, doorwayDevice, scope)).map(link => [link.deviceId, link]))
  const items = await findOpenItems(db, scope.ownerId, holders, [...links.keys()])
  const statuses = await findDeviceStatuses(
    db,
    scope.ownerId,
    items.map(({ deviceId }) => deviceId),
  )
  return items.flatMap(({ deviceId, itemKey, reason, ...stored }) => {
    const link = defined(links.get(deviceId))
    const status = statuses.get(deviceId)
    const kind = sourceOfCredential(itemKey)?.kind
    if (kind === undefined) return []
    const state = defined(keyOf(itemState, stored.state))
    return {
      doorwayName: link.doorwayName ?? '',
      deviceName: status?.name ?? '',
      kind,
      number: valuesOfKind([itemKey], 'card')[0],
      state,
      reason: status?.isOnline ? (reason ?? pendingText(state)) : '设备离线',
    }
  })
}

/** `人脸 · 待删除`, at which device, and why. */
function unsyncedSection(items: readonly Unsynced[]): Omit<PanelSectionContent, 'key'> | undefined {
  if (!items.length) return undefined
  return {
    title: '门禁未同步',
    count: items.length,
    lines: items.map(({ kind, number, state, doorwayName, deviceName, reason }) => ({
      label: [labelOf(credentialKind, kind), number].filter(Boolean).join(' '),
      value: labelOf(itemState, state),
      tone: itemState.rows[state][2],
      note: [doorwayName, deviceName, reason].filter(Boolean).join(' · '),
    })),
  }
}

/** Who lives in a room or has left it. */
const findRoomPeople = (db: Db, ownerId: Id, roomId: Id): Promise<{ userId: Id }[]> =>
  db.rows(sql`
    select distinct user_id
    from user_room
    where owner_id = ${ownerId} and room_id = ${roomId} and ${notDeleted()}
  `)

const section = { key: 'access', order: 60, needs: cardPermissions.view } as const

registerRoomPanelSection({
  ...section,
  load: async ({ db, scope, room }) => {
    const people = await findRoomPeople(db, scope.ownerId, room.id)
    const userIds = people.map(({ userId }) => userId)
    return unsyncedSection(userIds.length ? await findUnsynced(db, scope, { userIds }) : [])
  },
})

registerResidentPanelSection({
  ...section,
  load: async ({ db, scope, person }) =>
    unsyncedSection(await findUnsynced(db, scope, { userIds: [person.id] })),
})

export const unsyncedHandlers = [
  reads(listUnsynced, async ({ userId, staffId }, { db, scope }) => {
    if (userId === undefined && staffId === undefined) return refuse('请指定住户或员工')
    if (userId !== undefined) {
      await requireResident(db, scope, userId)
    }
    return findUnsynced(db, scope, {
      ...(userId === undefined ? {} : { userIds: [userId] }),
      ...(staffId === undefined ? {} : { staffIds: [staffId] }),
    })
  }),
]
