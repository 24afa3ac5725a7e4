import type { Id } from '#kit/domain/id.ts'
import { invalidField, refuse } from '#kit/contract/wire.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import type { Tx } from '#kit/server/db.ts'
import { writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { requireById, update, updateAll } from '#kit/server/table.ts'
import {
  inspectionFinding,
  inspectionFindings,
  passFindings,
  recheckFinding,
  saveFinding,
  type InspectionFinding,
} from '../contract/finding.ts'
import type { RoomInspection } from '../contract/inspection.ts'
import { assertImages } from './files.ts'
import { findingsOf, lockSheet } from './inspection.ts'

async function lockFinding(
  tx: Tx,
  scope: Scope,
  id: Id,
): Promise<readonly [finding: InspectionFinding, sheet: RoomInspection]> {
  const { inspectionId } = await requireById(tx, inspectionFinding, scope, id)
  const sheet = await lockSheet(tx, scope, inspectionId, 'inspect')
  return [await requireById(tx, inspectionFinding, scope, id, { lock: true }), sheet]
}

const assertProblem = (problem: string | undefined): void => {
  if ([...(problem ?? '').trim()].length < 2) throw invalidField('Problem', '请填写问题描述，至少 2 个字')
}

export const findingServer = crudHandlers(inspectionFindings)

export const findingHandlers = [
  writes(saveFinding, async ({ id, result, problem, photos = [] }, { tx, scope, app }) => {
    const [finding, sheet] = await lockFinding(tx, scope, id)
    if (sheet.recheckCount > 0 && finding.result === 'problem' && finding.workOrderId)
      return refuse('这是上次查出的问题，请填写复查结果')
    const isProblem = result === 'problem'
    if (isProblem) {
      assertProblem(problem)
    }
    await assertImages(app, scope.ownerId, 'Photos', photos)
    return update(tx, inspectionFinding, scope, id, {
      result,
      problem: isProblem ? problem?.trim() : undefined,
      photos: photos.length ? photos : undefined,
      // What is new at a recheck has not been put right.
      recheckResult: isProblem && sheet.recheckCount > 0 ? 'failed' : undefined,
    })
  }),
  writes(passFindings, async ({ inspectionId, part }, { tx, scope }) => {
    await lockSheet(tx, scope, inspectionId, 'inspect')
    const open = (await findingsOf(tx, scope, inspectionId)).filter(
      finding => finding.result === undefined && (part === undefined || finding.part === part),
    )
    await updateAll(tx, inspectionFinding, scope, open, { result: 'passed' })
    return { count: open.length }
  }),
  writes(recheckFinding, async ({ id, recheckResult, problem, photos }, { tx, scope, app }) => {
    const [finding, sheet] = await lockFinding(tx, scope, id)
    if (sheet.recheckCount === 0) return refuse('首次查验请填写查验结果')
    if (finding.result !== 'problem') return refuse('只有查出的问题需要复查')
    const isFailed = recheckResult === 'failed'
    if (problem !== undefined) {
      assertProblem(problem)
    }
    await assertImages(app, scope.ownerId, 'Photos', photos ?? [])
    return update(tx, inspectionFinding, scope, id, {
      recheckResult,
      ...(problem === undefined ? {} : { problem: problem.trim() }),
      ...(photos === undefined ? {} : { photos: photos.length ? photos : undefined }),
      // Its order has ended and the problem is still there: finishing asks for another.
      ...(isFailed && finding.fixTime ? { fixTime: undefined, workOrderId: undefined } : {}),
    })
  }),
]
