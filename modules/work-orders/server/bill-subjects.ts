import { findByIds } from '#kit/server/table.ts'
import { registerBillSubjects } from '#modules/bills/server/public.ts'
import { workOrder } from '../contract/work-order.ts'

registerBillSubjects('workOrder', async (db, scope, ids) => {
  const orders = await findByIds(db, workOrder, scope, ids)
  return new Map(
    orders.map(({ id, orderNo, typeName }) => [id, ['工单', orderNo, typeName].filter(Boolean).join(' ')]),
  )
})
