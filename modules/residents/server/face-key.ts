import { defined } from '#kit/domain/defined.ts'
import { invalidInput, notFound, refuse } from '#kit/contract/wire.ts'
import type { ListQuery } from '#kit/contract/shape.ts'
import { sql, type RawBuilder } from '#kit/server/db.ts'
import { reads, writes, type ReadContext, type WriteContext } from '#kit/server/handler.ts'
import { findByIds, insert, requireById, findPage, remove, update } from '#kit/server/table.ts'
import { touch, code, flagFilter, notDeleted } from '#kit/server/sql.ts'
import {
  deleteFaces,
  faceKey,
  listFaces,
  listStaffFaces,
  maxFaces,
  saveFace,
  saveStaffFace,
  type FaceKey,
} from '../contract/card.ts'
import { faceState } from '../contract/labels.ts'
import { checkFacePhoto } from './face-photo.ts'
import {
  assertGroupsExist,
  assertHolderAllowed,
  endingCondition,
  holderConditions,
  holderKeywordFilter,
  publishFormerHolder,
  visibleHolders,
} from './credential-holder.ts'
import { isOver, validityFaults } from './validity.ts'

/** One after the other for each holder: devices take each face as a person of its own. */
async function assertFewFaces(
  { tx, scope: { ownerId } }: WriteContext,
  { projectCode, userId, staffId }: Pick<FaceKey, 'projectCode' | 'userId' | 'staffId'>,
): Promise<void> {
  const ofHolder = userId === undefined ? sql`staff_id = ${staffId ?? 0}` : sql`user_id = ${userId}`
  await tx.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(${`faces ${ownerId} ${userId ?? ''} ${staffId ?? ''}`}, 0))`,
  )
  const found = await tx.one<{ count: number }>(sql`
    select count(*)::integer as count
    from face_key
    where owner_id = ${ownerId} and project_code = ${projectCode} and ${ofHolder} and ${notDeleted()}
  `)
  if (defined(found).count >= maxFaces)
    refuse(`该人员在本项目已有 ${maxFaces} 张人脸，请修改或删除原有的人脸`)
}

async function saveFaceKey(draft: NonNullable<typeof saveFace.input.T>, c: WriteContext): Promise<FaceKey> {
  const { tx, scope, app, today } = c
  const { id, version, ...fields } = draft
  const before = id ? await requireById(tx, faceKey, scope, id, { lock: true }) : undefined
  const dateFaults = validityFaults(fields, today, before)
  if (dateFaults.length) throw invalidInput(dateFaults)
  if (before && before.face !== fields.face && isOver(fields, today))
    throw invalidInput([{ Field: 'EndDate', Message: '该人脸已过期，请先修改失效日期' }])
  await assertGroupsExist(fields, c, before)
  const projectCode = before?.projectCode ?? fields.projectCode
  await assertHolderAllowed(tx, scope, projectCode, fields, today, before)
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
        projectCode,
        ...(before.face === fields.face
          ? {}
          : { state: 'waiting', failReason: undefined, quality: undefined }),
      },
      { version },
    )
  }
  await assertFewFaces(c, fields)
  return insert(tx, faceKey, scope, { ...fields, state: 'waiting' })
}

interface FaceQuery extends ListQuery {
  readonly state?: readonly FaceKey['state'][]
  readonly endsSoon?: boolean
  readonly isExpired?: boolean
}

/** A page of faces; what is over is in no state but that. */
async function listFaceKeys(
  { keyword, endsSoon, isExpired, ...query }: FaceQuery,
  { db, scope, today }: ReadContext,
  where: readonly RawBuilder<unknown>[],
) {
  const isPast = sql`coalesce(t.end_date < ${today}::date, false)`
  const found = await findPage(db, faceKey, scope, query, {
    filters: defined(listFaces.input.filters),
    where: [
      ...where,
      ...endingCondition(endsSoon, today),
      ...flagFilter(isExpired, isPast),
      ...(query.state?.length ? [sql`not ${isPast}`] : []),
      ...(keyword ? [holderKeywordFilter(scope.ownerId, keyword)] : []),
    ],
  })
  return { ...found, rows: found.rows.map(face => ({ ...face, isExpired: isOver(face, today) })) }
}

export const faceHandlers = [
  reads(listFaces, ({ userId, ...query }, c) =>
    listFaceKeys(query, c, [
      sql`t.user_id is not null`,
      ...visibleHolders(c.scope),
      ...holderConditions(userId ? { userId } : {}),
    ]),
  ),
  reads(listStaffFaces, ({ staffId, ...query }, c) =>
    listFaceKeys(query, c, [sql`t.staff_id is not null`, ...holderConditions(staffId ? { staffId } : {})]),
  ),
  writes(saveFace, (draft, c) => {
    if (draft.staffId === undefined) return saveFaceKey(draft, c)
    throw invalidInput([{ Field: 'StaffID', Message: '员工的人脸请在「员工」中录入' }])
  }),
  writes(saveStaffFace, (draft, c) => {
    if (draft.userId === undefined) return saveFaceKey(draft, c)
    throw invalidInput([{ Field: 'UserID', Message: '住户的人脸请在「住户」中录入' }])
  }),
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
