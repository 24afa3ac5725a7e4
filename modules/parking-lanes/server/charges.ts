import { refuse, refuseField } from '#kit/contract/wire.ts'
import { addFen, displayYuan } from '#kit/domain/money.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { sql } from '#kit/server/db.ts'
import { reads, writes, type WriteContext } from '#kit/server/handler.ts'
import { contains, requireById } from '#kit/server/table.ts'
import { isOfCar } from '#modules/parking/server/public.ts'
import {
  collectStayFee,
  exportCharges,
  getStayFee,
  parkingCharge,
  parkingCharges,
  type ParkingCharge,
} from '../contract/charge.ts'
import { parkingStay, type ParkingStay } from '../contract/stay.ts'
import { publishBoothPayment } from './charge-event.ts'
import { lockStay } from './group-places.ts'
import { duesOf } from './inside-fees.ts'
import { methodOfUses, settleStay } from './settle-stay.ts'
import { couponLinesOf, sentenceOf } from './stay-sentence.ts'
import { passNoOf } from './stays.ts'

const withPassNo = (row: ParkingCharge): ParkingCharge => ({ ...row, passNo: passNoOf(row.stayId) })

export const chargeServer = crudHandlers(parkingCharges, {
  filter: ({ plateNo, carId }, { scope }) => [
    ...(carId === undefined ? [] : [isOfCar(scope.ownerId, carId)]),
    ...(plateNo === undefined ? [] : [contains(sql`t.plate_no`, plateNo.toUpperCase())]),
  ],
  keyword: word => contains(sql`t.plate_no`, word.toUpperCase()),
  enrich: async rows => rows.map(withPassNo),
  export: exportCharges,
})

export const isInside = ({ state }: Pick<ParkingStay, 'state'>): boolean =>
  state === 'inside' || state === 'paid'

export function assertInside(stay: ParkingStay): void {
  if (!isInside(stay)) {
    refuse(`「${stay.plateNo}」的记录已结束，请刷新列表`)
  }
}

type Collect = NonNullable<typeof collectStayFee.input.T>

/** At the booth: what is due at this moment, the coupons of the plate used first. */
export async function collect({ id, amount, payMethod }: Collect, { tx, scope, now }: WriteContext) {
  const stay = await lockStay(tx, scope, id)
  assertInside(stay)
  const owed = (await duesOf(tx, scope, [stay], now, { lock: true }))(stay)
  if (owed.due !== amount) {
    refuseField('Amount', `待收金额为 ${displayYuan(owed.due)} 元，请按此金额重新收取`)
  }
  if (amount === 0 && !owed.couponUses.length) refuse('无需缴费')
  const explanation = sentenceOf(stay, owed)
  const settlement = {
    amount,
    uses: owed.couponUses,
    payMethod: amount === 0 ? methodOfUses(owed.couponUses) : payMethod,
    explanation,
  }
  const { chargeId } = await settleStay(tx, scope, stay, settlement, now)
  if (amount > 0) {
    await publishBoothPayment(tx, scope, { stay, chargeId, amount, payMethod, explanation, at: now })
  }
  return withPassNo(await requireById(tx, parkingCharge, scope, chargeId))
}

export const chargeHandlers = [
  reads(getStayFee, async ({ id }, { db, scope, now }) => {
    const stay = await requireById(db, parkingStay, scope, id)
    if (!isInside(stay))
      return {
        shouldPay: stay.shouldPay,
        paid: stay.paid,
        couponAmount: stay.discount,
        due: 0 as const,
        coupons: [],
        sentence: '已离场',
        blocks: [],
      }
    const owed = (await duesOf(db, scope, [stay], now))(stay)
    return {
      ruleName: owed.ruleName,
      shouldPay: owed.shouldPay,
      paid: stay.paid,
      couponAmount: addFen(stay.discount, owed.couponDiscount),
      due: owed.due,
      coupons: couponLinesOf(owed),
      leaveBefore: owed.leaveBefore,
      sentence: sentenceOf(stay, owed),
      blocks: owed.fee.blocks,
    }
  }),
  writes(collectStayFee, collect),
]
