import { createHash } from 'node:crypto'
import { codeOf, keyOf } from '#kit/contract/field.ts'
import { notFound, refuse, refuseField } from '#kit/contract/wire.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Day } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import { dayOfMoment, type Moment } from '#kit/domain/moment.ts'
import type { Statement, Tx } from '#kit/server/db.ts'
import { writes } from '#kit/server/handler.ts'
import { requireProject, type Scope } from '#kit/server/scope.ts'
import { passageDirection } from '#modules/access/contract/choices.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { carKind as carKindChoice, type CarKind } from '#modules/parking/contract/car-labels.ts'
import { fullPolicy } from '#modules/parking/contract/labels.ts'
import { normalizePlate } from '#modules/parking/contract/licence-plate.ts'
import type { MonthRight } from '#modules/parking/contract/month-right.ts'
import { findMonthRight } from '#modules/parking/server/public.ts'
import { loadDayKinds } from '#modules/system/server/public.ts'
import { stayState, type StayState } from '../../contract/choices.ts'
import { reportPassage, unlicensedPrefix } from '../../contract/passage.ts'
import { decideEntry, groupIdOf, type EntryDecision } from '../../domain/entry-decision.ts'
import { eventTime, isNotBefore } from '../../domain/event-time.ts'
import { decideExit } from '../../domain/exit-decision.ts'
import { isFullFor, occupancyOf } from '../../domain/occupancy.ts'
import { holdsPlace } from '../../domain/stay-charge.ts'
import { completeLeft } from '../completed-stay.ts'
import { findFeeRules } from '../fee-rules.ts'
import { publishLanes } from '../live-lanes.ts'
import { findLaneFacts, type EventRow, type LaneFacts, type LaneRow, type StayRow } from './lane-facts.ts'
import { isCoveredByCoupons, settleByCoupons, type SettledStay } from '../settle-stay.ts'
import { stayCoupons } from '../stay-coupons.ts'
import { dueOfStay, type Prices } from './stay-fee.ts'
import {
  closeGhost,
  closeStay,
  insertEvent,
  insertStay,
  switchWaiting,
  type Leaving,
  type Passage,
} from './write-passage.ts'

type Report = NonNullable<typeof reportPassage.input.T>
type Answer = NonNullable<typeof reportPassage.output.T>
type Facts = Omit<LaneFacts, 'lane'> & { readonly lane: LaneRow }

const isInState = ({ state }: StayRow, ...states: readonly StayState[]): boolean =>
  states.some(each => codeOf(stayState, each) === state)
const isInside = (stay: StayRow): boolean => isInState(stay, 'inside', 'paid')
const isAbnormal = (stay: StayRow): boolean => isInState(stay, 'abnormal')

const kindOf = (kind: number): CarKind => defined(keyOf(carKindChoice, kind))

const answerOf = ({ dueFen, carKind, ...event }: EventRow): Answer => ({
  ...event,
  carKind: kindOf(carKind),
  due: dueFen,
})

/** A name for a car without a plate: of its first message, so that the same message gives the same. */
function unlicensedName(laneId: number, passKey: string): string {
  const digest = createHash('sha256').update(`${laneId}/${passKey}`).digest()
  return `${unlicensedPrefix}${String(digest.readUInt32BE(0) % 1_000_000).padStart(6, '0')}`
}

function wayOf({ way }: Report, { direction, laneName }: LaneRow): 'in' | 'out' {
  const laneWay = keyOf(passageDirection, direction)
  if (laneWay === 'both') return way ?? refuseField('Way', `「${laneName}」为出入口，请选择进出`)
  const only = laneWay === 'exit' ? 'out' : 'in'
  return way === undefined || way === only
    ? only
    : refuseField('Way', `「${laneName}」为${only === 'in' ? '入口' : '出口'}，请更换车道或进出`)
}

function assertInUse({ state, parkState, laneName }: LaneRow): void {
  if (keyOf(enabledState, state) !== 'on') {
    refuse(`车道「${laneName}」已停用，请更换车道`)
  }
  if (keyOf(enabledState, parkState) !== 'on') {
    refuse('停车场已停用，请先启用')
  }
}

function entryOf(facts: Facts, passage: Passage, right: MonthRight, report: Report): EntryDecision {
  const { lane, stays, count, groups, isExpected } = facts
  const open = stays.find(isInside)
  const exitOnly = stays.findLast(
    stay => isAbnormal(stay) && !stay.inTime && stay.outTime && stay.outTime >= passage.at,
  )
  return decideEntry({
    at: passage.at,
    laneId: lane.id,
    laneKinds: (lane.carKinds ?? []).flatMap(kind => keyOf(carKindChoice, Number(kind)) ?? []),
    right,
    groupInside: groups.find(group => group.groupId === right.group?.id)?.inside ?? 0,
    isExpected,
    isFull: isFullFor(occupancyOf(count), lane),
    allowsWhenFull: lane.fullPolicy !== undefined && keyOf(fullPolicy, lane.fullPolicy) === 'let',
    ...(open?.inTime ? { openStay: { id: open.id, inTime: open.inTime, inLaneId: open.inLaneId } } : {}),
    ...(exitOnly ? { exitOnlyId: exitOnly.id } : {}),
    hasPassed: report.hasPassed ?? false,
  })
}

const leftStay = ({ stays }: Facts, id: Id): StayRow => defined(stays.find(stay => stay.id === id))

async function writeEntry(
  tx: Tx,
  scope: Scope,
  facts: Facts,
  passage: Passage,
  right: MonthRight,
  report: Report,
): Promise<Answer> {
  const decision = entryOf(facts, passage, right, report)
  const { action, carKind } = decision
  const decided = { ...passage, carKind }
  const statements: Statement[] = []
  if ('ghostId' in action && action.ghostId !== undefined) {
    statements.push(closeGhost(scope, action.ghostId))
  }
  if (action.kind === 'insert') {
    statements.push(
      insertStay(scope, decided, {
        groupId: groupIdOf(right),
        isEntry: true,
        isClosed: action.isLost,
        reason: action.isLost ? '补记的入场，没有出场记录' : undefined,
      }),
    )
  }
  const completed =
    action.kind === 'complete'
      ? await completeLeft(tx, scope, leftStay(facts, action.stayId), decided, right)
      : undefined
  if (completed) {
    statements.push(completed.statement)
  }
  const warnings = [...decision.warnings, completed?.openText].filter(text => text !== undefined)
  const outcome = {
    isOpen: decision.isOpen,
    reason: decision.reason,
    warning: warnings.join('；') || undefined,
    due: 0 as const,
    stayId: 'stayId' in action ? action.stayId : undefined,
    hasNewStay: action.kind === 'insert',
  }
  const [answer] = await Promise.all([
    writeAll(tx, decided, statements, outcome, insertEvent(scope, decided, outcome)),
    endCoupons(tx, scope, 'ghostId' in action ? action.ghostId : undefined),
  ])
  return answer
}

/** What was kept for a stay that ends is free. */
const endCoupons = async (tx: Tx, scope: Scope, stayId: Id | undefined): Promise<void> => {
  if (stayId === undefined) return
  await stayCoupons().release(tx, scope, [stayId])
}

/** The changes and the answer, in one round trip. */
async function writeAll(
  tx: Tx,
  { plateNo, carKind }: Passage,
  statements: readonly Statement[],
  { isOpen, reason, warning, due }: Pick<Answer, 'isOpen' | 'reason' | 'warning' | 'due'>,
  event: ReturnType<typeof insertEvent>,
): Promise<Answer> {
  const [, written] = await Promise.all([tx.all(...statements), tx.one(event)])
  return { isOpen, reason, warning, due, plateNo, carKind, stayId: written?.stayId }
}

/** The stay that an exit ends: the one inside, or one that a later entry has closed as abnormal. */
const stayToLeave = (stays: readonly StayRow[], at: Moment): StayRow | undefined =>
  stays.find(stay => isInside(stay) && stay.inTime && isNotBefore(at, stay.inTime)) ??
  stays.find(stay => isAbnormal(stay) && stay.inTime && !stay.outTime && stay.inTime <= at)

const unseenEntry = { isEntry: false, isClosed: true, reason: '没有入场记录' } as const

/** The stay ends, and a place of its group that it had goes to the car that waits for it (PRK-6). */
function statementsOfLeaving(
  scope: Scope,
  stay: StayRow,
  { group }: MonthRight,
  { lane, at }: Passage,
  leaving: Omit<Leaving, 'stayId' | 'outTime' | 'outLaneId'>,
): readonly Statement[] {
  const closing = closeStay(scope, { ...leaving, stayId: stay.id, outTime: at, outLaneId: lane.id })
  const isFreed = group?.switchesOnLeave && holdsPlace({ ...stay, carKind: kindOf(stay.carKind) }, group)
  return isFreed ? [closing, switchWaiting(scope, group, at)] : [closing]
}

async function writeExit(
  tx: Tx,
  scope: Scope,
  facts: Facts,
  passage: Passage,
  right: MonthRight,
  report: Report,
  priced: Prices,
): Promise<Answer> {
  const { stays, lane } = facts
  const { at } = passage
  const stay = stayToLeave(stays, at)
  const repeated = stay ? undefined : stays.find(each => !isInside(each) && each.outLaneId === lane.id)
  const owed = stay ? dueOfStay({ ...stay, carKind: kindOf(stay.carKind) }, right, at, priced) : undefined
  const decision = decideExit({
    right,
    ...(stay ? { stay: { id: stay.id, carKind: kindOf(stay.carKind) } } : {}),
    due: owed?.due ?? 0,
    hasRule: !owed?.lacksRule,
    repeatedId: repeated?.outTime && isNotBefore(at, repeated.outTime) ? repeated.id : undefined,
    hasPassed: report.hasPassed ?? false,
  })
  const decided = { ...passage, carKind: decision.carKind }
  const warning = decision.warnings.join('；') || undefined
  const statements: Statement[] = []
  const { action } = decision
  if (action.kind === 'insert') {
    statements.push(insertStay(scope, decided, unseenEntry))
  }
  const isCovered = owed !== undefined && isCoveredByCoupons(owed)
  if (action.kind === 'close' && stay?.inTime) {
    const discount = isCovered ? owed.couponDiscount : 0
    const exitKind = report.hasPassed && (owed?.due ?? 0) > 0 ? 'manual' : 'auto'
    const shouldPay = owed?.shouldPay ?? 0
    const leaving = { inTime: stay.inTime, shouldPay, discount, exitKind, reason: warning } as const
    statements.push(...statementsOfLeaving(scope, stay, right, passage, leaving))
  }
  const outcome = {
    isOpen: decision.isOpen,
    reason: decision.reason,
    warning,
    due: decision.isOpen ? (0 as const) : (owed?.due ?? 0),
    stayId: stay?.id ?? ('stayId' in action ? action.stayId : undefined),
    hasNewStay: action.kind === 'insert',
  }
  const [answer] = await Promise.all([
    writeAll(tx, decided, statements, outcome, insertEvent(scope, decided, outcome)),
    stay && isCovered
      ? settleByCoupons(tx, scope, settledOf(stay), owed, at)
      : endCoupons(tx, scope, action.kind === 'close' ? stay?.id : undefined),
  ])
  return answer
}

const settledOf = ({ paidFen, discountFen, ...stay }: StayRow): SettledStay => ({
  ...stay,
  paid: paidFen,
  discount: discountFen,
})

/**
 * A car at a lane: decided once, in three round trips (what is there, its right with the prices, what
 * changes), and answered the same whenever the message is reported again.
 */
export async function reportCar(tx: Tx, scope: Scope, report: Report, now: Moment): Promise<Answer> {
  const { laneId, passKey } = report
  const plateNo = report.plateNo ? normalizePlate(report.plateNo) : unlicensedName(laneId, passKey)
  const { at, isDoubtful } = eventTime(report.passTime, now, report.hasPassed ?? false)
  const { ownerId } = scope
  const { lane, ...found } = await findLaneFacts(tx, { ownerId, laneId, passKey, plateNo, at })
  if (!lane) throw notFound()
  requireProject(scope.domain, lane.projectCode)
  if (found.event) return answerOf(found.event)
  assertInUse(lane)
  publishLanes(tx, ownerId)
  const way = wayOf(report, lane)
  if (way === 'out' && !report.plateNo) {
    refuseField('PlateNo', '出场请填写车牌；无牌车填写入场时的编号')
  }
  const facts = { ...found, lane }
  const passage: Passage = { lane, passKey, way, plateNo, carKind: 'temp', at, isDoubtful }
  const { projectCode, parkId } = lane
  const rightsFound = findMonthRight(tx, ownerId, projectCode, parkId, [plateNo], at)
  const rightOf = async () => defined((await rightsFound).get(plateNo))
  if (way === 'in') return writeEntry(tx, scope, facts, passage, await rightOf(), report)
  const [right, rules, kindOfDay, coupons] = await Promise.all([
    rightOf(),
    findFeeRules(tx, scope, [parkId]),
    loadDayKinds(tx, ownerId),
    stayCoupons().find(tx, ownerId, {
      parkId,
      plateNos: [plateNo],
      day: dayOfMoment(at),
      stayIds: found.stays.map(stay => stay.id),
      lock: true,
    }),
  ])
  const isHoliday = (day: Day): boolean => kindOfDay(day) === 'rest'
  return writeExit(tx, scope, facts, passage, right, report, {
    rules,
    isHoliday,
    coupons: coupons.get(plateNo),
  })
}

export const passageHandlers = [
  writes(reportPassage, (report, { tx, scope, now }) => reportCar(tx, scope, report, now)),
]
