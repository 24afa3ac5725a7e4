import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { asFen, sumFen } from '#kit/domain/money.ts'
import { addMinutes, dayOfMoment, type Moment } from '#kit/domain/moment.ts'
import { startValues } from '#kit/server/crud-write.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findAll, insertAll } from '#kit/server/table.ts'
import { orderType, type OrderType } from '#modules/work-orders/contract/order-type.ts'
import { orderRole, personConfig } from '#modules/work-orders/contract/person-config.ts'
import { orderNotify, timeWarning } from '#modules/work-orders/contract/settings.ts'
import { workOrder } from '#modules/work-orders/contract/work-order.ts'
import { computeClocks } from '#modules/work-orders/domain/clocks.ts'
import { limitsOf } from '#modules/work-orders/domain/limits.ts'
import { typeSets } from '#modules/work-orders/domain/type-sets.ts'
import { loadCalendar } from '#modules/work-orders/server/order-types.ts'
import { addTypes } from '#modules/work-orders/server/order-type.ts'
import { orderPrefix } from '#modules/work-orders/server/registration.ts'
import { clockColumns } from '#modules/work-orders/server/transition.ts'
import { planHistory, storyOf, type PlannedStep } from './work-order-history.ts'
import { seededRandom } from './random.ts'
import { textsOf } from './work-order-texts.ts'
import { insertCosts, insertHistories, insertRatings, type SeededOrder } from './work-order-rows.ts'

export interface Handler {
  readonly id: Id
  readonly name: string
  /** Buildings by project, `null` all of it; without, they have all projects. */
  readonly domain?: Readonly<Record<string, readonly string[] | null>> | undefined
}

/**
 * Nobody has an order that they do not see: what is in no building is for somebody who has the whole
 * project.
 */
export const covers = ({ domain }: Handler, project: string, buildCode?: string): boolean => {
  const buildings = domain ? domain[project] : null
  return buildings === null || (buildCode !== undefined && buildings?.includes(buildCode) === true)
}

export interface WorkOrderPlan {
  readonly project: string
  readonly set: keyof typeof typeSets
  readonly count: number
  readonly handlers: readonly Handler[]
  readonly now: Moment
  /** Orders of rooms that others still work with; without, orders have a written address. */
  readonly hasRooms: boolean
  /** No order whose clocks run on: nothing of it changes by itself. */
  readonly onlyEnded?: boolean
}

interface Place {
  readonly roomCode?: string
  readonly buildCode?: string
  readonly address: string
  readonly reporterName?: string
  readonly reporterPhone?: string
}

const findPlaces = (tx: Tx, ownerId: Id, project: string): Promise<Place[]> =>
  tx.rows<Place>(sql`
    select r.code as room_code, r.build_code, r.path as address, u.name as reporter_name,
      u.mobile as reporter_phone
    from room r
    join user_room l on l.owner_id = ${ownerId} and l.room_id = r.id and l.delete_tag = 0
    join resident u on u.owner_id = ${ownerId} and u.id = l.user_id and u.delete_tag = 0
    where r.owner_id = ${ownerId} and r.project_code = ${project} and r.delete_tag = 0
    order by r.sort_key, u.id
    limit 400
  `)

type Random = (n: number) => number

const costOf = (type: OrderType, random: Random): SeededOrder['lines'] => {
  if (!type.isCharge || !type.prices?.length) return []
  const labour = defined(type.prices[0])
  const material = defined(type.prices[random(type.prices.length)])
  return [
    { kind: 'labour', name: labour.name, price: labour.price },
    ...(material === labour
      ? []
      : [{ kind: 'material' as const, name: material.name, price: material.price }]),
  ]
}

const endStates: readonly string[] = ['completed', 'closed', 'rejected', 'cancelled']

/** When a step was last taken. */
const lastMoment = (steps: readonly PlannedStep[], action: PlannedStep['action']): Moment | undefined =>
  steps.findLast(step => step.action === action)?.at

const countSteps = (steps: readonly PlannedStep[], action: PlannedStep['action']): number =>
  steps.filter(step => step.action === action).length

/** Who was given the order, and when it was accepted and reached. */
const handlerValues = (scope: Scope, handler: Handler, steps: readonly PlannedStep[]) => ({
  handlerId: handler.id,
  handlerName: handler.name,
  dispatcherId: scope.operatorId,
  dispatcherName: scope.name,
  dispatchTime: lastMoment(steps, 'dispatch') ?? lastMoment(steps, 'grab'),
  acceptTime: lastMoment(steps, 'accept') ?? lastMoment(steps, 'grab'),
  arriveTime: lastMoment(steps, 'arrive'),
})

const suspendValues = (now: Moment) => ({
  suspendReason: '等待配件到货',
  resumeTime: addMinutes(now, 600),
})

const costValues = (lines: SeededOrder['lines'], isFree: boolean) => ({
  laborCost: asFen(lines.find(line => line.kind === 'labour')?.price ?? 0),
  materialCost: asFen(lines.find(line => line.kind === 'material')?.price ?? 0),
  totalCost: sumFen(lines.map(line => asFen(line.price))),
  isWarranty: lines.length > 0 && isFree,
  payState: lines.length ? (isFree ? ('free' as const) : ('unpaid' as const)) : undefined,
})

/** One order with its history, its clocks computed from it like those of any other. */
async function planOrder(
  tx: Tx,
  scope: Scope,
  plan: WorkOrderPlan,
  type: OrderType,
  place: Place,
  i: number,
  random: Random,
): Promise<SeededOrder> {
  const story = storyOf(i, plan.onlyEnded === true)
  const able = plan.handlers.filter(person => covers(person, plan.project, place.buildCode))
  const handler = defined(able[random(able.length)])
  const level = random(6) ? 'normal' : random(3) ? 'urgent' : 'critical'
  const limits = limitsOf(type, type.category, level)
  const steps = planHistory(story, plan.now, handler, random)
  const clocks = computeClocks(steps, limits, await loadCalendar(tx, scope.ownerId, limits), plan.now)
  const state = defined(steps.at(-1)).to
  const isFree = state !== 'unpaid'
  // The bills of what was paid are the cashier's: only what waits for its payment costs something.
  const isPriced = state === 'unpaid' || (plan.onlyEnded === true && ['unrated', 'completed'].includes(state))
  const lines = isPriced ? costOf(type, random) : []
  const hasHandler = steps.some(step => step.action === 'dispatch' || step.action === 'grab')
  const texts = textsOf(type.typeCode)
  const content = defined(texts[random(texts.length)])
  return {
    steps,
    lines,
    values: {
      ...startValues(workOrder),
      ...clockColumns(undefined, clocks),
      ...place,
      projectCode: plan.project,
      orderNo: await tx.numbers.next(scope.ownerId, orderPrefix, dayOfMoment(defined(steps[0]).at)),
      typeId: type.id,
      typeName: type.typeName,
      category: type.category,
      source: defined((['phone', 'reception', 'resident', 'staff'] as const)[random(4)]),
      title: content,
      content,
      level,
      state,
      registerTime: defined(steps[0]).at,
      registrarId: scope.operatorId,
      registrarName: scope.name,
      ...(hasHandler && state !== 'waiting' ? handlerValues(scope, handler, steps) : {}),
      denyCount: countSteps(steps, 'deny'),
      reworkCount: countSteps(steps, 'checkReject'),
      expediteCount: countSteps(steps, 'expedite'),
      lastExpediteTime: lastMoment(steps, 'expedite'),
      finishTime: lastMoment(steps, 'finish'),
      resultText: lastMoment(steps, 'finish') ? '已现场处理，恢复正常' : undefined,
      endTime: endStates.includes(state) ? defined(steps.at(-1)).at : undefined,
      evaluateEntered: state === 'unrated' ? lastMoment(steps, 'finish') : undefined,
      ...(state === 'suspended' ? suspendValues(plan.now) : {}),
      ...costValues(lines, isFree),
      ...(state === 'completed' ? { score: story.score, isDefaultScore: story.isDefault === true } : {}),
      limits,
    },
  }
}

/** Who handles what, and who is notified when. */
async function seedSettings(tx: Tx, scope: Scope, plan: WorkOrderPlan, internal: Id): Promise<void> {
  const managerIds = plan.handlers
    .filter(({ domain }) => !domain || plan.project in domain)
    .map(handler => String(handler.id))
  await insertAll(tx, personConfig, scope, [
    {
      projectCode: plan.project,
      typeId: plan.hasRooms ? undefined : internal,
      managerIds,
      maxOpen: 30,
      onlyOnDuty: false,
      remark: '全部类型',
    },
  ])
}

/** Once for a company: the types, a role, warnings and somebody who is notified of what is late. */
export async function seedOrderCompany(
  tx: Tx,
  scope: Scope,
  sets: readonly WorkOrderPlan['set'][],
  handlers: readonly Handler[],
): Promise<void> {
  for (const set of sets) {
    await addTypes(tx, scope, typeSets[set])
  }
  const [internal] = await findAll(tx, orderType, scope, {}, { where: [sql`t.type_code = 'RW'`], limit: 1 })
  await insertAll(tx, orderRole, scope, [
    {
      roleName: '维修组',
      managerIds: handlers.map(handler => String(handler.id)),
      typeIds: [],
      visibility: 'domain' as const,
    },
  ])
  await insertAll(tx, timeWarning, scope, [
    {
      typeId: internal?.id,
      stage: 'response' as const,
      offsetMinutes: -10,
      receivers: ['dispatcher'] as const,
      channels: ['site'] as const,
    },
    {
      typeId: internal?.id,
      stage: 'finish' as const,
      offsetMinutes: 0,
      receivers: ['handler', 'supervisor'] as const,
      channels: ['site'] as const,
    },
  ])
  await insertAll(tx, orderNotify, scope, [
    { managerId: scope.operatorId, events: ['overtime', 'lowScore'] as const, isOn: true },
  ])
}

/** Orders of a project over the last 60 days, in every state. */
export async function seedWorkOrders(tx: Tx, scope: Scope, plan: WorkOrderPlan): Promise<void> {
  const random = seededRandom(plan.count + plan.project.length)
  const codes = new Set(typeSets[plan.set].map(type => type.code))
  const types = (await findAll(tx, orderType, scope)).filter(type => codes.has(type.typeCode ?? ''))
  // What waits for its payment costs something.
  const charging = types.filter(type => type.isCharge && type.prices?.length)
  const places = plan.hasRooms ? await findPlaces(tx, scope.ownerId, plan.project) : []
  const orders: SeededOrder[] = []
  for (let i = 0; i < plan.count; i++) {
    const drawn = defined(types[random(types.length)])
    const isDue = storyOf(i, plan.onlyEnded === true).moves.at(-1)?.[1] === 'unpaid'
    const type = isDue ? (charging[i % charging.length] ?? drawn) : drawn
    const isPublic = type.category === 'publicRepair' || type.category === 'internal'
    const room = places.length && !isPublic ? places[random(places.length)] : undefined
    orders.push(await planOrder(tx, scope, plan, type, room ?? { address: '小区公共区域' }, i, random))
  }
  orders.sort((a, b) => (defined(a.values.registerTime) < defined(b.values.registerTime) ? -1 : 1))
  const ids = await insertAll(
    tx,
    workOrder,
    scope,
    orders.map(order => order.values),
  )
  await insertHistories(tx, scope, orders, ids)
  await insertCosts(tx, scope, orders, ids)
  await insertRatings(tx, scope, orders, ids)
  const internal = defined((await findAll(tx, orderType, scope)).find(type => type.typeCode === 'RW'))
  await seedSettings(tx, scope, plan, internal.id)
}
