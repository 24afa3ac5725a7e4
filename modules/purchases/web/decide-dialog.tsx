import { actionDialog } from '#kit/web/form/action-dialog.tsx'
import { displayYuanWithSymbol } from '#kit/domain/money.ts'
import { decidePurchase } from '../contract/actions.ts'
import type { Purchase } from '../contract/purchase.ts'

const titleOf = (action: string, { purchaseNo, title, totalAmount }: Purchase): string =>
  `${action}采购 ${purchaseNo} ${title}（${displayYuanWithSymbol(totalAmount)}）`

export const DecideDialog = actionDialog({
  call: decidePurchase,
  title: (row: Purchase) => titleOf('批准', row),
  submitLabel: '批准',
  keys: [{ key: 'reason', wide: true, help: '可不填' }],
  target: row => ({ id: row.id, isApproved: true }),
  doneText: () => '已批准',
})

export const RefuseDialog = actionDialog({
  call: decidePurchase,
  title: (row: Purchase) => titleOf('驳回', row),
  submitLabel: '驳回',
  keys: [{ key: 'reason', label: '驳回原因', wide: true, isRequired: true, help: '申请人修改后可重新提交' }],
  target: row => ({ id: row.id, isApproved: false }),
  doneText: () => '已驳回',
})
