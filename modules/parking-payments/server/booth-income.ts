import type { BoothPayMethod } from '#modules/parking-lanes/contract/choices.ts'
import { noteRecordOfCharge, onBoothPayment } from '#modules/parking-lanes/server/public.ts'
import { bookStayIncome, type StayIncome } from './stay-income.ts'

/** What a booth takes comes by no channel of the company's orders. */
const methodOf: Readonly<Record<BoothPayMethod, StayIncome['method']>> = {
  cash: 'cash',
  card: 'posOffline',
  wechat: 'wechatTransfer',
  alipay: 'alipayTransfer',
}

/**
 * Money at a booth is in the books at once. It is of no cashier there: it is handed over by the shift of the
 * booth, not by the cashier's sheet.
 */
onBoothPayment(async (tx, scope, { stay, chargeId, amount, payMethod, explanation, at }) => {
  const booked = await bookStayIncome(tx, scope, {
    stay,
    amount,
    method: methodOf[payMethod],
    at,
    cashier: { id: 0, name: `岗亭 ${scope.name}`.slice(0, 40) },
    remark: explanation.slice(0, 200),
  })
  if (booked) {
    await noteRecordOfCharge(tx, scope, chargeId, booked.recordId)
  }
})
