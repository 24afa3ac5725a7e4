import type { Id } from '#kit/domain/id.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { onRecordsWritten } from '#kit/server/record-events.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { company, companyRoom } from '#modules/companies/contract/company.ts'
import { companyWorker } from '#modules/companies/contract/company-worker.ts'
import { device } from '#modules/devices/contract/device.ts'
import { residentBlock } from '#modules/residents/contract/block.ts'
import { faceKey, identityCard } from '#modules/residents/contract/card.ts'
import { residentFingerprint } from '#modules/residents/contract/fingerprint.ts'
import { residency, residencyLog } from '#modules/residents/contract/residency.ts'
import { resident } from '#modules/residents/contract/resident.ts'
import { onResidentsMerged } from '#modules/residents/server/public.ts'
import { onRoomMoved } from '#modules/rooms/server/public.ts'
import { staffFingerprint } from '#modules/staff/contract/fingerprint.ts'
import { staff } from '#modules/staff/contract/staff.ts'
import { doorwayDevice } from '../../contract/doorway-device.ts'
import { doorway } from '../../contract/doorway.ts'
import { passCode } from '../../contract/pass-code.ts'
import { publicTime } from '../../contract/public-time.ts'
import { vipDoorway } from '../../contract/vip-doorway.ts'

/** What of other modules and of this one decides whose credentials open what, by its entity. */
const watched = [
  identityCard,
  faceKey,
  residentFingerprint,
  staffFingerprint,
  residency,
  residencyLog,
  residentBlock,
  resident,
  staff,
  company,
  companyRoom,
  companyWorker,
  vipDoorway,
  passCode,
  doorway,
  doorwayDevice,
  publicTime,
].map(({ name }) => name)

type Deferring = Pick<Tx, 'defer'>

/** In the transaction of the change: devices are brought up to date soon after its commit. */
export function markRecords(tx: Deferring, ownerId: Id, subject: string, ids: readonly Id[]): void {
  if (!ids.length) return
  tx.defer(sql`
    insert into access_dirty (owner_id, subject, record_id)
    select ${ownerId}::bigint, ${subject}::text, r.id
    from unnest(${[...ids]}::bigint[]) as r(id)
    returning id
  `)
}

/** The whole of some projects. */
export function markProjects(tx: Deferring, ownerId: Id, projectCodes: readonly string[]): void {
  tx.defer(sql`
    insert into access_dirty (owner_id, subject, project_code)
    select ${ownerId}::bigint, 'project', r.code
    from unnest(${[...projectCodes]}::text[]) as r(code)
    returning id
  `)
}

/** Credentials of another module, by the keys that devices know them by. */
export function markCredentials(
  tx: Deferring,
  ownerId: Id,
  projectCode: string,
  keys: readonly string[],
): void {
  tx.defer(sql`
    insert into access_dirty (owner_id, subject, project_code, item_key)
    select ${ownerId}::bigint, 'key', ${projectCode}::text, r.key
    from unnest(${[...keys]}::text[]) as r(key)
    returning id
  `)
}

/** Devices of other modules, all that they hold. */
export function markDevices(tx: Deferring, ownerId: Id, projectCode: string, deviceIds: readonly Id[]): void {
  if (!deviceIds.length) return
  tx.defer(sql`
    insert into access_dirty (owner_id, subject, project_code, record_id)
    select ${ownerId}::bigint, 'device', ${projectCode}::text, r.id
    from unnest(${[...deviceIds]}::bigint[]) as r(id)
    returning id
  `)
}

for (const name of watched) {
  onRecordsWritten(name, (tx, ownerId, { ids }) => markRecords(tx, ownerId, name, ids))
}

// At another gateway codes are decided on without a line by neither: their doors are of two from now on.
onRecordsWritten(device.name, (tx, ownerId, { ids }) =>
  tx.defer(sql`
    insert into access_dirty (owner_id, subject, record_id)
    select ${ownerId}::bigint, ${doorwayDevice.name}::text, l.id
    from doorway_device l
    where l.owner_id = ${ownerId} and l.device_id = any(${[...ids]}::bigint[]) and ${notDeleted('l')}
    returning id
  `),
)

onResidentsMerged(async (tx, { ownerId }, kept, mergedIds) =>
  markRecords(tx, ownerId, resident.name, [kept.id, ...mergedIds]),
)

// Its people live in another building from now on.
onRoomMoved(async (tx, { ownerId }, { id }) => {
  const found = await tx.rows<{ userId: Id }>(sql`
    select user_id from user_room where owner_id = ${ownerId} and room_id = ${id}
  `)
  markRecords(
    tx,
    ownerId,
    resident.name,
    found.map(({ userId }) => userId),
  )
})
