import { codeOf } from '#kit/contract/field.ts'
import { refuse } from '#kit/contract/wire.ts'
import { sql } from '#kit/server/db.ts'
import type { WriteContext } from '#kit/server/handler.ts'
import { findAll, findByIds, requireById, update } from '#kit/server/table.ts'
import { createOrder, onOrderEnded, staffContext } from '#modules/work-orders/server/public.ts'
import { inspectionState } from '../contract/choices.ts'
import { inspectionFinding, type InspectionFinding } from '../contract/finding.ts'
import { roomInspection, type RoomInspection } from '../contract/inspection.ts'
import { inspectionStandard } from '../contract/standard.ts'
import { isOpenProblem, isRectified } from '../domain/inspection.ts'

/** What an order of this module names as its record. */
const refType = 'inspectionFinding'

/** One order for each open problem that has none. */
export async function orderRectification(
  c: WriteContext,
  sheet: RoomInspection,
  findings: readonly InspectionFinding[],
): Promise<void> {
  const { tx, scope } = c
  const open = findings.filter(finding => isOpenProblem(finding) && !finding.workOrderId)
  if (!open.length) return
  const { standardName, orderTypeId } = await requireById(tx, inspectionStandard, scope, sheet.standardId)
  if (!orderTypeId) return refuse(`「${standardName}」未设置整改工单类型，请先在验房标准中选择`)
  for (const finding of open) {
    const order = await createOrder(staffContext(c), {
      projectCode: sheet.projectCode,
      typeId: orderTypeId,
      source: 'inspection',
      ref: { type: refType, id: finding.id },
      roomCode: sheet.roomCode,
      title: `验房整改：${finding.part}${finding.itemName}`,
      content: `${sheet.sheetNo} ${finding.part}「${finding.itemName}」：${finding.problem ?? ''}`,
      photos: finding.photos,
    })
    await update(tx, inspectionFinding, scope, finding.id, { workOrderId: order.id })
  }
}

// A completed or closed order rectifies its problem; a rejected or cancelled one leaves it without an order.
onOrderEnded(async ({ tx, scope, now }, order) => {
  if (order.refType !== refType || !order.refId) return
  const [asked] = await findByIds(tx, inspectionFinding, scope, [order.refId])
  if (!asked) return
  const sheet = await requireById(tx, roomInspection, scope, asked.inspectionId, { lock: true })
  const [finding] = await findByIds(tx, inspectionFinding, scope, [asked.id], { lock: true })
  if (!finding || finding.workOrderId !== order.id) return
  const isDone = order.state === 'completed' || order.state === 'closed'
  await update(
    tx,
    inspectionFinding,
    scope,
    finding.id,
    isDone ? { fixTime: now } : { workOrderId: undefined },
  )
  if (sheet.state !== 'rectifying') return
  const findings = await findAll(
    tx,
    inspectionFinding,
    scope,
    {},
    { where: [sql`t.inspection_id = ${sheet.id}`] },
  )
  if (isRectified(findings)) {
    await update(
      tx,
      roomInspection,
      scope,
      sheet.id,
      { state: 'rectified' },
      { where: sql`t.state = ${codeOf(inspectionState, 'rectifying')}` },
    )
  }
})
