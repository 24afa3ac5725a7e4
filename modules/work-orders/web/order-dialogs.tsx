import { imagesControl } from '#kit/web/controls/control-kinds.tsx'
import { actionDialog } from '#kit/web/form/action-dialog.tsx'
import type { FormFieldGroup } from '#kit/web/form/form-fields.tsx'
import { displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { parseId } from '#kit/domain/id.ts'
import { subtractFen, type Fen } from '#kit/domain/money.ts'
import { evaluateOrder, saveVisit } from '../contract/evaluation.ts'
import { addOrderNote } from '../contract/record.ts'
import { editOrder } from '../contract/order.ts'
import {
  arriveOrder,
  dispatchOrder,
  expediteOrder,
  finishOrder,
  modifyCost,
  requestExtension,
  resumeOrder,
  setObservers,
  suspendOrder,
} from '../contract/order-actions.ts'
import { grossCost } from '../domain/cost.ts'
import { CandidateControl } from './candidate-control.tsx'
import type { OrderDetail } from './clock-bars.ts'
import { orderVideosControl } from './order-videos.ts'

const byId = ({ id }: OrderDetail) => ({ id })
const photosField = { key: 'photos', control: imagesControl }
const titled = (text: string) => (order: OrderDetail) => `${text}「${order.orderNo}」`

const linesOf = (order: OrderDetail) =>
  order.chargeLines.map(({ lineKind, name, unit, quantity, price }) => ({
    lineKind,
    name,
    quantity,
    price,
    ...(unit === undefined ? {} : { unit }),
  }))

type Line = Parameters<typeof grossCost>[0][number]

const Sum = ({ lines, waived = 0 }: { readonly lines: readonly Partial<Line>[]; readonly waived?: Fen }) => {
  const gross = grossCost(
    lines.flatMap(({ quantity, price }) =>
      quantity === undefined || price === undefined ? [] : [{ quantity, price }],
    ),
  )
  return <p>合计 {gross === undefined ? '超出上限' : displayYuanWithSymbol(subtractFen(gross, waived))}</p>
}

const costKeys: FormFieldGroup['keys'] = ['lines', 'waiveCost', 'isWarranty', 'reason']

/** What is asked before each action on an order that asks anything. */
export const dialogs = {
  dispatch: actionDialog({
    call: dispatchOrder,
    title: (order: OrderDetail) => `${order.handlerName ? '转派' : '派单'}「${order.orderNo}」`,
    submitLabel: '派单',
    keys: [
      { key: 'handlerId', control: CandidateControl, isRequired: true },
      { key: 'assistIds', wide: true },
      { key: 'observerIds', wide: true },
      'remark',
    ],
    target: order => ({ ...byId(order), seenState: order.state }),
    context: ({ projectCode, typeId, buildCode }) => ({ projectCode, typeId, buildCode }),
    initial: ({ assistIds, observerIds }) => ({
      ...(assistIds ? { assistIds } : {}),
      ...(observerIds ? { observerIds } : {}),
    }),
    rules: ({ handlerId }) => (handlerId ? undefined : { handlerId: '请选择处理人' }),
    doneText: (_, { handlerName }) => `已派给${handlerName ?? ''}`,
    presentation: 'drawer',
  }),
  arrive: actionDialog({
    call: arriveOrder,
    title: titled('到场'),
    submitLabel: '到场',
    keys: ['remark', photosField],
    target: byId,
    doneText: () => '已记录到场',
  }),
  suspend: actionDialog({
    call: suspendOrder,
    title: titled('挂起'),
    submitLabel: '挂起',
    keys: ['reason', 'resumeTime'],
    target: byId,
    below: () => <p>挂起期间不计时，恢复后继续</p>,
    doneText: () => '已挂起',
  }),
  resume: actionDialog({
    call: resumeOrder,
    title: titled('恢复'),
    submitLabel: '恢复',
    keys: ['remark'],
    target: byId,
    doneText: () => '已恢复计时',
  }),
  requestExtension: actionDialog({
    call: requestExtension,
    title: titled('申请延期'),
    submitLabel: '提交申请',
    keys: ['deadline', 'reason'],
    target: byId,
    doneText: () => '已提交延期申请',
  }),
  finish: actionDialog({
    call: finishOrder,
    title: titled('完成'),
    submitLabel: '完成',
    keys: ['resultText', photosField, 'lines'],
    target: byId,
    initial: order => ({ lines: linesOf(order) }),
    rules: ({ photos = [] }, { photoCount }) =>
      photos.length < photoCount ? { photos: `该类型完成时至少上传 ${photoCount} 张照片` } : undefined,
    below: ({ lines = [] }) => (lines.length ? <Sum lines={lines} /> : null),
    doneText: () => '已完成处理',
    presentation: 'drawer',
  }),
  modifyCost: actionDialog({
    call: modifyCost,
    title: titled('修改费用'),
    submitLabel: '保存费用',
    keys: costKeys,
    target: byId,
    initial: order => ({
      lines: linesOf(order),
      waiveCost: order.waiveCost,
      isWarranty: order.isWarranty,
    }),
    below: ({ lines = [], waiveCost = 0, isWarranty }) =>
      isWarranty ? <p>质保内免费，不收费</p> : <Sum lines={lines} waived={waiveCost} />,
    doneText: (_, { totalCost }) => `费用合计 ${displayYuanWithSymbol(totalCost)}`,
    presentation: 'drawer',
  }),
  expedite: actionDialog({
    call: expediteOrder,
    title: titled('催办'),
    submitLabel: '催办',
    keys: ['remark'],
    target: byId,
    doneText: () => '已催办',
  }),
  note: actionDialog({
    call: addOrderNote,
    title: titled('备注'),
    submitLabel: '添加备注',
    keys: ['content', photosField],
    target: ({ id }: OrderDetail) => ({ orderId: id }),
    doneText: () => '已添加备注',
  }),
  evaluate: actionDialog({
    call: evaluateOrder,
    title: titled('代报事人评价'),
    submitLabel: '提交评价',
    keys: [
      'speedScore',
      'attitudeScore',
      'qualityScore',
      { key: 'score', help: '不填取三项平均分' },
      'content',
      photosField,
    ],
    target: ({ id }: OrderDetail) => ({ orderId: id }),
    doneText: () => '已提交评价',
  }),
  visit: actionDialog({
    call: saveVisit,
    title: titled('登记回访'),
    submitLabel: '保存回访',
    keys: ['result', 'content'],
    target: ({ visits }: OrderDetail) => ({ id: visits.find(v => v.state === 'waiting')?.id ?? parseId(0) }),
    doneText: () => '已登记回访',
  }),
  edit: actionDialog({
    call: editOrder,
    title: titled('修改'),
    submitLabel: '保存',
    keys: [
      'typeId',
      'level',
      'title',
      'appointTime',
      'reporterName',
      'reporterPhone',
      'address',
      'content',
      photosField,
      { key: 'videos', control: orderVideosControl },
    ],
    target: ({ id, version }: OrderDetail) => ({ id, version }),
    initial: order => ({
      typeId: order.typeId,
      level: order.level,
      content: order.content,
      ...(order.title ? { title: order.title } : {}),
      ...(order.address ? { address: order.address } : {}),
      ...(order.reporterName ? { reporterName: order.reporterName } : {}),
      ...(order.reporterPhone ? { reporterPhone: order.reporterPhone } : {}),
      ...(order.appointTime ? { appointTime: order.appointTime } : {}),
      ...(order.photos ? { photos: order.photos } : {}),
      ...(order.videos ? { videos: order.videos } : {}),
    }),
    below: () => <p>修改类型或紧急程度后，时限按新的规定重新计算</p>,
    doneText: () => '已保存',
    presentation: 'drawer',
  }),
  observers: actionDialog({
    call: setObservers,
    title: titled('抄送与协助'),
    submitLabel: '保存',
    keys: [
      { key: 'observerIds', wide: true },
      { key: 'assistIds', wide: true },
    ],
    target: byId,
    initial: ({ observerIds = [], assistIds = [] }) => ({ observerIds, assistIds }),
    doneText: () => '已保存',
  }),
}

export type OrderDialogKey = keyof typeof dialogs

interface OrderDialogProps {
  readonly name: OrderDialogKey
  readonly order: OrderDetail
  readonly onClose: () => void
}

export function OrderDialog({ name, order, onClose }: OrderDialogProps) {
  const Dialog = dialogs[name]
  return <Dialog record={order} onClose={onClose} />
}
