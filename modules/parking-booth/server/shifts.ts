import { refuse, refuseField } from '#kit/contract/wire.ts'
import { displayYuan, subtractFen } from '#kit/domain/money.ts'
import type { Id } from '#kit/domain/id.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { reads, uniqueMessages, writes, type WriteContext } from '#kit/server/handler.ts'
import { requirePermission, requireProject, type Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { insert, requireById, update } from '#kit/server/table.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { park } from '#modules/parking/contract/park.ts'
import {
  beginShift,
  boothShift,
  boothShifts,
  confirmShift,
  exportShifts,
  handOverShift,
  onlyBooth,
  previewShift,
  type BoothShift,
} from '../contract/shift.ts'
import { confirmFault, handOverFault } from '../domain/cash-difference.ts'
import { menu } from '../module.ts'
import { assertFreeForShift } from './duty.ts'
import { claimForShift, findSince, openCharges, openEvents, sumShift } from './shift-sums.ts'

uniqueMessages({
  park_shift_of_person: '您正在另一岗亭当班，请先交班',
  park_shift_of_booth: '该岗亭有人当班，请先由其交班',
})

export const shiftServer = crudHandlers(boothShifts, { export: exportShifts })

function assertOnDuty({ state }: BoothShift): void {
  if (state !== 'onDuty') {
    refuse('该班已交班，请刷新')
  }
}

async function assertBooth(tx: Tx, { ownerId }: Scope, parkId: Id, boothName: string): Promise<void> {
  const lane = await tx.one<{ id: Id }>(sql`
    select l.id
    from park_lane l
    where l.owner_id = ${ownerId}
      and l.park_id = ${parkId}
      and coalesce(l.booth_name, ${onlyBooth}) = ${boothName}
      and l.state = ${code(enabledState, 'on')}
      and ${notDeleted('l')}
    limit 1
    for share
  `)
  if (!lane) {
    refuseField('BoothName', '停车场的车道未填写该岗亭，请先在「停车设置」的车道中填写')
  }
}

type Begin = NonNullable<typeof beginShift.input.T>

async function begin({ parkId, boothName }: Begin, { tx, scope, now }: WriteContext): Promise<BoothShift> {
  const { projectCode } = await requireById(tx, park, scope, parkId)
  requireProject(scope.domain, projectCode)
  await assertBooth(tx, scope, parkId, boothName)
  await assertFreeForShift(tx, scope, parkId, boothName)
  return insert(tx, boothShift, scope, {
    projectCode,
    parkId,
    boothName,
    offStaffId: scope.operatorId,
    offStaffName: scope.name,
    beginTime: now,
    inCount: 0,
    outCount: 0,
    freeCount: 0,
    openCount: 0,
    priceCount: 0,
    chargeCount: 0,
    methods: [],
    cashAmount: 0,
    onlineAmount: 0,
    waivedAmount: 0,
    state: 'onDuty',
  })
}

/** A shift whose person has gone home is handed over by somebody who confirms shifts, with the reason. */
function assertAllowedToHandOver(scope: Scope, shift: BoothShift, remark: string | undefined): void {
  if (shift.offStaffId === scope.operatorId) return
  requirePermission(scope, menu.shift.permissions.confirm)
  if (!remark?.trim()) {
    refuseField('Remark', `代「${shift.offStaffName}」交班，请填写原因`)
  }
}

type HandOver = NonNullable<typeof handOverShift.input.T>

async function handOver(
  { id, expectCash, handAmount, remark }: HandOver,
  { tx, scope, now }: WriteContext,
): Promise<BoothShift> {
  const shift = await requireById(tx, boothShift, scope, id, { lock: true })
  assertOnDuty(shift)
  assertAllowedToHandOver(scope, shift, remark)
  // The sheets of one person one after the other, at whichever booth, so that nothing is on two.
  await tx.rows(sql`
    select pg_advisory_xact_lock(hashtextextended(${`booth-shift/${shift.offStaffId}`}, ${scope.ownerId}))
  `)
  const claimed = await claimForShift(tx, scope.ownerId, shift)
  const sums = await sumShift(tx, scope.ownerId, shift, now, claimed)
  if (sums.cashAmount !== expectCash) {
    const [before, after] = [displayYuan(expectCash), displayYuan(sums.cashAmount)]
    refuse(`现金应交已变化：原为 ${before} 元，现为 ${after} 元，请刷新后核对`)
  }
  const diff = subtractFen(handAmount, sums.cashAmount)
  const fault = handOverFault(diff, remark)
  if (fault !== undefined) {
    refuseField('Remark', fault)
  }
  return update(tx, boothShift, scope, id, {
    ...sums,
    endTime: now,
    handAmount,
    diff,
    remark,
    state: 'waiting',
  })
}

type Confirm = NonNullable<typeof confirmShift.input.T>

async function confirm(
  { id, confirmAmount, confirmRemark }: Confirm,
  { tx, scope, now }: WriteContext,
): Promise<BoothShift> {
  const shift = await requireById(tx, boothShift, scope, id, { lock: true })
  if (shift.state === 'onDuty') {
    refuse('该班尚未交班，请先由当班人交班')
  }
  if (shift.state !== 'waiting') {
    refuse('该交接班已确认，请刷新')
  }
  if (shift.offStaffId === scope.operatorId) {
    refuse('不能确认自己的交班，请由接班人确认')
  }
  const diff = subtractFen(confirmAmount, shift.cashAmount)
  const fault = confirmFault(shift.handAmount ?? 0, confirmAmount, confirmRemark)
  if (fault !== undefined) {
    refuseField('ConfirmRemark', fault)
  }
  return update(tx, boothShift, scope, id, {
    onStaffId: scope.operatorId,
    onStaffName: scope.name,
    confirmAmount,
    confirmRemark,
    confirmTime: now,
    diff,
    state: diff === 0 ? 'confirmed' : 'different',
  })
}

export const shiftHandlers = [
  writes(beginShift, begin),
  reads(previewShift, async ({ id }, { db, scope, now }) => {
    const shift = await requireById(db, boothShift, scope, id)
    assertOnDuty(shift)
    const { ownerId } = scope
    const since = await findSince(db, ownerId, shift)
    const sums = await sumShift(db, ownerId, shift, now, {
      charges: openCharges(ownerId, shift, since),
      events: openEvents(ownerId, shift, since),
    })
    return { beginTime: shift.beginTime, endTime: now, ...sums }
  }),
  writes(handOverShift, handOver),
  writes(confirmShift, confirm),
]
