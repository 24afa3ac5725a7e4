import { parseId, type Id } from '#kit/domain/id.ts'
import type { Call } from '#kit/contract/call.ts'
import { invalidField, notFound, refuse, Refused } from '#kit/contract/wire.ts'
import { labelOf } from '#kit/contract/field.ts'
import { writes, type Handler, type WriteContext } from '#kit/server/handler.ts'
import { requirePermission } from '#kit/server/scope.ts'
import { findByIds } from '#kit/server/table.ts'
import { orderState } from '../contract/choices.ts'
import {
  acceptOrder,
  arriveOrder,
  auditOrder,
  cancelOrder,
  checkOrder,
  closeOrder,
  decideClose as decideCloseCall,
  decideExtension as decideExtensionCall,
  denyOrder,
  dispatchOrder,
  dispatchOrders,
  expediteOrder,
  finishOrder,
  grabOrder,
  modifyCost,
  putOrderState,
  reopenOrder,
  requestExtension as requestExtensionCall,
  resumeOrder,
  setObservers,
  suspendOrder,
} from '../contract/order-actions.ts'
import { workOrder, type WorkOrder } from '../contract/work-order.ts'
import { actionToState, canApply, type OrderAction } from '../domain/order-actions.ts'
import { menu } from '../module.ts'
import { accountsOfStaff, assertCanRead } from './accounts.ts'
import { assertCanDispatch, dispatchByMode, dispatchTo } from './dispatching.ts'
import { auditPassed } from './audit-step.ts'
import { accept, arrive, check, deny, finish, grab, requireReason, resume, suspend } from './handling.ts'
import {
  cancel,
  close,
  decideClose,
  decideExtension,
  expedite,
  reopen,
  requestExtension,
} from './order-requests.ts'
import { changeCost } from './cost-change.ts'
import { staffContext, type OrderContext } from './order-context.ts'
import { requireOrder } from './order-access.ts'
import { lockMoney } from './payment.ts'
import { changeObservers } from './order-editing.ts'

type ActionRunner<I> = (c: OrderContext, order: WorkOrder, input: I) => Promise<WorkOrder>

/** The order is locked, and one that moves money after the cashier's day and the bills. */
async function runOn<I extends { readonly id: Id }>(
  context: WriteContext,
  input: I,
  chosen: ActionRunner<I>,
  options: { readonly movesMoney?: boolean } = {},
): Promise<WorkOrder> {
  const c = staffContext(context)
  if (options.movesMoney) {
    await lockMoney(c, input.id)
  }
  return chosen(c, await requireOrder(c.tx, c.scope, input.id, { lock: true }), input)
}

const actionHandler = <I extends { readonly id: Id }>(
  call: Call<I, WorkOrder>,
  chosen: ActionRunner<I>,
  options: { readonly movesMoney?: boolean } = {},
): Handler => writes(call, (input, context) => runOn(context, input, chosen, options))

interface TargetPerson {
  readonly handlerId?: Id | undefined
  readonly staffId?: Id | undefined
}

/** The account that somebody names, directly or by the employee. */
async function accountOf({ tx, scope }: OrderContext, target: TargetPerson): Promise<Id | undefined> {
  if (target.handlerId) return target.handlerId
  if (!target.staffId) return undefined
  return (await accountsOfStaff(tx, scope.ownerId, [target.staffId]))[0]
}

interface Dispatch extends TargetPerson {
  readonly seenState?: WorkOrder['state']
  readonly assistIds?: readonly string[]
  readonly observerIds?: readonly string[]
  readonly remark?: string
}

/** Of two who dispatch one order at once the second reads who has it; to another it goes only by name. */
function assertNotDispatched(order: WorkOrder, seenState: WorkOrder['state']): void {
  const { state, handlerName = '他人', dispatcherName } = order
  if (state === 'waiting' || state === seenState || !canApply('dispatch', state)) return
  refuse(
    dispatcherName === undefined
      ? `工单已由${handlerName}接单，需要换人时请指定处理人改派`
      : `工单已由${dispatcherName}派给${handlerName}，需要换人时请指定处理人改派`,
  )
}

const dispatch: ActionRunner<Dispatch> = async (c, order, input) => {
  await assertCanDispatch(c, order)
  await assertCanRead(c.tx, c.scope.ownerId, order, input, order)
  const { assistIds, observerIds, remark } = input
  const details = { assistIds, observerIds, remark }
  const person = await accountOf(c, input)
  assertNotDispatched(order, person ? (input.seenState ?? order.state) : 'waiting')
  if (person) return dispatchTo(c, order, person, details)
  return (
    (await dispatchByMode(c, order, details)) ??
    refuse('该类型没有可自动派单的人员：派单方式为手动或抢单，或接单人都不在岗、已满；请选择处理人')
  )
}

/**
 * Several orders: one that may not be dispatched is refused before it is touched and stops no other (G-11).
 */
async function dispatchEach(
  context: WriteContext,
  { ids, ...input }: { readonly ids: readonly string[] } & TargetPerson & Pick<Dispatch, 'seenState'>,
) {
  const found = await findByIds(context.tx, workOrder, context.scope, ids)
  if (!found.length) throw notFound()
  const rows: { id: Id; reason: string }[] = []
  let success = 0
  for (const id of [...new Set(ids.map(parseId))].toSorted((a, b) => a - b)) {
    try {
      await runOn(context, { ...input, id }, dispatch)
      success++
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      rows.push({ id, reason: error.message })
    }
  }
  return { success, fail: rows.length, skipped: 0, rows }
}

interface StateChange extends TargetPerson {
  readonly id: Id
  readonly state: WorkOrder['state']
  readonly reason?: string
  readonly resumeTime?: WorkOrder['resumeTime']
  readonly resultText?: string
  readonly photos?: readonly string[]
}

/** What the order or its people decide: where these lead is not the caller's choice alone. */
const leadElsewhere: ReadonlySet<OrderAction> = new Set(['finish', 'checkPass', 'checkReject', 'reopen'])

/** What PutState asks, as the action that leads to the state; with the right of that action. */
async function byState(c: OrderContext, order: WorkOrder, input: StateChange): Promise<WorkOrder> {
  const { permissions } = menu.order
  const action = actionToState(order.state, input.state)
  const reasonFor = (actionName: string): string => requireReason(input.reason, actionName)
  const handlers: { readonly [key: string]: readonly [keyof typeof permissions, () => Promise<WorkOrder>] } =
    {
      auditPass: ['audit', () => auditPassed(c, order, { isPassed: true, reason: input.reason })],
      auditRefuse: ['audit', () => auditPassed(c, order, { isPassed: false, reason: input.reason })],
      dispatch: ['dispatch', () => dispatch(c, order, input)],
      grab: ['handle', () => grab(c, order)],
      accept: ['handle', () => accept(c, order)],
      deny: ['handle', () => deny(c, order, reasonFor('拒单'))],
      resume: ['handle', () => resume(c, order, { remark: input.reason })],
      suspend: [
        'handle',
        async () => {
          if (!input.resumeTime) throw invalidField('ResumeTime', '请填写预计恢复时间')
          return suspend(c, order, { reason: reasonFor('挂起'), resumeTime: input.resumeTime })
        },
      ],
      finish: [
        'handle',
        async () => {
          if (!input.resultText) throw invalidField('ResultText', '请填写处理结果')
          return finish(c, order, { resultText: input.resultText, photos: input.photos })
        },
      ],
      checkPass: ['check', () => check(c, order, { isPassed: true })],
      checkReject: ['check', () => check(c, order, { isPassed: false, reason: input.reason })],
      reopen: ['supervise', () => reopen(c, order, reasonFor('重新处理'))],
      close: ['close', () => close(c, order, reasonFor('关闭'))],
      cancel: ['add', () => cancel(c, order, reasonFor('取消'))],
    }
  const chosen = action === undefined ? undefined : handlers[action]
  if (!chosen)
    return refuse(
      `工单当前为「${labelOf(orderState, order.state)}」，不能变更为「${labelOf(orderState, input.state)}」`,
    )
  requirePermission(c.scope, permissions[chosen[0]])
  const after = await chosen[1]()
  const leadsElsewhere = (action !== undefined && leadElsewhere.has(action)) || after.closeState === 'waiting'
  if (after.state !== input.state && !leadsElsewhere)
    refuse(`工单没有变更为「${labelOf(orderState, input.state)}」`)
  return after
}

export const orderActionHandlers = [
  actionHandler(auditOrder, auditPassed),
  actionHandler(dispatchOrder, dispatch),
  writes(dispatchOrders, (input, context) => dispatchEach(context, input)),
  actionHandler(grabOrder, (c, order) => grab(c, order)),
  actionHandler(acceptOrder, (c, order, { doneTime }) => accept(c, order, doneTime)),
  actionHandler(arriveOrder, arrive),
  actionHandler(denyOrder, (c, order, { reason }) => deny(c, order, reason)),
  actionHandler(suspendOrder, suspend),
  actionHandler(resumeOrder, resume),
  actionHandler(requestExtensionCall, requestExtension),
  actionHandler(decideExtensionCall, decideExtension),
  actionHandler(finishOrder, finish, { movesMoney: true }),
  actionHandler(checkOrder, check, { movesMoney: true }),
  actionHandler(modifyCost, changeCost, { movesMoney: true }),
  actionHandler(closeOrder, (c, order, { reason }) => close(c, order, reason), { movesMoney: true }),
  actionHandler(decideCloseCall, decideClose, { movesMoney: true }),
  actionHandler(cancelOrder, (c, order, { reason }) => cancel(c, order, reason), { movesMoney: true }),
  actionHandler(reopenOrder, (c, order, { reason }) => reopen(c, order, reason)),
  actionHandler(expediteOrder, (c, order, { remark }) => expedite(c, order, remark)),
  actionHandler(setObservers, changeObservers),
  actionHandler(putOrderState, byState, {
    movesMoney: true,
  }),
]
