import { fromInstant } from '#kit/domain/moment.ts'
import { subtractFen, type Fen } from '#kit/domain/money.ts'
import { systemScope } from '#kit/server/scope.ts'
import { findByIds } from '#kit/server/table.ts'
import { findBookedCharge, followRecord } from '#modules/parking-lanes/server/public.ts'
import { payRecord, type PayRecord } from '#modules/payments/contract/record.ts'
import { onPaid } from '#modules/payments/server/public.ts'

const keptOf = ({ state, receivedAmount, refundedAmount }: PayRecord): Fen =>
  state === 'voided' ? 0 : subtractFen(receivedAmount, refundedAmount)

/**
 * A refund by a cashier, a receipt that is voided, and the taking back of either: parking has what the books
 * have. A payment that was just settled has its charge already.
 */
onPaid(async (tx, { ownerId, time, operatorId, name }, { recordId, recordType }) => {
  if (recordType !== undefined) return
  const charge = await findBookedCharge(tx, ownerId, recordId)
  if (!charge) return
  // The cashier may know nothing of car parks: this is the product's own step.
  const scope = { ...systemScope(ownerId, time), operatorId, name }
  const [record] = await findByIds(tx, payRecord, scope, [recordId])
  if (!record) return
  await followRecord(tx, scope, charge, keptOf(record), fromInstant(Date.parse(time)))
})
