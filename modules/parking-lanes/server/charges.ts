import type { Id } from '#kit/domain/id.ts'
import { codeOf } from '#kit/contract/field.ts'
import { refuse, refuseField } from '#kit/contract/wire.ts'
import { displayYuan, formatYuan } from '#kit/domain/money.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { codes, touch } from '#kit/server/sql.ts'
import { contains, insert, requireById } from '#kit/server/table.ts'
import { stayState } from '../contract/choices.ts'
import {
  collectStayFee,
  exportCharges,
  getStayFee,
  parkingCharge,
  parkingCharges,
  type ParkingCharge,
} from '../contract/charge.ts'
import { parkingStay, type ParkingStay } from '../contract/stay.ts'
import { feeSentence } from '../domain/fee-sentence.ts'
import type { StayDue } from './passage/stay-fee.ts'
import { duesOf } from './inside-fees.ts'
import { passNoOf } from './stays.ts'

const withPassNo = (row: ParkingCharge): ParkingCharge => ({ ...row, passNo: passNoOf(row.stayId) })

export const chargeServer = crudHandlers(parkingCharges, {
  filter: ({ plateNo }) => (plateNo === undefined ? [] : [contains(sql`t.plate_no`, plateNo.toUpperCase())]),
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

export function sentenceOf(stay: ParkingStay, { fee, lacksRule, due, leaveBefore }: StayDue): string {
  if (lacksRule) return '停车场未设置适用的收费规则，不计费'
  if (!fee.blocks.length) return '无需缴费'
  const paid = stay.paid > 0 ? `，已收 ${displayYuan(stay.paid)} 元，待收 ${displayYuan(due)} 元` : ''
  return `${feeSentence(fee)}${paid}${leaveBefore ? `，请在 ${leaveBefore.slice(11, 16)} 前离场` : ''}`
}

/** The stay is paid up to now: it may leave within the minutes for leaving (PRK-22). */
const markPaid = (tx: Tx, scope: Scope, stayId: Id, amount: string): Promise<number> =>
  tx.execute(sql`
    update parking_stay
    set paid = paid + ${amount}::numeric, should_pay = paid + discount + ${amount}::numeric,
      paid_time = ${scope.time}::timestamptz, state = ${codeOf(stayState, 'paid')}, ${touch(scope)}
    where owner_id = ${scope.ownerId} and id = ${stayId} and state in ${codes(stayState, 'inside', 'paid')}
  `)

export const chargeHandlers = [
  reads(getStayFee, async ({ id }, { db, scope, now }) => {
    const stay = await requireById(db, parkingStay, scope, id)
    if (!isInside(stay))
      return {
        shouldPay: stay.shouldPay,
        paid: stay.paid,
        due: 0 as const,
        sentence: '已离场',
        blocks: [],
      }
    const owed = (await duesOf(db, scope, [stay], now))(stay)
    return {
      ruleName: owed.ruleName,
      shouldPay: owed.shouldPay,
      paid: stay.paid,
      due: owed.due,
      leaveBefore: owed.leaveBefore,
      sentence: sentenceOf(stay, owed),
      blocks: owed.fee.blocks,
    }
  }),
  writes(collectStayFee, async ({ id, amount, payMethod }, { tx, scope, now }) => {
    const stay = await requireById(tx, parkingStay, scope, id, { lock: true })
    assertInside(stay)
    const owed = (await duesOf(tx, scope, [stay], now))(stay)
    if (owed.due !== amount) {
      refuseField('Amount', `待收金额为 ${displayYuan(owed.due)} 元，请按此金额重新收取`)
    }
    await markPaid(tx, scope, id, formatYuan(amount))
    const charge = await insert(tx, parkingCharge, scope, {
      projectCode: stay.projectCode,
      stayId: id,
      parkId: stay.parkId,
      plateNo: stay.plateNo,
      chargeType: stay.paid > 0 ? 'more' : 'stay',
      inTime: stay.inTime,
      amount,
      couponAmount: 0,
      paidAmount: amount,
      payMethod,
      payTime: now,
      explanation: sentenceOf(stay, owed),
      cashier: scope.operatorId,
      cashierName: scope.name,
    })
    return withPassNo(charge)
  }),
]
