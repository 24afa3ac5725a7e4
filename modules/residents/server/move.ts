import { parseId } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import { refuse, staleVersion, invalidInput } from '#kit/contract/wire.ts'
import { codeOf } from '#kit/contract/field.ts'
import { sql } from '#kit/server/db.ts'
import { reads, writes, type ReadContext, type WriteContext } from '#kit/server/handler.ts'
import { notDeleted, touch, code } from '#kit/server/sql.ts'
import { findByIds } from '#kit/server/table.ts'
import { residencyStatus, residentState } from '../contract/labels.ts'
import { checkInAgain, checkOut, previewMove, transferRoom } from '../contract/move.ts'
import { residency, type Residency } from '../contract/residency.ts'
import { residencyStatusMachine } from '../domain/residency.ts'
import {
  assertLeavingDay,
  concurrentChangeRefusal,
  createMoveContext,
  endResidencies,
  findCurrentResidencies,
  loadRoomResidencies,
  lockResidents,
} from './move-context.ts'
import { assertCanMoveIn } from './move-in-check.ts'
import { applyMove, assertMoveAllowed, planMoveSteps, type MoveContext } from './move-steps.ts'
import { logResidencyChanges } from './residency-log.ts'
import { syncRoomOccupancy } from './room-occupancy.ts'
import { createTransferPreview, transferOwnership } from './transfer.ts'

type PreviewInput = NonNullable<typeof previewMove.input.T>
type CheckInInput = NonNullable<typeof checkInAgain.input.T>

async function previewOf(move: MoveContext, title: string) {
  const steps = await planMoveSteps(move)
  return { title, blocked: steps.some(step => step.blocks !== undefined), steps }
}

/** Why a residency cannot be checked out, or in. */
const statusFault = (kind: 'checkout' | 'checkin', { status }: Residency): string | undefined =>
  residencyStatusMachine.checkTransition(status, kind === 'checkout' ? 'left' : 'living') ??
  (kind === 'checkin' && status !== 'left' ? '只有已迁出的住户可以再次入住' : undefined)

async function previewCheckOutOrIn(
  kind: 'checkout' | 'checkin',
  { ids, day, answers }: PreviewInput,
  { db, scope, today }: ReadContext,
) {
  if (!ids?.length) return refuse('请选择要办理的住户')
  const { room, residencies } = await loadRoomResidencies(db, scope, ids, false)
  for (const each of residencies) {
    const fault = statusFault(kind, each)
    if (fault) return refuse(`${each.userName}：${fault}`)
  }
  if (kind === 'checkout') {
    assertLeavingDay(residencies, day, today, 'Day')
  }
  const current = await findCurrentResidencies(db, scope, room.id)
  const remaining = current.filter(r => !residencies.some(moving => moving.id === r.id))
  const names = residencies.map(r => r.userName).join('、')
  return previewOf(
    createMoveContext(kind, db, { scope, today, day, answers }, room, residencies, remaining),
    `${room.path} ${names}${kind === 'checkout' ? '迁出' : '再次入住'}`,
  )
}

const previewMoveHandler = reads(previewMove, async (input, context) => {
  if (input.kind === 'transfer') {
    const move = await createTransferPreview(input, context)
    return previewOf(move, `${move.room.path} 过户`)
  }
  if (input.kind === 'moveOut') return refuse('企业迁出请在企业管理中办理')
  return previewCheckOutOrIn(input.kind, input, context)
})

const checkOutHandler = writes(checkOut, async ({ ids, outDate, reason, answers }, { tx, scope, today }) => {
  const { room, residencies } = await loadRoomResidencies(tx, scope, ids, true)
  for (const each of residencies) {
    if (!residencyStatusMachine.canTransition(each.status, 'left'))
      throw await concurrentChangeRefusal(tx, scope, each)
  }
  assertLeavingDay(residencies, outDate, today, 'OutDate')
  const current = await findCurrentResidencies(tx, scope, room.id)
  const remaining = current.filter(r => !residencies.some(moving => moving.id === r.id))
  const input = { scope, today, day: outDate, reason, answers }
  const move = createMoveContext('checkout', tx, input, room, residencies, remaining)
  await endResidencies(tx, move, 'movedOut')
  await applyMove({ ...move, tx })
  const hasLeft = residencies.some(r => r.inDate !== undefined)
  await syncRoomOccupancy(tx, scope, [room.id], {
    today,
    effectiveDates: new Map([[room.id, outDate]]),
    dateField: 'OutDate',
    leaving: hasLeft,
    reason,
  })
  return findByIds(tx, residency, scope, ids)
})

async function assertCanCheckInAgain(
  { tx, scope, today }: WriteContext,
  residencies: readonly Residency[],
  inDate: Day,
): Promise<void> {
  for (const each of residencies) {
    if (each.status !== 'left') throw await concurrentChangeRefusal(tx, scope, each)
  }
  if (inDate > today)
    throw invalidInput([{ Field: 'InDate', Message: '入住日期不能晚于今天，请到当天再办理' }])
  const later = residencies.find(r => r.outDate && r.outDate > inDate)
  if (later)
    throw invalidInput([
      { Field: 'InDate', Message: `${later.userName} ${later.outDate} 迁出，入住日期不能早于该日` },
    ])
  const people = await lockResidents(tx, scope, residencies)
  const erased = residencies.find(each => !people.some(person => person.id === each.userId))
  if (erased) return refuse('住户资料已删除，不能再次入住，请新增住户后办理入住')
  const cancelled = people.find(p => p.state !== codeOf(residentState, 'normal'))
  if (cancelled) return refuse(`住户「${cancelled.name}」已注销，请先在住户资料中恢复`)
}

/** BASE-12: the residency alone comes back, without a role that somebody else has by now. */
async function reviveResidencies(
  { tx, scope }: WriteContext,
  { ids, inDate }: CheckInInput,
  residencies: readonly Residency[],
  current: readonly Residency[],
): Promise<void> {
  const mainId = current.some(r => r.isMain) ? undefined : residencies.find(r => r.isMain)?.id
  const payerId = current.some(r => r.isPayer) ? undefined : residencies.find(r => r.isPayer)?.id
  const revived = await tx.execute(sql`
    update user_room
    set status = ${code(residencyStatus, 'living')}, in_date = ${inDate}, out_date = null,
      is_main = is_main and id = ${mainId ?? 0}, is_payer = is_payer and id = ${payerId ?? 0},
      ${touch(scope)}
    where owner_id = ${scope.ownerId}
      and id = any(${ids.map(parseId)})
      and status = ${code(residencyStatus, 'left')}
      and ${notDeleted()}
  `)
  if (revived !== residencies.length) throw staleVersion()
}

const checkInAgainHandler = writes(checkInAgain, async (input, context) => {
  const { tx, scope, today } = context
  const { ids, inDate, reason, answers } = input
  const { room, residencies } = await loadRoomResidencies(tx, scope, ids, true)
  await assertCanCheckInAgain(context, residencies, inDate)
  await assertCanMoveIn(tx, scope, [room.id])
  const current = await findCurrentResidencies(tx, scope, room.id)
  const moveInput = { scope, today, day: inDate, reason, answers }
  const move = createMoveContext('checkin', tx, moveInput, room, residencies, current)
  await assertMoveAllowed(move)
  await reviveResidencies(context, input, residencies, current)
  await logResidencyChanges(
    tx,
    scope,
    residencies.map(row => ({
      residency: row,
      userName: row.userName ?? '',
      action: 'backIn',
      day: inDate,
      reason,
    })),
  )
  await applyMove({ ...move, tx })
  const dates = new Map([[room.id, inDate]])
  await syncRoomOccupancy(tx, scope, [room.id], {
    today,
    effectiveDates: dates,
    inDates: dates,
    dateField: 'InDate',
    reason,
  })
  return findByIds(tx, residency, scope, ids)
})

const transferRoomHandler = writes(transferRoom, async (input, context) => {
  const ids = await transferOwnership(input, context)
  const { tx, scope } = context
  return findByIds(tx, residency, scope, ids)
})

export const moveHandlers = [previewMoveHandler, checkOutHandler, checkInAgainHandler, transferRoomHandler]
