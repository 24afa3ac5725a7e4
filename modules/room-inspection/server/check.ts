import { invalidField } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { sql } from '#kit/server/db.ts'
import type { WriteContext } from '#kit/server/handler.ts'
import { findAll, insert, update } from '#kit/server/table.ts'
import { inspectionCheck, inspectionChecks, type InspectionCheck } from '../contract/check.ts'
import type { InspectionFinding } from '../contract/finding.ts'
import type { RoomInspection } from '../contract/inspection.ts'
import { checkProblemsOf, withFixTimes } from '../domain/inspection.ts'
import { assertImages } from './files.ts'

type CheckContext = Pick<WriteContext, 'tx' | 'scope' | 'now'>

const checksOf = ({ tx, scope }: CheckContext, inspectionId: Id): Promise<InspectionCheck[]> =>
  findAll(tx, inspectionCheck, scope, {}, { where: [sql`t.inspection_id = ${inspectionId}`] })

/** The inspector goes into the room. */
export async function beginCheck(
  { tx, scope, now }: CheckContext,
  { id, projectCode }: RoomInspection,
  checkNo: number,
): Promise<void> {
  await insert(tx, inspectionCheck, scope, {
    projectCode,
    inspectionId: id,
    checkNo,
    inspectorId: scope.operatorId,
    startTime: now,
  })
}

/** Before the problems are judged again: when the orders of the last check mended them. */
export async function keepFixTimes(
  c: CheckContext,
  inspectionId: Id,
  findings: readonly InspectionFinding[],
): Promise<void> {
  const last = (await checksOf(c, inspectionId)).at(-1)
  if (!last?.problems) return
  await update(c.tx, inspectionCheck, c.scope, last.id, { problems: withFixTimes(last.problems, findings) })
}

type CheckResult = Pick<
  InspectionCheck,
  'endTime' | 'ownerPresent' | 'ownerName' | 'signature' | 'meters' | 'remark'
>

/** A signature is given for one check: that of another was signed for something else. */
export async function assertSignature(
  { tx, scope, app }: Pick<WriteContext, 'tx' | 'scope' | 'app'>,
  signature: string | undefined,
): Promise<void> {
  if (signature === undefined) return
  await assertImages(app, scope.ownerId, 'SignUrl', [signature])
  const used = await findAll(tx, inspectionCheck, scope, {}, { where: [sql`t.signature = ${signature}`] })
  if (used.length) throw invalidField('SignUrl', '该签名已用于其他验房，请业主重新签名')
}

/** The inspector has judged all: what was seen at this check, and who was there. */
export async function endCheck(
  c: CheckContext,
  { id, projectCode, recheckCount, inspectorId }: RoomInspection,
  findings: readonly InspectionFinding[],
  result: CheckResult,
): Promise<void> {
  const { tx, scope } = c
  const checks = await checksOf(c, id)
  const problems = checkProblemsOf(
    findings,
    checks.filter(check => check.checkNo < recheckCount).flatMap(check => check.problems ?? []),
  )
  const photos = problems.flatMap(problem => problem.photos ?? [])
  const values = { ...result, problems, photos: photos.length ? photos : undefined }
  const open = checks.find(check => check.checkNo === recheckCount)
  if (open) {
    await update(tx, inspectionCheck, scope, open.id, values)
    return
  }
  // Begun by a server that kept no checks yet.
  const begun = { projectCode, inspectionId: id, checkNo: recheckCount, inspectorId }
  await insert(tx, inspectionCheck, scope, { ...begun, ...values })
}

export const checkServer = crudHandlers(inspectionChecks)
