import type { Id } from '#kit/domain/id.ts'
import { codeOf } from '#kit/contract/field.ts'
import { invalidField, refuse } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { writes, type WriteContext } from '#kit/server/handler.ts'
import { hasPermission, type Scope } from '#kit/server/scope.ts'
import { code, notDeleted, touch } from '#kit/server/sql.ts'
import { findAll, insertAll, requireById, update } from '#kit/server/table.ts'
import { findingResult, inspectionState, recheckResult } from '../contract/choices.ts'
import { inspectionFinding, type InspectionFinding } from '../contract/finding.ts'
import {
  addInspections,
  exportInspections,
  finishInspection,
  recheckInspection,
  roomInspection,
  roomInspections,
  startInspection,
  type RoomInspection,
} from '../contract/inspection.ts'
import {
  actionRefusal,
  mergeReadings,
  missingJudgements,
  outcomeOf,
  type InspectionAction,
} from '../domain/inspection.ts'
import { menu } from '../module.ts'
import { addBatch, requireUsableStandard } from './batch.ts'
import { assertSignature, beginCheck, endCheck, keepFixTimes } from './check.ts'
import { assertInspector } from './inspectors.ts'
import { closeRectified, orderRectification } from './rectification.ts'
import { itemsOfStandard } from './standard.ts'

export const findingsOf = (tx: Tx, scope: Scope, inspectionId: Id): Promise<InspectionFinding[]> =>
  findAll(tx, inspectionFinding, scope, {}, { where: [sql`t.inspection_id = ${inspectionId}`] })

/** The sheet, locked, where its state lets the action happen. */
export async function lockSheet(
  tx: Tx,
  scope: Scope,
  id: Id,
  action: InspectionAction,
): Promise<RoomInspection> {
  await requireById(tx, roomInspection, scope, id, { lock: true })
  // Read again: who waited for the lock sees the new row, but the name that was joined to the old one.
  const sheet = await requireById(tx, roomInspection, scope, id)
  const { inspectorId, state } = sheet
  if (action === 'start' && state === 'inspecting')
    refuse(
      inspectorId === scope.operatorId
        ? '你已开始查验此验房单，请继续填写'
        : `验房单已由${sheet.inspectorName ?? '其他人'}开始查验`,
    )
  const refusal = actionRefusal(action, state)
  if (refusal) refuse(refusal)
  if (action === 'inspect' && inspectorId !== scope.operatorId)
    refuse(`此验房单由${sheet.inspectorName ?? '其他人'}查验，只有查验人可以填写`)
  return sheet
}

/** A change of a locked sheet, where it still is in its state (G-8). */
const changeSheet = (
  tx: Tx,
  scope: Scope,
  { id, version, state }: RoomInspection,
  patch: Partial<RoomInspection>,
  reason?: string,
): Promise<RoomInspection> =>
  update(tx, roomInspection, scope, id, patch, {
    version,
    reason,
    where: sql`t.state = ${codeOf(inspectionState, state)}`,
  })

/**
 * Why the sheet changes its inspector, for its history; undefined where it does not. Nobody takes over what
 * is planned for another unless they say so and may change the plan.
 */
function takeoverReason(
  scope: Scope,
  { inspectorId, inspectorName = '其他人' }: RoomInspection,
  takesOver: boolean | undefined,
): string | undefined {
  if (!inspectorId || inspectorId === scope.operatorId) return undefined
  const { edit } = menu.sheet.permissions
  if (!hasPermission(scope, edit))
    refuse(`验房单由${inspectorName}查验；需要接手的，请由有「${edit.label}」权限的人员更换查验人`)
  if (!takesOver) refuse(`验房单由${inspectorName}查验，请确认接手后再开始查验`)
  return `接手查验，原查验人${inspectorName}`
}

async function start(
  { id, takesOver }: { readonly id: Id; readonly takesOver?: boolean },
  c: WriteContext,
): Promise<RoomInspection> {
  const { tx, scope, now } = c
  const sheet = await lockSheet(tx, scope, id, 'start')
  const reason = takeoverReason(scope, sheet, takesOver)
  await requireUsableStandard(tx, scope, sheet.standardId)
  const items = await itemsOfStandard(tx, scope, sheet.standardId)
  await insertAll(
    tx,
    inspectionFinding,
    scope,
    items.map(item => ({
      projectCode: sheet.projectCode,
      inspectionId: id,
      itemId: item.id,
      part: item.part,
      itemName: item.itemName,
      method: item.method,
      sort: item.sort,
    })),
  )
  await beginCheck(c, sheet, 0)
  const patch = { state: 'inspecting', inspectorId: scope.operatorId, startTime: now } as const
  return changeSheet(tx, scope, sheet, patch, reason)
}

/** The problems that were found put right before stay so; the others are looked at again. */
async function recheck(id: Id, c: WriteContext): Promise<RoomInspection> {
  const { tx, scope } = c
  const sheet = await lockSheet(tx, scope, id, 'recheck')
  await keepFixTimes(c, id, await findingsOf(tx, scope, id))
  await beginCheck(c, sheet, sheet.recheckCount + 1)
  const reopened = await tx.rows<{ id: Id }>(sql`
    update inspection_finding
    set recheck_result = null, ${touch(scope)}
    where owner_id = ${scope.ownerId}
      and inspection_id = ${id}
      and result = ${code(findingResult, 'problem')}
      and recheck_result is distinct from ${code(recheckResult, 'passed')}
      and ${notDeleted()}
    returning id
  `)
  await audit(
    tx,
    scope,
    reopened.map(row => ({
      action: 'update',
      entity: 'inspectionFinding',
      entityId: row.id,
      projectCode: sheet.projectCode,
      before: {},
      after: { recheckResult: undefined },
    })),
  )
  const isOther = sheet.inspectorId !== undefined && sheet.inspectorId !== scope.operatorId
  return changeSheet(
    tx,
    scope,
    sheet,
    {
      state: 'inspecting',
      inspectorId: scope.operatorId,
      recheckCount: sheet.recheckCount + 1,
      endTime: undefined,
    },
    isOther ? `复查，原查验人${sheet.inspectorName ?? '其他人'}` : undefined,
  )
}

type Finish = NonNullable<typeof finishInspection.input.T>

async function finish({ id, ...result }: Finish, c: WriteContext): Promise<RoomInspection> {
  const { tx, scope, now } = c
  const sheet = await lockSheet(tx, scope, id, 'inspect')
  const findings = await findingsOf(tx, scope, id)
  const missing = missingJudgements(findings, sheet.recheckCount)
  if (missing) return refuse(missing)
  if (result.ownerPresent && !result.signature) throw invalidField('SignUrl', '业主在场时请业主签名')
  await assertSignature(c, result.signature)
  await orderRectification(c, sheet, findings)
  await closeRectified(c, sheet, findings)
  const { ownerPresent } = result
  const signed = ownerPresent ? { ownerName: result.ownerName, signature: result.signature } : {}
  const { meters, remark } = result
  const seen = { endTime: now, ownerPresent, ...signed, meters, remark }
  await endCheck(c, sheet, await findingsOf(tx, scope, id), seen)
  return changeSheet(tx, scope, sheet, {
    ...outcomeOf(findings, sheet.recheckCount),
    endTime: now,
    // Of the last check at which the owner signed.
    ownerPresent: ownerPresent || sheet.ownerPresent,
    ...signed,
    meters: mergeReadings(sheet.meters, meters),
    remark: remark ?? sheet.remark,
  })
}

export const inspectionServer = crudHandlers(roomInspections, {
  filter: ({ states }) =>
    states?.length
      ? [sql`t.state = any(${states.map(state => Number(codeOf(inspectionState, state)))}::smallint[])`]
      : [],
  unique: { room_inspection_open: '该房屋已有未完成的验房单' },
  check: async (draft, { tx, scope }, before) => {
    const refusal = before && actionRefusal('edit', before.state)
    if (refusal) refuse(refusal)
    if (draft.standardId !== before?.standardId) {
      await requireUsableStandard(tx, scope, draft.standardId)
    }
    if (before && draft.inspectorId !== before.inspectorId) {
      await assertInspector(tx, scope, draft.inspectorId, [before])
    }
    return []
  },
  beforeDelete: async rows => {
    for (const row of rows) {
      const refusal = actionRefusal('edit', row.state)
      if (refusal) refuse(`${row.sheetNo}：${refusal}`)
    }
  },
  export: exportInspections,
})

export const inspectionHandlers = [
  writes(addInspections, addBatch),
  writes(startInspection, start),
  writes(recheckInspection, ({ id }, c) => recheck(id, c)),
  writes(finishInspection, finish),
]
