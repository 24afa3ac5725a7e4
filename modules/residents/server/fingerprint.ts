import type { Id } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import { keyOf } from '#kit/contract/field.ts'
import { invalidInput, refuse } from '#kit/contract/wire.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { encryptionOf } from '#kit/server/encryption.ts'
import { reads, writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findAll, insert, remove, requireByIds, update } from '#kit/server/table.ts'
import { finger } from '#modules/staff/contract/labels.ts'
import {
  deleteResidentFingerprints,
  listResidentFingerprints,
  residentFingerprint,
  saveResidentFingerprint,
  type ResidentFingerprint,
} from '../contract/fingerprint.ts'
import type { Resident } from '../contract/resident.ts'
import { currentPlaces, everPresent } from './presence.ts'
import { requireResident } from './resident-access.ts'
import { findBlockReason } from './resident-block.ts'

/**
 * What an encrypted template belongs to: it cannot be read as another record's or another finger's. Not the
 * person: records of one are merged.
 */
const templateSubject = (
  ownerId: Id,
  { id, fingerNo }: Pick<ResidentFingerprint, 'id' | 'fingerNo'>,
): string => `resident_fingerprint:${ownerId}:${id}:${fingerNo}`

export const findFingerprints = (db: Db, scope: Scope, userId: Id): Promise<ResidentFingerprint[]> =>
  findAll(db, residentFingerprint, scope, {}, { where: [sql`t.user_id = ${userId}`] })

const deleteTemplates = (tx: Tx, ownerId: Id, ids: readonly Id[]): Promise<number> =>
  tx.execute(sql`
    delete from resident_fingerprint_template
    where owner_id = ${ownerId} and fingerprint_id = any(${[...ids]}::bigint[])
  `)

/** Deletes fingers with their templates: devices forget them, and nothing can be sent again. */
export async function forgetFingerprints(
  tx: Tx,
  scope: Scope,
  ids: readonly Id[],
  reason: string,
): Promise<void> {
  if (!ids.length) return
  await deleteTemplates(tx, scope.ownerId, ids)
  await remove(tx, residentFingerprint, scope, ids, reason)
}

/** BASE-11, BASE-15: nobody gets a key who is kept out, or who has left everything. */
async function assertAllowed(tx: Tx, { ownerId }: Scope, person: Resident, today: Day): Promise<void> {
  if (person.state === 'cancelled') refuse(`住户「${person.name}」已注销，不能采集指纹`)
  const { id: userId, mobile, certNo } = person
  const reason = await findBlockReason(tx, ownerId, undefined, 'access', { userId, mobile, certNo }, today)
  if (reason) refuse(`「${person.name}」在黑名单中（${reason}），不能采集指纹；请先移出黑名单`)
  const found = await tx.one<{ isPresent: boolean; wasPresent: boolean }>(sql`
    select
      exists (select 1 from (${currentPlaces({ ownerId, today })}) p where p.user_id = ${userId}) as is_present,
      exists (select 1 from (${everPresent({ ownerId, today })}) e where e.user_id = ${userId}) as was_present
  `)
  if (found?.wasPresent && !found.isPresent)
    refuse(`「${person.name}」已没有住处和任职（或租期已满），不能采集指纹；请先办理入住或登记任职`)
}

const saveTemplate = async (
  tx: Tx,
  app: Pick<App, 'dataDir'>,
  ownerId: Id,
  saved: ResidentFingerprint,
  template: string,
): Promise<unknown> => {
  const encrypted = (await encryptionOf(app)).encrypt(template, templateSubject(ownerId, saved))
  return tx.execute(sql`
    insert into resident_fingerprint_template as t (owner_id, fingerprint_id, template)
    values (${ownerId}, ${saved.id}, ${encrypted})
    on conflict (owner_id, fingerprint_id) do update set template = excluded.template
  `)
}

/** The template of a finger that is enrolled, for a device. */
export async function readResidentTemplate(app: App, ownerId: Id, id: Id): Promise<string | undefined> {
  const found = await app.database.reader(ownerId).one<{ template: Buffer; fingerNo: number }>(sql`
    select p.template, f.finger_no
    from resident_fingerprint f
    join resident_fingerprint_template p on p.owner_id = ${ownerId} and p.fingerprint_id = f.id
    where f.owner_id = ${ownerId} and f.id = ${id} and f.delete_tag = 0
  `)
  if (!found) return undefined
  const fingerNo = keyOf(finger, found.fingerNo)
  if (fingerNo === undefined) return undefined
  return (await encryptionOf(app)).decrypt(found.template, templateSubject(ownerId, { id, fingerNo }))
}

export const fingerprintHandlers = [
  reads(listResidentFingerprints, async ({ userId }, { db, scope }) => {
    await requireResident(db, scope, userId)
    return findFingerprints(db, scope, userId)
  }),
  writes(
    saveResidentFingerprint,
    async ({ template, isConsented, ...print }, { tx, scope, app, now, today }) => {
      if (!isConsented) throw invalidInput([{ Field: 'Consented', Message: '请先征得本人同意，再采集指纹' }])
      // Locked: two enrolments of one finger come one after the other.
      const person = await requireResident(tx, scope, print.userId, { lock: true })
      await assertAllowed(tx, scope, person, today)
      const enrolled = (await findFingerprints(tx, scope, print.userId)).find(
        other => other.fingerNo === print.fingerNo,
      )
      const changes = { deviceSn: print.deviceSn, consentTime: now }
      const saved = enrolled
        ? await update(tx, residentFingerprint, scope, enrolled.id, changes)
        : await insert(tx, residentFingerprint, scope, { ...print, consentTime: now })
      await saveTemplate(tx, app, scope.ownerId, saved, template)
      return saved
    },
  ),
  writes(deleteResidentFingerprints, async ({ ids, reason }, { tx, scope }) => {
    const found = await requireByIds(tx, residentFingerprint, scope, ids, { lock: true })
    for (const userId of new Set(found.map(print => print.userId))) {
      await requireResident(tx, scope, userId)
    }
    await forgetFingerprints(
      tx,
      scope,
      found.map(print => print.id),
      reason,
    )
  }),
]
