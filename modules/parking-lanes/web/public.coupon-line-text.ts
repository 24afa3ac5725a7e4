import { labelOf } from '#kit/contract/field.ts'
import { couponKind } from '../contract/choices.ts'
import type { getStayFee } from '../contract/charge.ts'

type CouponLine = NonNullable<typeof getStayFee.output.T>['coupons'][number]

/** What takes money off a fee: the host of the visit, or a coupon by its kind. */
export const couponNameOf = ({ isHostCover, kind }: Pick<CouponLine, 'isHostCover' | 'kind'>): string =>
  isHostCover ? '被访人承担' : labelOf(couponKind, kind)

/** How an amount of it is called. */
export const couponPrefixOf = ({ isHostCover }: Pick<CouponLine, 'isHostCover'>): string =>
  isHostCover ? '' : '抵扣 '

/** How what leaves nothing to pay is settled: the page asks for it in these words. */
export const coverTextsOf = (lines: readonly Pick<CouponLine, 'isHostCover' | 'discount'>[]) =>
  lines.some(({ isHostCover, discount }) => !isHostCover && discount > 0)
    ? { state: '停车券已抵全额', action: '使用停车券', done: '已用停车券结清' }
    : { state: '由被访人承担全额', action: '由被访人承担', done: '已由被访人承担' }
