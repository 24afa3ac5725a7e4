import type { Id } from '#kit/domain/id.ts'
import { addDaysToMoment, dayOfMoment, type Moment } from '#kit/domain/moment.ts'
import { addFen } from '#kit/domain/money.ts'
import { labelOf } from '#kit/contract/field.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Db } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findAll, requireById } from '#kit/server/table.ts'
import { chargeLine, type Charge } from '../contract/charge.ts'
import { orderAction, orderState } from '../contract/choices.ts'
import type { Evaluation } from '../contract/evaluation.ts'
import { orderRecord, type OrderRecord } from '../contract/record.ts'
import { workOrder, type WorkOrder } from '../contract/work-order.ts'
import { evaluationRefusal } from '../domain/evaluation.ts'
import { expediteWait } from '../domain/expedite.ts'
import { canApply, isChargeDue, type OrderAction } from '../domain/order-actions.ts'
import { payableCost } from '../domain/cost.ts'
import { findEvaluation } from './evaluation.ts'
import { loadFunctions } from './function-settings.ts'
import { findChargeMoney } from './charge-bills.ts'
import { findCharge } from './order-cost.ts'

/** What the requester reads of the history; what the company notes for itself is left out. */
const shownActions: ReadonlySet<OrderAction> = new Set([
  'register',
  'auditPass',
  'auditRefuse',
  'dispatch',
  'grab',
  'accept',
  'arrive',
  'suspend',
  'resume',
  'finish',
  'checkPass',
  'checkReject',
  'pay',
  'oweAgain',
  'refund',
  'expedite',
  'evaluate',
  'close',
  'cancel',
  'reopen',
])

/** What the requester wrote, or what the company wrote for the requester to read. */
const shownContent: ReadonlySet<OrderAction> = new Set([
  'auditRefuse',
  'suspend',
  'finish',
  'checkReject',
  'close',
  'cancel',
  'expedite',
])

/** `王师傅`: no full name, no phone of anybody. */
export const shortName = (name: string | undefined): string | undefined =>
  name === undefined ? undefined : `${[...name][0] ?? ''}师傅`

const stateTexts: { readonly [S in WorkOrder['state']]: string } = {
  pending: '已提交，等待审核',
  waiting: '已受理，正在安排人员',
  dispatched: '已安排人员，等待接单',
  processing: '正在处理',
  suspended: '暂缓处理',
  checking: '已处理完成，请验收',
  unpaid: '请支付费用',
  unrated: '请评价',
  completed: '已完成',
  closed: '已关闭',
  rejected: '未受理',
  cancelled: '已取消',
}

const stepOf = (record: OrderRecord, urlsOf: (keys: readonly string[]) => string[]) => ({
  action: record.action,
  actionTime: record.actionTime,
  text: [labelOf(orderAction, record.action), shownContent.has(record.action) ? record.content : undefined]
    .filter(Boolean)
    .join('：'),
  photos: shownContent.has(record.action) ? urlsOf(record.photos ?? []) : [],
})

/** What the requester may do now; the actions decide for themselves once more. */
function allowances(
  order: WorkOrder,
  owed: Charge | undefined,
  saved: Evaluation | undefined,
  options: {
    readonly wait: number
    readonly allowsReward: boolean
    readonly isRefunding: boolean
    readonly now: Moment
  },
) {
  return {
    canExpedite: canApply('expedite', order.state) && options.wait === 0,
    expediteWait: options.wait,
    canCheck: order.state === 'checking',
    canPay: owed?.state === 'unpaid' && isChargeDue(order) && !options.isRefunding,
    canEvaluate:
      order.state === 'unrated' ||
      (order.state === 'completed' &&
        saved !== undefined &&
        !evaluationRefusal('requester', saved, options.now)),
    canCancel: canApply('cancel', order.state),
    canReward: order.state === 'completed' && options.allowsReward && order.handlerId !== undefined,
  }
}

const evaluationView = (saved: Evaluation | undefined, now: Moment) =>
  saved && !saved.isDefault
    ? {
        evaluation: {
          score: saved.score,
          speedScore: saved.speedScore,
          attitudeScore: saved.attitudeScore,
          qualityScore: saved.qualityScore,
          content: saved.content,
          canChange: saved.changeTime === undefined && now <= addDaysToMoment(saved.evaluateTime, 1),
        },
      }
    : {}

interface EstateContact {
  readonly name: string
  readonly phone?: string
}

export const findEstate = (
  db: Pick<Db, 'one'>,
  ownerId: Id,
  projectCode: string,
): Promise<EstateContact | undefined> =>
  db.one<EstateContact>(sql`
    select name, service_phone as phone
    from estate
    where owner_id = ${ownerId} and project_code = ${projectCode}
  `)

/** The order as its reporter sees it, by its link alone. */
export async function viewForResident(
  db: Db,
  app: Pick<App, 'files'>,
  scope: Scope,
  orderId: Id,
  now: Moment,
) {
  const { ownerId } = scope
  const order = await requireById(db, workOrder, scope, orderId)
  const ofOrder = { where: [sql`t.order_id = ${orderId}`], limit: 500 }
  const records = await findAll(db, orderRecord, scope, {}, ofOrder)
  const owed = await findCharge(db, scope, orderId)
  const lines = owed
    ? await findAll(db, chargeLine, scope, { order: 'id' }, { where: [sql`t.charge_id = ${owed.id}`] })
    : []
  const money = owed && (await findChargeMoney(db, scope, owed, dayOfMoment(now)))
  const saved = await findEvaluation(db, scope, orderId)
  const functions = await loadFunctions(db, ownerId)
  const estate = await findEstate(db, ownerId, order.projectCode)
  const urlsOf = (keys: readonly string[]): string[] => keys.map(key => app.files.signedUrl(ownerId, key))
  const minutesToWait = expediteWait(order.lastExpediteTime, functions.expediteInterval.value, now)
  return {
    orderNo: order.orderNo,
    typeName: order.typeName,
    state: order.state,
    stateText: stateTexts[order.state] ?? labelOf(orderState, order.state),
    address: order.address,
    content: order.content,
    photos: urlsOf(order.photos ?? []),
    registerTime: order.registerTime,
    appointTime: order.appointTime,
    handlerName: shortName(order.handlerName),
    finishDeadline: order.finishTime === undefined ? order.finishDeadline : undefined,
    resultText: order.resultText,
    resultPhotos: urlsOf(order.resultPhotos ?? []),
    steps: records.filter(record => shownActions.has(record.action)).map(record => stepOf(record, urlsOf)),
    laborCost: order.laborCost,
    materialCost: order.materialCost,
    waiveCost: order.waiveCost,
    lateFee: money?.lateFee ?? 0,
    paidAmount: money?.paid ?? 0,
    amount: owed?.state === 'unpaid' && money ? money.due : addFen(payableCost(order), money?.lateFee ?? 0),
    isWarranty: order.isWarranty,
    payState: owed?.state,
    lines,
    ...evaluationView(saved, now),
    ...allowances(order, owed, saved, {
      wait: minutesToWait,
      allowsReward: functions.reward.isOn,
      isRefunding: (money?.refunds.length ?? 0) > 0,
      now,
    }),
    estateName: estate?.name ?? '',
    servicePhone: estate?.phone,
  }
}
