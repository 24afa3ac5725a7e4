import { findByIds } from '#kit/server/table.ts'
import { registerBillSubjects } from '#modules/bills/server/public.ts'
import { activitySign } from '../contract/sign.ts'
import { activityFeeRef } from './fee-ref.ts'

registerBillSubjects(activityFeeRef, async (db, scope, ids) => {
  const signs = await findByIds(db, activitySign, scope, ids)
  return new Map(
    signs.map(({ id, activityTitle = '', personCount }) => [id, `活动「${activityTitle}」${personCount} 人`]),
  )
})
