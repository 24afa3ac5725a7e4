import { list, text } from '#kit/contract/field.ts'
import { declareApprovalKind } from '#modules/approvals/contract/kind.ts'
import { maxFiles, purchase } from './purchase.ts'

const { purchaseNo, title, departmentId, needDate, purpose, isUrgent, urgentReason, totalAmount } =
  purchase.fields

/** A purchase that goes by a process of the company. */
export const purchaseKind = declareApprovalKind({
  key: 'purchase',
  isMoney: true,
  form: {
    purchaseNo,
    title,
    projectName: text('项目', { max: 100 }),
    departmentId: { ...departmentId, hiddenIn: [] },
    totalAmount,
    isUrgent,
    urgentReason,
    needDate,
    supplierName: text('意向供应商', { max: 80 }),
    items: text('明细', { required: true, max: 4000 }),
    purpose,
    attachments: list('附件', { max: maxFiles, holdsFiles: true }),
  },
})
