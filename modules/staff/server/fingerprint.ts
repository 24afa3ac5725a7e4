import type { Id } from '#kit/domain/id.ts'
import { keyOf } from '#kit/contract/field.ts'
import { refuse } from '#kit/contract/wire.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { encryptionOf } from '#kit/server/encryption.ts'
import { reads, writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findAll, insert, remove, requireById, requireByIds, update } from '#kit/server/table.ts'
import {
  deleteStaffFingerprints,
  listStaffFingerprints,
  saveStaffFingerprint,
  staffFingerprint,
  type StaffFingerprint,
} from '../contract/fingerprint.ts'
import { finger } from '../contract/labels.ts'
import { staff, type Staff } from '../contract/staff.ts'

/** What an encrypted template belongs to: it cannot be read as another person's or another finger's. */
export const templateSubject = (
  ownerId: Id,
  { staffId, fingerNo }: Pick<StaffFingerprint, 'staffId' | 'fingerNo'>,
): string => `staff_fingerprint:${ownerId}:${staffId}:${fingerNo}`

const findFingerprints = (db: Db, scope: Scope, staffIds: readonly Id[]): Promise<StaffFingerprint[]> =>
  findAll(db, staffFingerprint, scope, {}, { where: [sql`t.staff_id = any(${[...staffIds]}::bigint[])`] })

/** The staff with their enrolled fingers. */
export async function addFingers(
  rows: readonly Staff[],
  { db, scope }: { readonly db: Db; readonly scope: Scope },
): Promise<readonly Staff[]> {
  if (!rows.length) return rows
  const byStaff = Map.groupBy(
    await findFingerprints(
      db,
      scope,
      rows.map(row => row.id),
    ),
    print => print.staffId,
  )
  return rows.map(row => ({ ...row, fingers: byStaff.get(row.id) ?? [] }))
}

/** Deletes the fingerprints of people who are deleted or have left: nothing opens to them any more. */
export async function forgetFingerprints(
  tx: Tx,
  scope: Scope,
  people: readonly Pick<Staff, 'id'>[],
  reason: string,
): Promise<void> {
  const prints = await findFingerprints(
    tx,
    scope,
    people.map(s => s.id),
  )
  await deleteFingerprints(tx, scope, prints, reason)
}

async function deleteFingerprints(
  tx: Tx,
  scope: Scope,
  prints: readonly StaffFingerprint[],
  reason: string,
): Promise<void> {
  if (!prints.length) return
  const ids = prints.map(print => print.id)
  await tx.execute(sql`
    delete from staff_fingerprint_template
    where owner_id = ${scope.ownerId} and fingerprint_id = any(${ids})
  `)
  await remove(tx, staffFingerprint, scope, ids, reason)
}

/** The template of a finger that is enrolled, for a device. */
export async function readStaffTemplate(app: App, ownerId: Id, id: Id): Promise<string | undefined> {
  const found = await app.database.reader(ownerId).one<{
    template: Buffer
    staffId: Id
    fingerNo: number
  }>(sql`
      select p.template, f.staff_id, f.finger_no
      from staff_fingerprint f
      join staff_fingerprint_template p on p.owner_id = ${ownerId} and p.fingerprint_id = f.id
      where f.owner_id = ${ownerId} and f.id = ${id} and f.delete_tag = 0
    `)
  const fingerNo = found && keyOf(finger, found.fingerNo)
  if (!found || fingerNo === undefined) return undefined
  const subject = templateSubject(ownerId, { staffId: found.staffId, fingerNo })
  return (await encryptionOf(app)).decrypt(found.template, subject)
}

export const fingerprintHandlers = [
  reads(listStaffFingerprints, async ({ staffId }, { db, scope }) => {
    await requireById(db, staff, scope, staffId)
    return findFingerprints(db, scope, [staffId])
  }),
  writes(saveStaffFingerprint, async ({ template, ...print }, { tx, scope, app }) => {
    // Locked: two enrolments of one finger come one after the other.
    const person = await requireById(tx, staff, scope, print.staffId, { lock: true })
    if (person.state === 'left') refuse('该员工已离职，不能采集指纹')
    const [enrolled] = (await findFingerprints(tx, scope, [print.staffId])).filter(
      other => other.fingerNo === print.fingerNo,
    )
    const saved = enrolled
      ? await update(tx, staffFingerprint, scope, enrolled.id, { deviceSn: print.deviceSn })
      : await insert(tx, staffFingerprint, scope, print)
    const encrypted = (await encryptionOf(app)).encrypt(template, templateSubject(scope.ownerId, print))
    await tx.execute(sql`
      insert into staff_fingerprint_template as t (owner_id, fingerprint_id, template)
      values (${scope.ownerId}, ${saved.id}, ${encrypted})
      on conflict (owner_id, fingerprint_id) do update set template = excluded.template
    `)
    return saved
  }),
  writes(deleteStaffFingerprints, async ({ ids, reason }, { tx, scope }) => {
    await deleteFingerprints(
      tx,
      scope,
      await requireByIds(tx, staffFingerprint, scope, ids, { lock: true }),
      reason,
    )
  }),
]
