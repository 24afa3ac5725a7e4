import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { addMinutes, dayOfMoment, startOfDay, type Moment } from '#kit/domain/moment.ts'
import { startValues } from '#kit/server/crud-write.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findAll, insertAll, requireById } from '#kit/server/table.ts'
import { inspectionFinding, type InspectionFinding } from '#modules/room-inspection/contract/finding.ts'
import { roomInspection } from '#modules/room-inspection/contract/inspection.ts'
import {
  inspectionItem,
  inspectionStandard,
  type InspectionItem,
} from '#modules/room-inspection/contract/standard.ts'
import type { InspectionState } from '#modules/room-inspection/domain/inspection.ts'
import { standardSets } from '#modules/room-inspection/domain/standard-sets.ts'
import { sheetPrefix } from '#modules/room-inspection/server/batch.ts'
import { findRectificationType, itemsOfStandard } from '#modules/room-inspection/server/standard.ts'
import { orderType } from '#modules/work-orders/contract/order-type.ts'
import { workOrder } from '#modules/work-orders/contract/work-order.ts'
import { computeClocks } from '#modules/work-orders/domain/clocks.ts'
import { limitsOf } from '#modules/work-orders/domain/limits.ts'
import { loadCalendar } from '#modules/work-orders/server/order-types.ts'
import { orderPrefix } from '#modules/work-orders/server/registration.ts'
import { clockColumns } from '#modules/work-orders/server/transition.ts'
import { addChecks } from './inspection-checks.ts'
import type { PlannedStep } from './work-order-history.ts'
import { covers, type Handler } from './work-orders.ts'
import { insertHistories, type SeededOrder } from './work-order-rows.ts'
import { codes } from '#kit/server/sql.ts'
import { roomState } from '#modules/rooms/contract/labels.ts'

interface Sheet {
  readonly state: InspectionState
  readonly room: { readonly code: string; readonly buildCode: string; readonly path: string }
  readonly standardId: Id
  readonly start: Moment
  readonly inspector: Handler
  readonly problems: readonly string[]
}

/** How many sheets are in each state. */
const plan: readonly (readonly [InspectionState, count: number])[] = [
  ['waiting', 12],
  ['inspecting', 4],
  ['passed', 10],
  ['rectifying', 5],
  ['rectified', 4],
  ['recheckPassed', 5],
]

const problems = [
  '表面划伤，需更换',
  '安装松动，有异响',
  '局部渗水',
  '空鼓面积约 0.2 平方米',
  '接缝不严，漏风',
]

const hasProblems = (state: InspectionState): boolean =>
  state === 'rectifying' || state === 'rectified' || state === 'recheckPassed'

async function addStandards(tx: Tx, scope: Scope): Promise<Id[]> {
  const orderTypeId = await findRectificationType(tx, scope)
  const presets = [standardSets.bare, standardSets.decorated]
  const ids = await insertAll(
    tx,
    inspectionStandard,
    scope,
    presets.map(({ items: _, ...preset }) => ({ ...preset, orderTypeId, state: 'on' as const })),
  )
  await insertAll(
    tx,
    inspectionItem,
    scope,
    presets.flatMap((preset, i) =>
      preset.items.map((item, at) => ({ ...item, standardId: ids[i], sort: (at + 1) * 10 })),
    ),
  )
  return ids
}

/** What was seen of each item, as far as the sheet has come; the first ones are its problems. */
const findingsOf = (project: string, inspectionId: Id, sheet: Sheet, items: readonly InspectionItem[]) =>
  items.map((item, i) => {
    const problem = sheet.problems[i]
    const isJudged = sheet.state !== 'inspecting' || i < items.length / 2
    const isFixed = sheet.state !== 'rectifying'
    return {
      projectCode: project,
      inspectionId,
      itemId: item.id,
      part: item.part,
      itemName: item.itemName,
      method: item.method,
      sort: item.sort,
      ...(isJudged ? { result: problem ? ('problem' as const) : ('passed' as const) } : {}),
      ...(problem ? { problem } : {}),
      ...(problem && isFixed ? { fixTime: addMinutes(sheet.start, 2880) } : {}),
      ...(problem && sheet.state === 'recheckPassed' ? { recheckResult: 'passed' as const } : {}),
    }
  })

const roomValues = ({ code: roomCode, buildCode, path: address }: Sheet['room']) => ({
  roomCode,
  buildCode,
  address,
})

/** What an order says of the problem it mends. */
const findingValues = ({ id, part, itemName, problem, fixTime }: InspectionFinding) => ({
  title: `验房整改：${part}${itemName}`,
  content: `${part}「${itemName}」：${problem}`,
  source: 'inspection' as const,
  refType: 'inspectionFinding',
  refId: id,
  ...(fixTime ? { finishTime: fixTime, endTime: fixTime, resultText: '已整改' } : {}),
})

async function insertOrders(tx: Tx, scope: Scope, orders: readonly SeededOrder[]): Promise<void> {
  const ids = await insertAll(
    tx,
    workOrder,
    scope,
    orders.map(order => order.values),
  )
  await insertHistories(tx, scope, orders, ids)
  await tx.execute(sql`
    update inspection_finding f
    set work_order_id = o.id
    from work_order o
    where f.owner_id = ${scope.ownerId}
      and o.owner_id = ${scope.ownerId}
      and o.ref_type = 'inspectionFinding'
      and o.ref_id = f.id
  `)
}

const mended = { action: 'close', to: 'closed', content: '整改完成' } as const

/** The orders of the problems: waiting to be dispatched, or completed. */
async function addOrders(
  tx: Tx,
  scope: Scope,
  project: string,
  sheets: ReadonlyMap<Id, Sheet>,
): Promise<void> {
  const found = await findAll(
    tx,
    inspectionFinding,
    scope,
    {},
    { where: [sql`t.problem is not null and t.project_code = ${project}`] },
  )
  const orders: SeededOrder[] = []
  const typeId = defined(await findRectificationType(tx, scope))
  const type = await requireById(tx, orderType, scope, typeId)
  const limits = limitsOf(type, type.category, 'normal')
  const typeValues = { typeId, typeName: type.typeName, category: type.category }
  const calendar = await loadCalendar(tx, scope.ownerId, limits)
  for (const finding of found) {
    const { room, start, inspector } = defined(sheets.get(finding.inspectionId))
    const at = addMinutes(start, 60)
    const steps: PlannedStep[] = [
      { action: 'register', to: 'waiting', at },
      ...(finding.fixTime ? [{ ...mended, at: finding.fixTime }] : []),
    ]
    const orderNo = await tx.numbers.next(scope.ownerId, orderPrefix, dayOfMoment(at))
    const clocks = computeClocks(steps, limits, calendar, finding.fixTime ?? at)
    orders.push({
      steps,
      lines: [],
      values: {
        ...startValues(workOrder),
        ...clockColumns(undefined, clocks),
        ...typeValues,
        ...roomValues(room),
        ...findingValues(finding),
        projectCode: project,
        orderNo,
        level: 'normal',
        state: defined(steps.at(-1)).to,
        registerTime: at,
        registrarId: inspector.id,
        registrarName: inspector.name,
        limits,
      },
    })
  }
  await insertOrders(tx, scope, orders)
}

/** Two standards, and forty sheets in every state. */
async function sheetValues(tx: Tx, scope: Scope, project: string, sheet: Sheet) {
  const isStarted = sheet.state !== 'waiting'
  const isEnded = isStarted && sheet.state !== 'inspecting'
  return {
    projectCode: project,
    sheetNo: await tx.numbers.next(scope.ownerId, sheetPrefix, dayOfMoment(sheet.start)),
    roomCode: sheet.room.code,
    buildCode: sheet.room.buildCode,
    standardId: sheet.standardId,
    round: 1,
    recheckCount: sheet.state === 'recheckPassed' ? 1 : 0,
    inspectorId: sheet.inspector.id,
    planDate: dayOfMoment(sheet.start),
    ...(isStarted ? { startTime: sheet.start } : {}),
    ...(isEnded
      ? {
          endTime: addMinutes(sheet.start, 50),
          ownerPresent: false,
          meters: [
            { name: '水表', reading: '0.6' },
            { name: '电表', reading: '12.3' },
          ],
        }
      : {}),
    problemCount: sheet.problems.length,
    openCount: sheet.state === 'recheckPassed' ? 0 : sheet.problems.length,
    state: sheet.state,
  }
}

export async function seedInspections(
  tx: Tx,
  scope: Scope,
  project: string,
  inspectors: readonly Handler[],
  now: Moment,
): Promise<void> {
  const standards = await addStandards(tx, scope)
  const items = await Promise.all(standards.map(id => itemsOfStandard(tx, scope, id)))
  const rooms = await tx.rows<Sheet['room']>(sql`
    select code, build_code, path
    from room
    where owner_id = ${scope.ownerId} and project_code = ${project} and delete_tag = 0
    order by room_state in ${codes(roomState, 'unsold', 'pending')} desc, sort_key
    limit 40
  `)
  const states = plan.flatMap(([state, count]) => Array.from({ length: count }, () => state))
  const sheets = rooms.map((room, i): Sheet => {
    const state = defined(states[i])
    return {
      state,
      room,
      standardId: defined(standards[i % 2]),
      start: addMinutes(startOfDay(dayOfMoment(now)), 540 + (i % 8) * 60 - (3 + Math.floor(i / 2)) * 1440),
      inspector: defined(inspectors.find(person => covers(person, project, room.buildCode))),
      problems: hasProblems(state) ? problems.slice(0, 1 + (i % 3)) : [],
    }
  })
  const ids = await insertAll(
    tx,
    roomInspection,
    scope,
    await Promise.all(sheets.map(sheet => sheetValues(tx, scope, project, sheet))),
  )
  const byId = new Map(ids.map((id, i) => [id, defined(sheets[i])]))
  await insertAll(
    tx,
    inspectionFinding,
    scope,
    [...byId].flatMap(([id, sheet]) =>
      sheet.state === 'waiting'
        ? []
        : findingsOf(project, id, sheet, defined(items[standards.indexOf(sheet.standardId)])),
    ),
  )
  await addOrders(tx, scope, project, byId)
  await addChecks(tx, scope, ids)
}
