import { refuseField } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import { addFen, displayYuan, subtractFen, type Fen } from '#kit/domain/money.ts'
import { audit } from '#kit/server/audit.ts'
import type { WriteContext } from '#kit/server/handler.ts'
import { requireById } from '#kit/server/table.ts'
import { parkingCharge, type ParkingCharge } from '../contract/charge.ts'
import type { BoothPayMethod } from '../contract/choices.ts'
import { parkingStay } from '../contract/stay.ts'
import { publishBoothPayment } from './charge-event.ts'
import { assertInside } from './charges.ts'
import { lockStay } from './group-places.ts'
import { duesOf } from './inside-fees.ts'
import { discountOfUses, settleStay } from './settle-stay.ts'
import { publishStayHandled } from './stay-event.ts'
import { sentenceOf } from './stay-sentence.ts'
import { passNoOf } from './stays.ts'

export interface LoweredPrice {
  readonly id: Id
  readonly laneId?: Id | undefined
  /** What the screen showed as due: it must still be that (PAY-1). */
  readonly due: Fen
  /** What is taken instead; what was paid before stays paid. */
  readonly amount: Fen
  readonly payMethod: BoothPayMethod
  readonly reason: string
}

/**
 * PRK-10: the booth takes less than what is due, with its reason: the rest is let off, and the stay is
 * settled up to now. On the sheet of the person and in the audit.
 */
export async function reprice(
  { id, laneId, due, amount, payMethod, reason }: LoweredPrice,
  { tx, scope, now }: WriteContext,
): Promise<ParkingCharge> {
  const stay = await lockStay(tx, scope, id)
  assertInside(stay)
  const owed = (await duesOf(tx, scope, [stay], now, { lock: true }))(stay)
  if (owed.due !== due) {
    refuseField('Due', `待收金额已变为 ${displayYuan(owed.due)} 元，请重新改价`)
  }
  if (amount >= due) {
    refuseField('Amount', `改价后的金额应小于待收 ${displayYuan(due)} 元；按原价的请直接收费`)
  }
  const waived = subtractFen(due, amount)
  const prices = `待收 ${displayYuan(due)} 元改收 ${displayYuan(amount)} 元`
  const explanation = `${sentenceOf(stay, owed)}；改价：${prices}，${reason}`
  const settlement = { amount, uses: owed.couponUses, payMethod, explanation, waived }
  const { chargeId } = await settleStay(tx, scope, stay, settlement, now)
  if (amount > 0) {
    await publishBoothPayment(tx, scope, { stay, chargeId, amount, payMethod, explanation, at: now })
  }
  const discount = addFen(stay.discount, discountOfUses(owed.couponUses), waived)
  await audit(tx, scope, [
    {
      action: 'update',
      entity: parkingStay.name,
      entityId: id,
      projectCode: stay.projectCode,
      before: { paid: stay.paid, discount: stay.discount },
      after: { paid: addFen(stay.paid, amount), discount },
      reason: `改价：${prices}，${reason}`,
    },
  ])
  const { projectCode, parkId, plateNo } = stay
  await publishStayHandled(tx, scope, [
    {
      kind: 'price',
      stayId: id,
      projectCode,
      parkId,
      plateNo,
      laneId,
      waived,
      reason: `${prices}：${reason}`,
    },
  ])
  const charge = await requireById(tx, parkingCharge, scope, chargeId)
  return { ...charge, passNo: passNoOf(charge.stayId) }
}
