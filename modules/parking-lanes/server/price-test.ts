import { labelOf } from '#kit/contract/field.ts'
import { refuse, refuseField } from '#kit/contract/wire.ts'
import { dayOfMoment, secondsBetween } from '#kit/domain/moment.ts'
import { displayYuan, type Fen } from '#kit/domain/money.ts'
import { reads } from '#kit/server/handler.ts'
import { requireById } from '#kit/server/table.ts'
import { park } from '#modules/parking/contract/park.ts'
import { loadDayKinds } from '#modules/system/server/public.ts'
import { carKind as carKindChoice } from '#modules/parking/contract/car-labels.ts'
import { testParkFee } from '../contract/price-test.ts'
import { scheduleOf } from '../domain/applicable-rule.ts'
import { chooseCoupons, discountedFee, surplusOf, usesWithin, type Coupon } from '../domain/coupons.ts'
import { feeSentence } from '../domain/fee-sentence.ts'
import { stayMinutes } from '../domain/stay-minutes.ts'
import { findFeeRules } from './fee-rules.ts'

type TestInput = NonNullable<typeof testParkFee.input.T>

const maxDays = 366

/** As a merchant would give them: of this car park, for today. */
function couponsOf(input: TestInput): Coupon[] {
  const { parkId, isFreeTicket, ticketMinutes, ticketAmount, ticketPercent, inTime } = input
  const coupon = (kind: Coupon['kind'], value: number): Coupon => ({
    key: kind,
    kind,
    value,
    parkId,
    validTo: dayOfMoment(inTime),
  })
  return [
    ...(isFreeTicket ? [coupon('free', 0)] : []),
    ...(ticketMinutes ? [coupon('minutes', ticketMinutes)] : []),
    ...(ticketAmount ? [coupon('amount', ticketAmount)] : []),
    ...(ticketPercent === undefined ? [] : [coupon('discount', ticketPercent)]),
  ]
}

function assertTimes({ inTime, outTime }: TestInput): void {
  if (outTime < inTime) {
    refuseField('OutTime', '出场时间不能早于入场时间')
  }
  if (secondsBetween(inTime, outTime) > maxDays * 86_400) {
    refuseField('OutTime', `一次最多试算 ${maxDays} 天`)
  }
}

const discountText = (discount: Fen, due: Fen): string =>
  discount > 0 ? `；停车券抵扣 ${displayYuan(discount)} 元，实收 ${displayYuan(due)} 元` : ''

export const priceTestHandlers = [
  reads(testParkFee, async (input, { db, scope }) => {
    assertTimes(input)
    const { parkId, carKind, inTime, outTime } = input
    const lot = await requireById(db, park, scope, parkId)
    const [rules, kindOf] = await Promise.all([
      findFeeRules(db, scope, [parkId]),
      loadDayKinds(db, scope.ownerId),
    ])
    const day = dayOfMoment(inTime)
    const ruled = scheduleOf(rules, carKind, day, at => kindOf(at) === 'rest')
    if (!ruled)
      return refuse(
        `「${lot.name}」在 ${day} 没有适用于${labelOf(carKindChoice, carKind)}的收费规则，请先新增`,
      )
    const { rule, schedule } = ruled
    const { chosen, refused } = chooseCoupons(couponsOf(input), {
      parkId,
      day,
      plateNo: '',
      maxCoupons: rule.maxCoupons,
    })
    const result = discountedFee(schedule, inTime, stayMinutes(inTime, outTime), chosen)
    const uses = usesWithin(result.uses, result.full.fee)
    return {
      ruleName: rule.ruleName,
      minutes: result.full.minutes,
      fullFee: result.full.fee,
      discount: result.discount,
      due: result.due,
      sentence: `${feeSentence(result.full)}${discountText(result.discount, result.due)}`,
      blocks: result.full.blocks,
      coupons: [
        ...uses.map(({ kind, discount }) => ({ kind, discount })),
        ...[...refused, ...surplusOf(result.uses, uses)].map(({ kind, reason }) => ({
          kind,
          discount: 0 as const,
          reason,
        })),
      ],
    }
  }),
]
