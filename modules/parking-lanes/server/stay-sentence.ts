import { addFen, displayYuan, sumFen } from '#kit/domain/money.ts'
import type { ParkingStay } from '../contract/stay.ts'
import { isHostCover } from '../domain/coupons.ts'
import { feeSentence } from '../domain/fee-sentence.ts'
import type { StayDue } from './passage/stay-fee.ts'

function couponText({ couponUses }: StayDue): string {
  const sumOf = (uses: StayDue['couponUses']) => sumFen(uses.map(({ discount }) => discount))
  const byHost = sumOf(couponUses.filter(isHostCover))
  const byTickets = sumOf(couponUses.filter(use => !isHostCover(use)))
  const tickets = byTickets > 0 ? `，停车券抵扣 ${displayYuan(byTickets)} 元` : ''
  return byHost > 0 ? `${tickets}，被访人承担 ${displayYuan(byHost)} 元` : tickets
}

export function sentenceOf(stay: Pick<ParkingStay, 'paid' | 'discount'>, owed: StayDue): string {
  const { fee, lacksRule, due, leaveBefore } = owed
  if (lacksRule) return '停车场未设置适用的收费规则，不计费'
  if (!fee.blocks.length) return '无需缴费'
  const settled = addFen(stay.paid, stay.discount)
  const paid = stay.paid > 0 ? `，已收 ${displayYuan(stay.paid)} 元` : ''
  const used = stay.discount > 0 ? `，已优惠 ${displayYuan(stay.discount)} 元` : ''
  const open = settled > 0 || owed.couponDiscount > 0 ? `，待收 ${displayYuan(due)} 元` : ''
  const leave = leaveBefore ? `，请在 ${leaveBefore.slice(11, 16)} 前离场` : ''
  return `${feeSentence(fee)}${paid}${used}${couponText(owed)}${open}${leave}`
}

export const couponLinesOf = ({ couponUses, refusedCoupons }: StayDue) => [
  ...couponUses.map(({ key, kind, discount }) => ({
    couponNo: key,
    kind,
    discount,
    isHostCover: isHostCover({ key }),
  })),
  ...refusedCoupons.map(({ key, kind, reason }) => ({
    couponNo: key,
    kind,
    discount: 0 as const,
    reason,
    isHostCover: isHostCover({ key }),
  })),
]
