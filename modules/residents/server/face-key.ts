import { defined } from '#kit/domain/defined.ts'
import { invalidInput, notFound } from '#kit/contract/wire.ts'
import { sql } from '#kit/server/db.ts'
import { reads, writes, type WriteContext } from '#kit/server/handler.ts'
import { findByIds, insert, requireById, findPage, remove, update } from '#kit/server/table.ts'
import { touch, code } from '#kit/server/sql.ts'
import {
  deleteFaces,
  faceKey,
  listFaces,
  listStaffFaces,
  saveFace,
  saveStaffFace,
  type FaceKey,
} from '../contract/card.ts'
import { faceState } from '../contract/labels.ts'
import { checkFacePhoto } from './face-photo.ts'
import {
  assertGroupsExist,
  assertHolderAllowed,
  assertValidDates,
  endingCondition,
  holderConditions,
  holderKeywordFilter,
  publishFormerHolder,
  visibleHolders,
} from './credential-holder.ts'

async function saveFaceKey(draft: NonNullable<typeof saveFace.input.T>, c: WriteContext): Promise<FaceKey> {
  const { tx, scope, app, today } = c
  const { id, version, ...fields } = draft
  const before = id ? await requireById(tx, faceKey, scope, id, { lock: true }) : undefined
  assertValidDates(fields)
  await assertGroupsExist(fields, c, before)
  await assertHolderAllowed(tx, scope, fields.projectCode, fields, today)
  const faults =
    before?.face === fields.face ? [] : await checkFacePhoto(app.files, scope.ownerId, fields.face)
  if (faults.length) throw invalidInput(faults)
  // Another picture goes to the devices again.
  if (before) {
    publishFormerHolder(tx, scope.ownerId, before, fields)
    return update(
      tx,
      faceKey,
      scope,
      defined(id),
      {
        ...fields,
        projectCode: before.projectCode,
        ...(before.face === fields.face
          ? {}
          : { state: 'waiting', failReason: undefined, quality: undefined }),
      },
      { version },
    )
  }
  return insert(tx, faceKey, scope, { ...fields, state: 'waiting' })
}

export const faceHandlers = [
  reads(listFaces, ({ userId, keyword, endsSoon, ...query }, { db, scope, today }) =>
    findPage(db, faceKey, scope, query, {
      filters: defined(listFaces.input.filters),
      where: [
        sql`t.user_id is not null`,
        ...endingCondition(endsSoon, today),
        ...visibleHolders(scope),
        ...holderConditions(userId ? { userId } : {}),
        ...(keyword ? [holderKeywordFilter(scope.ownerId, keyword)] : []),
      ],
    }),
  ),
  reads(listStaffFaces, ({ staffId, keyword, endsSoon, ...query }, { db, scope, today }) =>
    findPage(db, faceKey, scope, query, {
      filters: defined(listStaffFaces.input.filters),
      where: [
        sql`t.staff_id is not null`,
        ...endingCondition(endsSoon, today),
        ...holderConditions(staffId ? { staffId } : {}),
        ...(keyword ? [holderKeywordFilter(scope.ownerId, keyword)] : []),
      ],
    }),
  ),
  writes(saveFace, saveFaceKey),
  writes(saveStaffFace, saveFaceKey),
  // Devices forget it first; access control marks it away for good.
  writes(deleteFaces, async ({ ids, reason }, { tx, scope }) => {
    const found = await findByIds(tx, faceKey, scope, ids, { lock: true })
    if (!found.length) throw notFound()
    await tx.execute(
      sql`
        update face_key
        set state = ${code(faceState, 'deleted')}, ${touch(scope)}
        where owner_id = ${scope.ownerId} and id = any(${found.map(f => f.id)})
      `,
    )
    await remove(
      tx,
      faceKey,
      scope,
      found.map(f => f.id),
      reason,
    )
  }),
]
