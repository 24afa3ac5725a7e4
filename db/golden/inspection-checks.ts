import type { Id } from '#kit/domain/id.ts'
import { addMinutes } from '#kit/domain/moment.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findAll, insertAll } from '#kit/server/table.ts'
import { inspectionCheck } from '#modules/room-inspection/contract/check.ts'
import { inspectionFinding, type InspectionFinding } from '#modules/room-inspection/contract/finding.ts'
import { roomInspection, type RoomInspection } from '#modules/room-inspection/contract/inspection.ts'
import { checkProblemsOf } from '#modules/room-inspection/domain/inspection.ts'

/** The checks of seeded sheets. */
export async function addChecks(tx: Tx, scope: Scope, ids: readonly Id[]): Promise<void> {
  const saved = await findAll(tx, roomInspection, scope, {}, { where: [sql`t.id = any(${[...ids]})`] })
  const found = await findAll(
    tx,
    inspectionFinding,
    scope,
    {},
    { where: [sql`t.inspection_id = any(${[...ids]})`] },
  )
  await insertAll(
    tx,
    inspectionCheck,
    scope,
    saved.flatMap(sheet => checksOf(sheet, found)),
  )
}

/** What each look at the room found; the first look of one that has passed since is as it was then. */
function checksOf(sheet: RoomInspection, all: readonly InspectionFinding[]) {
  if (sheet.startTime === undefined) return []
  const { id: inspectionId, projectCode, inspectorId, startTime, endTime, ownerPresent, meters } = sheet
  const findings = all.filter(finding => finding.inspectionId === inspectionId)
  const started = { projectCode, inspectionId, inspectorId, checkNo: 0, startTime }
  if (endTime === undefined) return [started]
  const seen = { ...started, endTime, ownerPresent, meters }
  const problems = checkProblemsOf(findings, [])
  if (sheet.recheckCount === 0) return [{ ...seen, problems }]
  const recheck = { checkNo: 1, startTime: addMinutes(startTime, 4320), endTime: addMinutes(startTime, 4350) }
  const asFound = problems.map(problem => ({ ...problem, recheckResult: undefined }))
  const first = { ...seen, problems: asFound }
  return [first, { ...seen, ...recheck, problems }]
}
