import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { asFen, sumFen } from '#kit/domain/money.ts'
import { addMinutes, addDaysToMoment, dayOfMoment, type Moment } from '#kit/domain/moment.ts'
import { startValues } from '#kit/server/crud-write.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { searchTextOf } from '#kit/server/search-column.ts'
import { findAll, insertAll } from '#kit/server/table.ts'
import { charge, chargeLine } from '#modules/work-orders/contract/charge.ts'
import { evaluation, visit } from '#modules/work-orders/contract/evaluation.ts'
import { orderType, type OrderType } from '#modules/work-orders/contract/order-type.ts'
import { orderRole, personConfig } from '#modules/work-orders/contract/person-config.ts'
import { orderRecord } from '#modules/work-orders/contract/record.ts'
import { orderNotify, timeWarning } from '#modules/work-orders/contract/settings.ts'
import { workOrder, type WorkOrder } from '#modules/work-orders/contract/work-order.ts'
import { computeClocks } from '#modules/work-orders/domain/clocks.ts'
import { lineAmount } from '#modules/work-orders/domain/cost.ts'
import { limitsOf } from '#modules/work-orders/domain/limits.ts'
import { typeSets } from '#modules/work-orders/domain/type-sets.ts'
import { loadCalendar } from '#modules/work-orders/server/order-types.ts'
import { addTypes } from '#modules/work-orders/server/order-type.ts'
import { orderPrefix, orderSearchText } from '#modules/work-orders/server/registration.ts'
import { clockColumns } from '#modules/work-orders/server/transition.ts'
import { planHistory, storyOf, type PlannedStep } from './work-order-history.ts'
import { seededRandom } from './seed-estate.ts'

interface Person {
  readonly id: Id
  readonly name: string
}

export interface WorkOrderPlan {
  readonly project: string
  readonly set: keyof typeof typeSets
  readonly count: number
  readonly handlers: readonly Person[]
  readonly now: Moment
  /** Orders of rooms that others still work with; without, orders say their place in words. */
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

const complaints: Readonly<Record<string, readonly string[]>> = {
  repair: ['厨房水龙头滴水，需要更换', '卫生间下水堵塞', '客厅开关没有反应', '入户门锁卡住', '空调不制冷'],
  publicRepair: ['走廊照明不亮', '电梯运行有异响', '大堂玻璃门关不严', '地库积水'],
  complaint: ['夜间装修噪音', '楼道堆放杂物', '车辆乱停影响通行', '保洁不及时'],
  suggestion: ['建议增加快递柜', '建议延长健身房开放时间'],
  enquiry: ['咨询装修手续', '咨询车位办理'],
  internal: ['节前设备房巡查', '更换公告栏'],
}

interface SeededOrder {
  readonly values: Partial<WorkOrder>
  readonly steps: readonly PlannedStep[]
  readonly lines: readonly { kind: 'labour' | 'material'; name: string; price: number }[]
}

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
  const handler = defined(plan.handlers[random(plan.handlers.length)])
  const level = random(6) ? 'normal' : random(3) ? 'urgent' : 'critical'
  const limits = limitsOf(type, type.category, level)
  const steps = planHistory(story, plan.now, handler, random)
  const clocks = computeClocks(steps, limits, await loadCalendar(tx, scope.ownerId, limits), plan.now)
  const at = (action: PlannedStep['action']): Moment | undefined =>
    steps.findLast(step => step.action === action)?.at
  const state = defined(steps.at(-1)).to
  const lines = ['unpaid', 'unrated', 'completed'].includes(state) ? costOf(type, random) : []
  const cost = sumFen(lines.map(line => lineAmount({ quantity: '1', price: asFen(line.price) })))
  const isFree = state !== 'unpaid'
  const hasHandler = steps.some(step => step.action === 'dispatch' || step.action === 'grab')
  const content = defined(
    defined(complaints[type.category])[random(defined(complaints[type.category]).length)],
  )
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
      ...(hasHandler && state !== 'waiting'
        ? {
            handlerId: handler.id,
            handlerName: handler.name,
            dispatcherId: scope.operatorId,
            dispatcherName: scope.name,
            dispatchTime: at('dispatch') ?? at('grab'),
            acceptTime: at('accept') ?? at('grab'),
            arriveTime: at('arrive'),
          }
        : {}),
      denyCount: steps.filter(step => step.action === 'deny').length,
      reworkCount: steps.filter(step => step.action === 'checkReject').length,
      expediteCount: steps.filter(step => step.action === 'expedite').length,
      lastExpediteTime: at('expedite'),
      finishTime: at('finish'),
      resultText: at('finish') ? '已现场处理，恢复正常' : undefined,
      endTime: ['completed', 'closed', 'rejected', 'cancelled'].includes(state)
        ? defined(steps.at(-1)).at
        : undefined,
      evaluateEntered: state === 'unrated' ? at('finish') : undefined,
      ...(state === 'suspended'
        ? { suspendReason: '等待配件到货', resumeTime: addMinutes(plan.now, 600) }
        : {}),
      laborCost: asFen(lines.find(line => line.kind === 'labour')?.price ?? 0),
      materialCost: asFen(lines.find(line => line.kind === 'material')?.price ?? 0),
      totalCost: cost,
      isWarranty: lines.length > 0 && isFree,
      payState: lines.length ? (isFree ? 'free' : 'unpaid') : undefined,
      ...(state === 'completed' ? { score: story.score, isDefaultScore: story.isDefault === true } : {}),
      limits,
    },
  }
}

const ofOrder = (order: SeededOrder, orderId: Id) => ({
  projectCode: defined(order.values.projectCode),
  orderId,
  buildCode: order.values.buildCode,
})

async function insertHistories(
  tx: Tx,
  scope: Scope,
  orders: readonly SeededOrder[],
  ids: readonly Id[],
): Promise<void> {
  const records = orders.flatMap((order, i) =>
    order.steps.map((step, k) => ({
      projectCode: defined(order.values.projectCode),
      orderId: defined(ids[i]),
      action: step.action,
      fromState: k ? defined(order.steps[k - 1]).to : undefined,
      toState: step.to,
      actionTime: step.at,
      actor: step.isRequester ? ('requester' as const) : ('staff' as const),
      operatorName: step.isRequester ? (order.values.reporterName ?? '业主') : (step.by?.name ?? scope.name),
      operatorId: step.isRequester ? undefined : (step.by?.id ?? scope.operatorId),
      content: step.content,
      personName: step.person?.name,
      personId: step.person?.id,
    })),
  )
  await insertAll(tx, orderRecord, scope, records)
  await tx.execute(sql`
    update work_order t
    set search_text = r.text
    from unnest(
      ${[...ids]}::bigint[], ${orders.map(order => searchTextOf(orderSearchText, order.values))}::text[]
    ) as r(id, text)
    where t.owner_id = ${scope.ownerId} and t.id = r.id
  `)
  const people = orders.flatMap((order, i) =>
    [...new Set([scope.operatorId, order.values.handlerId ?? scope.operatorId])].map(manager => ({
      project: defined(order.values.projectCode),
      order: defined(ids[i]),
      manager,
      isUnread: manager !== scope.operatorId && order.values.endTime === undefined,
    })),
  )
  await tx.execute(sql`
    insert into work_order_person (owner_id, project_code, order_id, manager_id, is_unread)
    select ${scope.ownerId}::bigint, *
    from unnest(
      ${people.map(p => p.project)}::text[], ${people.map(p => p.order)}::bigint[],
      ${people.map(p => p.manager)}::bigint[], ${people.map(p => p.isUnread)}::boolean[]
    )
    returning order_id
  `)
}

async function insertCosts(
  tx: Tx,
  scope: Scope,
  orders: readonly SeededOrder[],
  ids: readonly Id[],
): Promise<void> {
  const priced = orders.flatMap((order, i) => (order.lines.length ? [{ order, id: defined(ids[i]) }] : []))
  const chargeIds = await insertAll(
    tx,
    charge,
    scope,
    priced.map(({ order, id }) => ({
      ...ofOrder(order, id),
      chargeKind: 'repair' as const,
      amount: order.values.isWarranty ? asFen(0) : (order.values.totalCost ?? asFen(0)),
      discountAmount: asFen(0),
      paidAmount: asFen(0),
      state: order.values.isWarranty ? ('free' as const) : ('unpaid' as const),
      chargeTime: order.values.finishTime,
    })),
  )
  await insertAll(
    tx,
    chargeLine,
    scope,
    priced.flatMap(({ order, id }, i) =>
      order.lines.map(line => ({
        ...ofOrder(order, id),
        chargeId: defined(chargeIds[i]),
        lineKind: line.kind,
        name: line.name,
        quantity: '1',
        price: asFen(line.price),
        amount: asFen(line.price),
        useTime: order.values.finishTime,
      })),
    ),
  )
}

async function insertRatings(
  tx: Tx,
  scope: Scope,
  orders: readonly SeededOrder[],
  ids: readonly Id[],
): Promise<void> {
  const rated = orders.flatMap((order, i) =>
    order.values.score === undefined ? [] : [{ order, id: defined(ids[i]), score: order.values.score }],
  )
  await insertAll(
    tx,
    evaluation,
    scope,
    rated.map(({ order, id, score }) => ({
      ...ofOrder(order, id),
      handlerId: order.values.handlerId,
      score,
      speedScore: score,
      attitudeScore: Math.min(5, score + 1),
      qualityScore: score,
      content: score <= 2 ? '处理太慢，问题没有解决' : undefined,
      isDefault: order.values.isDefaultScore === true,
      evaluateTime: order.values.endTime,
      evaluatorName: order.values.isDefaultScore ? '系统' : (order.values.reporterName ?? '业主'),
    })),
  )
  await insertAll(
    tx,
    visit,
    scope,
    rated
      .filter(({ order, score }) => score <= 2 || order.values.category === 'complaint')
      .map(({ order, id, score }, i) => ({
        ...ofOrder(order, id),
        reason: score <= 2 ? ('lowScore' as const) : ('mandatory' as const),
        state: i % 3 ? ('done' as const) : ('waiting' as const),
        dueTime: addDaysToMoment(defined(order.values.endTime), 1),
        ...(i % 3
          ? {
              result: 'satisfied' as const,
              content: '已电话回访，业主表示满意',
              visitTime: addMinutes(defined(order.values.endTime), 300),
              visitorName: scope.name,
            }
          : {}),
      })),
  )
}

/** Who handles what, and who is told when. */
async function seedSettings(tx: Tx, scope: Scope, plan: WorkOrderPlan, internal: Id): Promise<void> {
  const managerIds = plan.handlers.map(handler => String(handler.id))
  await insertAll(tx, personConfig, scope, [
    {
      projectCode: plan.project,
      typeId: plan.hasRooms ? undefined : internal,
      managerIds,
      maxOpen: 20,
      onlyOnDuty: false,
      remark: '全部类型',
    },
  ])
}

/** Once for a company: the types, a role, warnings and somebody who is told of what is late. */
export async function seedOrderCompany(
  tx: Tx,
  scope: Scope,
  sets: readonly WorkOrderPlan['set'][],
  handlers: readonly Person[],
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
  const places = plan.hasRooms ? await findPlaces(tx, scope.ownerId, plan.project) : []
  const orders: SeededOrder[] = []
  for (let i = 0; i < plan.count; i++) {
    const type = defined(types[random(types.length)])
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
