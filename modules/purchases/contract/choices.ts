import { choiceTable, type ChoiceOf } from '#kit/contract/field.ts'

/** C16 */
export const purchaseState = choiceTable('PurchaseState', '采购状态', {
  draft: [10, '草稿', 'hold'],
  approving: [20, '审批中', 'doing'],
  approved: [30, '已批准', 'todo'],
  ordering: [40, '采购中', 'doing'],
  partial: [50, '部分入库', 'doing'],
  done: [60, '已完成', 'done'],
  refused: [70, '已驳回', 'bad'],
  cancelled: [80, '已取消', 'off'],
})

export type PurchaseState = ChoiceOf<typeof purchaseState>

/** How a request is decided on: by a process of the company, or by one person who may. */
export const approvalWay = choiceTable('PurchaseApprovalWay', '审批方式', {
  process: [10, '审批流程'],
  person: [20, '直接审批'],
  exempt: [30, '免审批'],
})

export const orderState = choiceTable('PurchaseOrderState', '订单状态', {
  open: [10, '待收货', 'todo'],
  partial: [20, '部分收货', 'doing'],
  done: [30, '已完成', 'done'],
  closed: [40, '已关闭', 'off'],
  cancelled: [50, '已取消', 'off'],
})

export type OrderState = ChoiceOf<typeof orderState>

export const receiptKind = choiceTable('PurchaseReceiptKind', '类型', {
  receipt: [10, '收货', 'done'],
  reversal: [20, '冲销', 'bad'],
})
