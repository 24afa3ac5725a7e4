import { invalidField, Refused, refuse, resultCode } from '#kit/contract/wire.ts'
import { labelOf } from '#kit/contract/field.ts'
import type { Id } from '#kit/domain/id.ts'
import { type Moment, addDaysToMoment } from '#kit/domain/moment.ts'
import type { Db } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { dispatchMode } from '../contract/choices.ts'
import type { WorkOrder } from '../contract/work-order.ts'
import { canApply, stateAfterWork } from '../domain/order-actions.ts'
import { loadFunctions } from './function-settings.ts'
import { billWhenDue } from './order-bill.ts'
import { saveCost, type CostInput } from './order-cost.ts'
import { nameOrder, tellAccounts, tellSubscribers, tellSupervisors } from './notices.ts'
import { assertFiles } from './registration.ts'
import type { OrderContext } from './order-context.ts'
import { loadTypes } from './order-types.ts'
import { rankForOrder } from './receivers.ts'
import { findReworkRefusal, takeUpAgain } from './rework.ts'
import { applyStep } from './transition.ts'

/** Only who handles an order may go on with it; the refusal says who that is. */
export function assertAssignee({ actor }: OrderContext, order: WorkOrder): void {
  if (actor.kind === 'staff' && order.handlerId === actor.id) return
  throw new Refused(
    resultCode.forbidden,
    order.handlerId
      ? `工单由${order.handlerName ?? '他人'}处理，只有处理人可以办理；需要换人时请派单人改派`
      : '工单尚未派给处理人，请先派单或抢单',
  )
}

/** What was done without a network happened earlier, within a day. */
function timeOfWork({ now }: OrderContext, doneTime: Moment | undefined): Moment {
  if (doneTime === undefined) return now
  if (doneTime > now) throw invalidField('DoneTime', '实际时间不能晚于现在')
  if (doneTime < addDaysToMoment(now, -1)) throw invalidField('DoneTime', '实际时间不能早于一天之前')
  return doneTime
}

/** Why somebody may not take a waiting order of their own accord (C12.1); nothing where they may. */
export async function findGrabRefusal(
  { db, scope, now }: { readonly db: Db; readonly scope: Scope; readonly now: Moment },
  order: WorkOrder,
  managerId: Id,
): Promise<string | undefined> {
  const type = (await loadTypes(db, scope)).get(order.typeId)
  if (type?.dispatchMode !== 'grab')
    return `「${order.typeName}」的派单方式为「${labelOf(dispatchMode, type?.dispatchMode ?? 'manual')}」，由派单人派单`
  const { denyLimit } = await loadFunctions(db, scope.ownerId)
  if (order.denyCount >= denyLimit.value) return `工单已被拒 ${order.denyCount} 次，须由主管派单`
  const people = await rankForOrder(db, scope.ownerId, order, order.typeId, now)
  const person = people.find(p => p.managerId === managerId)
  return person ? person.refusal : '数据范围不含该位置，或没有接单权限'
}

/** Two at once: the first has it, the other reads who has it. */
export async function grab(c: OrderContext, order: WorkOrder): Promise<WorkOrder> {
  const { tx, scope, actor, now } = c
  if (order.state !== 'waiting' && order.handlerId)
    refuse(`工单已由${order.handlerName ?? '他人'}接单，请选择其他工单`)
  const refusal = await findGrabRefusal({ db: tx, scope, now }, order, actor.id)
  if (refusal && canApply('grab', order.state)) refuse(`不能抢单：${refusal}`)
  return applyStep(c, order, {
    action: 'grab',
    to: 'processing',
    person: { id: actor.id, name: actor.name },
    set: { handlerId: actor.id, handlerName: actor.name, dispatchTime: now, acceptTime: now },
  })
}

export async function accept(c: OrderContext, order: WorkOrder, doneTime?: Moment): Promise<WorkOrder> {
  if (order.state === 'dispatched') {
    assertAssignee(c, order)
  }
  const at = timeOfWork(c, doneTime)
  return applyStep(c, order, { action: 'accept', to: 'processing', at, set: { acceptTime: at } })
}

export async function arrive(
  c: OrderContext,
  order: WorkOrder,
  input: {
    readonly remark?: string | undefined
    readonly photos?: readonly string[] | undefined
    readonly doneTime?: Moment | undefined
  },
): Promise<WorkOrder> {
  if (order.state === 'processing') {
    assertAssignee(c, order)
  }
  if (order.arriveTime !== undefined) refuse(`已在 ${order.arriveTime} 登记到场`)
  await assertFiles(c.app, c.scope.ownerId, 'Photos', input.photos, 'image')
  const at = timeOfWork(c, input.doneTime)
  return applyStep(c, order, {
    action: 'arrive',
    at,
    content: input.remark,
    photos: input.photos,
    set: { arriveTime: at },
  })
}

export async function deny(c: OrderContext, order: WorkOrder, reason: string): Promise<WorkOrder> {
  if (order.handlerId) {
    assertAssignee(c, order)
  }
  const { denyLimit } = await loadFunctions(c.tx, c.scope.ownerId)
  if (order.denyCount >= denyLimit.value)
    refuse(`工单已被拒 ${order.denyCount} 次，不能再拒单；请联系主管改派`)
  const after = await applyStep(c, order, {
    action: 'deny',
    to: 'waiting',
    content: reason,
    set: {
      handlerId: undefined,
      handlerName: undefined,
      acceptTime: undefined,
      arriveTime: undefined,
      denyCount: order.denyCount + 1,
    },
  })
  const message = { title: `${c.actor.name}拒单：${nameOrder(after)}`, text: reason }
  await tellSubscribers(c, after, 'denied', message, { to: [order.dispatcherId], fallback: 'dispatch' })
  if (after.denyCount >= denyLimit.value) {
    await tellSupervisors(c, after, 'denied', {
      title: `工单已被拒 ${after.denyCount} 次，须由主管派单：${nameOrder(after)}`,
      text: reason,
    })
  }
  return after
}

export async function suspend(
  c: OrderContext,
  order: WorkOrder,
  {
    reason,
    resumeTime,
    doneTime,
  }: { readonly reason: string; readonly resumeTime: Moment; readonly doneTime?: Moment | undefined },
): Promise<WorkOrder> {
  if (order.state === 'processing') {
    assertAssignee(c, order)
  }
  const at = timeOfWork(c, doneTime)
  if (resumeTime <= at) throw invalidField('ResumeTime', '预计恢复时间应晚于现在')
  const after = await applyStep(c, order, {
    action: 'suspend',
    to: 'suspended',
    at,
    content: reason,
    deadline: resumeTime,
    set: { suspendReason: reason, resumeTime },
  })
  await tellAccounts(c, after, 'decided', [order.dispatcherId], {
    title: `工单挂起：${nameOrder(after)}`,
    text: reason,
  })
  return after
}

export async function resume(
  c: OrderContext,
  order: WorkOrder,
  { remark, doneTime }: { readonly remark?: string | undefined; readonly doneTime?: Moment | undefined } = {},
): Promise<WorkOrder> {
  if (order.state === 'suspended') {
    assertAssignee(c, order)
  }
  return applyStep(c, order, {
    action: 'resume',
    to: 'processing',
    at: timeOfWork(c, doneTime),
    content: remark,
  })
}

export interface FinishInput {
  readonly resultText: string
  readonly photos?: readonly string[] | undefined
  readonly lines?: CostInput['lines'] | undefined
  readonly doneTime?: Moment | undefined
}

export async function finish(c: OrderContext, order: WorkOrder, input: FinishInput): Promise<WorkOrder> {
  if (order.state === 'processing') {
    assertAssignee(c, order)
  }
  const { photoCount, needAccept } = order.limits
  const photos = input.photos ?? []
  if (order.state === 'processing' && photos.length < photoCount)
    throw invalidField('ResultPhotos', `完成该类型的工单至少上传 ${photoCount} 张照片`)
  await assertFiles(c.app, c.scope.ownerId, 'ResultPhotos', photos, 'image')
  const at = timeOfWork(c, input.doneTime)
  const cost =
    order.state === 'processing' && input.lines?.length
      ? await saveCost(c, order, { lines: input.lines, waiveCost: order.waiveCost })
      : undefined
  const payState = cost ? cost.payState : order.payState
  const to = stateAfterWork({ needsCheck: needAccept, isPayable: payState === 'unpaid' })
  const done = await applyStep(c, order, {
    action: 'finish',
    to,
    at,
    content: input.resultText,
    photos,
    set: {
      ...cost,
      resultText: input.resultText,
      resultPhotos: photos,
      finishTime: at,
    },
  })
  const after = await billWhenDue(c, done)
  await tellSubscribers(
    c,
    after,
    'finished',
    { title: `工单处理完成：${nameOrder(after)}`, text: input.resultText },
    { to: [order.registrarId] },
  )
  return after
}

/** The requester, or somebody of the company who did not do the work, says whether it is accepted. */
export async function check(
  c: OrderContext,
  order: WorkOrder,
  input: {
    readonly isPassed: boolean
    readonly reason?: string | undefined
    readonly photos?: readonly string[] | undefined
  },
): Promise<WorkOrder> {
  const { actor } = c
  if (actor.kind === 'staff' && order.handlerId === actor.id)
    refuse('处理人不能验收自己处理的工单，请由报事人或主管验收')
  await assertFiles(c.app, c.scope.ownerId, 'Photos', input.photos, 'image')
  if (input.isPassed) {
    const passed = await applyStep(c, order, {
      action: 'checkPass',
      to: stateAfterWork({ needsCheck: false, isPayable: order.payState === 'unpaid' }),
      content: input.reason,
      photos: input.photos,
    })
    return billWhenDue(c, passed)
  }
  const reason = requireReason(input.reason, '退回')
  const set = { reworkCount: order.reworkCount + 1, finishTime: undefined }
  const step = { action: 'checkReject', content: reason, photos: input.photos, set } as const
  return takeUpAgain(c, order, step, await findReworkRefusal(c, order))
}

/** G-10: two characters and more where something is refused. */
export function requireReason(reason: string | undefined, actionName: string): string {
  const text = reason?.trim() ?? ''
  if ([...text].length < 2) throw invalidField('Reason', `${actionName}时请填写原因，至少 2 个字`)
  return text
}
