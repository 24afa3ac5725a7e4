import { Refused, refuse, refuseField, resultCode } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import { sql } from '#kit/server/db.ts'
import { anonymous } from '#kit/server/handler.ts'
import { code, codes, touch } from '#kit/server/sql.ts'
import { findAll, requireById } from '#kit/server/table.ts'
import { merchant, type Merchant } from '#modules/merchants/contract/merchant.ts'
import { normalizePlate } from '#modules/parking/contract/licence-plate.ts'
import { stayState } from '#modules/parking-lanes/contract/choices.ts'
import { parkingStay } from '#modules/parking-lanes/contract/stay.ts'
import { countMissedPlate, isGuessing } from '#modules/parking-lanes/server/public.ts'
import { findEstateFacts } from '#modules/estates/server/public.ts'
import { claimCoupon, openClaim, type ClaimPage } from '../contract/claim.ts'
import { ticketState } from '../contract/choices.ts'
import { merchantCode } from '../contract/code.ts'
import { merchantCoupon, type MerchantCoupon } from '../contract/coupon.ts'
import { merchantTicket, type MerchantTicket } from '../contract/ticket.ts'
import { couponRefusal, couponText, ticketEnd } from '../domain/coupon.ts'
import { inCompany, type CouponContext } from './coupon-context.ts'
import { readCodeLink, type CodeLink } from './coupon-link.ts'
import { fullText, presentToPlates } from './present.ts'

interface OpenedCode {
  readonly shop: Merchant
  readonly coupon: MerchantCoupon
  /** Of a one-time code. */
  readonly ticket?: MerchantTicket | undefined
  readonly refusal?: string | undefined
}

async function openCode({ id, isFixed }: CodeLink, c: CouponContext): Promise<OpenedCode> {
  const { tx, scope, today } = c
  const ticket = isFixed ? undefined : await requireById(tx, merchantTicket, scope, id)
  const fixed = isFixed ? await requireById(tx, merchantCode, scope, id) : undefined
  const { merchantId, couponId } = ticket ?? fixed ?? refuse('停车券码已删除，请向商户重新索取')
  const shop = await requireById(tx, merchant, scope, merchantId)
  const coupon = await requireById(tx, merchantCoupon, scope, couponId)
  return { shop, coupon, ticket, refusal: refusalOf({ shop, coupon, ticket }, fixed?.state === 'off', today) }
}

function refusalOf({ shop, coupon, ticket }: OpenedCode, isOff: boolean, today: Day): string | undefined {
  if (isOff) return '该停车券码已停用，请向商户索取新码'
  if (ticket?.plateNo !== undefined) return '该停车券码已被领取'
  if (ticket?.state === 'withdrawn') return '该停车券已由商户撤回'
  if (ticket !== undefined && (ticket.state !== 'unused' || ticket.validTo < today)) return '该停车券已过期'
  if (shop.state !== 'open') return '商户已停业，不能领取停车券'
  return couponRefusal(coupon, today)
}

async function pageOf(link: CodeLink, opened: OpenedCode, c: CouponContext): Promise<ClaimPage> {
  const { shop, coupon, ticket, refusal } = opened
  return {
    ...(await findEstateFacts(c.tx, c.scope.ownerId, shop.projectCode)),
    merchantName: shop.name,
    couponName: coupon.couponName,
    valueText: couponText(coupon),
    parkName: coupon.parkName ?? '',
    isFixed: link.isFixed,
    refusal,
    ...(ticket && ticket.plateNo === undefined && refusal === undefined ? { validTo: ticket.validTo } : {}),
  }
}

interface Claimed {
  readonly validTo: Day
  readonly plateNo: string
}

/** One answer for every plate that gets nothing from a fixed code: whether it is inside stays hidden. */
const missedText = (plateNo: string, { dayLimit = 0 }: MerchantCoupon): string =>
  `${plateNo} 不能领取，请核对车牌：车辆入场后领取，每次停车 1 张${dayLimit > 0 ? `，每天 ${dayLimit} 张` : ''}`

/** One scan wins: the code has a plate from then on. */
async function bindTicket(
  { tx, scope, today }: CouponContext,
  { coupon, ticket }: OpenedCode,
  plateNo: string,
): Promise<Claimed> {
  const { ownerId } = scope
  const validTo = ticketEnd(coupon, today)
  const limit = coupon.dayLimit ?? 0
  const used = await tx.rows<{ seq: number }>(sql`
    select day_seq as seq
    from merchant_parking_ticket
    where owner_id = ${ownerId}
      and coupon_id = ${coupon.id}
      and plate_no = ${plateNo}
      and present_day = ${today}::date
      and day_seq is not null
      and state <> ${code(ticketState, 'withdrawn')}
  `)
  const taken = new Set(used.map(({ seq }) => seq))
  const seq = Array.from({ length: limit }, (_, i) => i + 1).find(each => !taken.has(each))
  if (limit > 0 && seq === undefined) {
    refuseField('PlateNo', `${plateNo} ${fullText(coupon)}`)
  }
  const bound = await tx.execute(sql`
    update merchant_parking_ticket
    set plate_no = ${plateNo}, present_day = ${today}::date, day_seq = ${seq ?? null}::integer,
      valid_to = ${validTo}::date, ${touch(scope)}
    where owner_id = ${ownerId}
      and id = ${ticket?.id ?? 0}
      and plate_no is null
      and state = ${code(ticketState, 'unused')}
  `)
  if (bound === 0) {
    refuse('该停车券码已被领取')
  }
  return { plateNo, validTo }
}

/** A fixed code counts for a car that is inside, once in each stay. */
async function claimFixed(
  c: CouponContext,
  codeId: Id,
  { shop, coupon }: OpenedCode,
  plateNo: string,
): Promise<Claimed | 'missed'> {
  const { tx, scope, today } = c
  const [stay] = await findAll(
    tx,
    parkingStay,
    scope,
    { projectCode: coupon.projectCode },
    {
      where: [
        sql`t.park_id = ${coupon.parkId}
          and t.plate_no = ${plateNo}
          and t.state in ${codes(stayState, 'inside', 'paid')}`,
      ],
      limit: 1,
    },
  )
  if (!stay) return 'missed'
  const [before] = await findAll(
    tx,
    merchantTicket,
    scope,
    {},
    {
      where: [
        sql`t.code_id = ${codeId}
          and t.claim_stay_id = ${stay.id}
          and t.state <> ${code(ticketState, 'withdrawn')}`,
      ],
      limit: 1,
    },
  )
  if (before) return 'missed'
  const source = { origin: 'code', shop, coupon, codeId, claimStayId: stay.id } as const
  const { tickets } = await presentToPlates(c, source, [plateNo])
  return tickets.length ? { plateNo, validTo: ticketEnd(coupon, today) } : 'missed'
}

const asDriver = <T>(
  app: App,
  link: CodeLink,
  work: (opened: OpenedCode, c: CouponContext) => Promise<T>,
): Promise<T> => inCompany(app, link.ownerId, '车主扫码', async c => work(await openCode(link, c), c))

const tooManyGuesses = (): Refused =>
  new Refused(resultCode.rateLimited, '查询过于频繁，请十分钟后再试，或向商户索取停车券')

async function claim(
  link: CodeLink,
  opened: OpenedCode,
  c: CouponContext,
  plateNo: string,
): Promise<ClaimPage | 'missed'> {
  if (opened.refusal) return refuse(opened.refusal)
  const claimed = link.isFixed
    ? await claimFixed(c, link.id, opened, plateNo)
    : await bindTicket(c, opened, plateNo)
  if (claimed === 'missed') return claimed
  return { ...(await pageOf(link, opened, c)), ...claimed, state: 'unused' as const }
}

export const claimHandlers = [
  anonymous(openClaim, async ({ token }, { app }) => {
    const link = await readCodeLink(app, token)
    return asDriver(app, link, (opened, c) => pageOf(link, opened, c))
  }),
  anonymous(claimCoupon, async ({ token, plateNo: typed }, { app, ip }) => {
    const plateNo = normalizePlate(typed)
    const link = await readCodeLink(app, token)
    const offered = await asDriver(app, link, async ({ coupon }) => coupon)
    const guess = { ip, parkId: offered.parkId }
    if (link.isFixed && (await isGuessing(app, guess))) throw tooManyGuesses()
    const claimed = await asDriver(app, link, (opened, c) => claim(link, opened, c, plateNo))
    if (claimed !== 'missed') return claimed
    await countMissedPlate(app, guess)
    return refuseField('PlateNo', missedText(plateNo, offered))
  }),
]
