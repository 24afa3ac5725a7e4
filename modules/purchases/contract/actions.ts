import { call } from '#kit/contract/call.ts'
import { flag, idOf, int, text } from '#kit/contract/field.ts'
import { bulkResult, byId, byIdWithReason, byIdsWithReason, recordOf, shape } from '#kit/contract/shape.ts'
import { menu } from '../module.ts'
import { chosenField, purchase } from './purchase.ts'

const affects = ['purchase', 'processInstance']

/** 10, 70 or a returned 20 → 20, or straight to 30 where nobody needs to be asked. */
export const submitPurchase = call({
  route: 'POST oa/v1/Purchases/PostSubmit',
  title: '提交采购申请',
  needs: menu.request.permissions.add,
  affects,
  input: shape({
    id: idOf('采购', { required: true, min: 1, wire: 'ID' }),
    version: int('版本', { min: 0 }),
    chosen: chosenField,
  }),
  output: recordOf(purchase),
})

/** 20 → 10, as long as nobody has decided (APR-4). */
export const withdrawPurchase = call({
  route: 'POST oa/v1/Purchases/PostWithdraw',
  title: '撤回采购申请',
  needs: menu.request.permissions.add,
  affects,
  input: byId,
  output: recordOf(purchase),
})

/** 20 → 30 or 70 by one person, where the company has no process for it; nobody decides on their own. */
export const decidePurchase = call({
  route: 'POST oa/v1/Purchases/PostDecide',
  title: '审批采购',
  needs: menu.purchase.permissions.decide,
  affects,
  input: shape({
    id: idOf('采购', { required: true, min: 1, wire: 'ID' }),
    isApproved: flag('批准', { required: true, wire: 'IsApproved' }),
    reason: text('意见', { max: 200, wire: 'Reason', help: '驳回时必填' }),
  }),
  output: recordOf(purchase),
})

/** → 80 of what nothing was ordered for. */
export const cancelOwnPurchase = call({
  route: 'POST oa/v1/Purchases/PostCancelOwn',
  title: '取消我的采购',
  needs: menu.request.permissions.add,
  affects,
  input: byIdWithReason,
  output: recordOf(purchase),
})

export const cancelPurchase = call({
  route: 'POST oa/v1/Purchases/PostCancel',
  title: '取消采购',
  needs: menu.purchase.permissions.edit,
  affects,
  input: byIdWithReason,
  output: recordOf(purchase),
})

/** 40 or 50 → 60: what has not arrived is no longer wanted. */
export const closePurchase = call({
  route: 'POST oa/v1/Purchases/PostClose',
  title: '关闭采购余量',
  needs: menu.purchase.permissions.edit,
  affects: [...affects, 'purchaseOrder'],
  input: byIdWithReason,
  output: recordOf(purchase),
})

/** Own drafts, record by record (G-11). */
export const deletePurchases = call({
  route: 'DELETE oa/v1/Purchases/Delete',
  title: '删除采购草稿',
  needs: menu.request.permissions.del,
  affects,
  input: byIdsWithReason,
  output: bulkResult,
})
