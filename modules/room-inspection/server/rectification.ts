import { refuse } from '#kit/contract/wire.ts'
import { sql } from '#kit/server/db.ts'
import type { WriteContext } from '#kit/server/handler.ts'
import { findAll, findByIds, requireById, update } from '#kit/server/table.ts'
import type { WorkOrder } from '#modules/work-orders/contract/work-order.ts'
import {
  closeUnneeded,
  createOrder,
  onOrderEnded,
  onWorkAccepted,
  onWorkReopened,
  staffContext,
} from '#modules/work-orders/server/public.ts'
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

/** A problem that was found put right needs no order any more: one that nobody has finished is closed. */
export async function closeRectified(
  c: WriteContext,
  { sheetNo }: RoomInspection,
  findings: readonly InspectionFinding[],
): Promise<void> {
  const passed = findings.filter(({ recheckResult, fixTime }) => recheckResult === 'passed' && !fixTime)
  for (const { workOrderId } of passed) {
    if (workOrderId) {
      await closeUnneeded(staffContext(c), workOrderId, `验房单 ${sheetNo} 复查合格，无需再整改`)
    }
  }
}

type StepContext = Pick<WriteContext, 'tx' | 'scope' | 'now'>

/** Writes what became of the finding that an order puts right, and what its sheet makes of that. */
async function changeFinding(
  { tx, scope }: StepContext,
  order: WorkOrder,
  patch: (finding: InspectionFinding) => Partial<InspectionFinding> | undefined,
): Promise<void> {
  if (order.refType !== refType || !order.refId) return
  const [asked] = await findByIds(tx, inspectionFinding, scope, [order.refId])
  if (!asked) return
  const sheet = await requireById(tx, roomInspection, scope, asked.inspectionId, { lock: true })
  const [finding] = await findByIds(tx, inspectionFinding, scope, [asked.id], { lock: true })
  const change = finding?.workOrderId === order.id ? patch(finding) : undefined
  if (!finding || !change) return
  await update(tx, inspectionFinding, scope, finding.id, change)
  if (sheet.state !== 'rectifying' && sheet.state !== 'rectified') return
  const where = [sql`t.inspection_id = ${sheet.id}`]
  const state = isRectified(await findAll(tx, inspectionFinding, scope, {}, { where }))
    ? 'rectified'
    : 'rectifying'
  if (state !== sheet.state) {
    await update(tx, roomInspection, scope, sheet.id, { state })
  }
}

const fixedAt = (now: StepContext['now']) => (finding: InspectionFinding) =>
  finding.fixTime === undefined ? { fixTime: now } : undefined

// C13: a problem is put right once the work on it is accepted, before it is paid for or rated.
onWorkAccepted((c, order) => changeFinding(c, order, fixedAt(c.now)))
onWorkReopened((c, order) =>
  changeFinding(c, order, finding => (isOpenProblem(finding) ? { fixTime: undefined } : undefined)),
)

// A closed order puts its problem right as well; a rejected or cancelled one leaves it without an order.
onOrderEnded((c, order) => {
  const isDone = order.state === 'completed' || order.state === 'closed'
  return changeFinding(c, order, isDone ? fixedAt(c.now) : () => ({ workOrderId: undefined }))
})
