import { invalidField } from '#kit/contract/wire.ts'
import { addFen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import { anonymous, type AnonymousContext } from '#kit/server/handler.ts'
import { codes } from '#kit/server/sql.ts'
import { findAll, findByIds } from '#kit/server/table.ts'
import { estate } from '#modules/estates/contract/estate.ts'
import { normalizePlate } from '#modules/parking/contract/licence-plate.ts'
import { hasEntryCamera } from '#modules/parking-cameras/server/public.ts'
import { stayState } from '#modules/parking-lanes/contract/choices.ts'
import { parkingStay, type ParkingStay } from '#modules/parking-lanes/contract/stay.ts'
import {
  couponLinesOf,
  discountsOf,
  duesOf,
  durationText,
  findWaitingPlate,
  isCoveredByCoupons,
  isInside,
  sentenceOf,
  stayMinutes,
} from '#modules/parking-lanes/server/public.ts'
import { findPayerStay, getPayerReceipt, openPayerPage, payStay, type PayerStay } from '../contract/payer.ts'
import { assertCanAsk, missedPlate } from './guesses.ts'
import { invalidCode, readPayLink, signPayLink } from './pay-link.ts'
import {
  atScannedPlace,
  findOwnStay,
  inCompanyOf,
  type ScanContext,
  type ScannedPlace,
} from './scanned-place.ts'
import { findStayOrder, startStayPayment } from './stay-order.ts'

const findEstate = async ({ tx, scope }: ScanContext, projectCode: string) =>
  (await findAll(tx, estate, scope, { projectCode }, { limit: 1 }))[0]

async function viewOfPlace(place: ScannedPlace, c: ScanContext, carKey: string | undefined) {
  const { lot, lane, ownerId } = place
  const isExit = lane !== undefined && lane.direction !== 'entrance'
  const found = await findEstate(c, lot.projectCode)
  const own = await findOwnStay(place, c, carKey)
  return {
    estateName: found?.name ?? '',
    servicePhone: found?.servicePhone,
    parkName: lot.name,
    laneName: lane?.laneName,
    direction: lane?.direction,
    canEnter: lane ? lane.direction !== 'exit' && (await hasEntryCamera(c.tx, ownerId, lane)) : false,
    waitingPlate: isExit ? await findWaitingPlate(c.tx, ownerId, lane.id, c.now) : undefined,
    ownPlate: own?.plateNo,
  }
}

/** What the page shows of a stay; nothing of one that has nothing to pay, such as that of a month car. */
async function viewOfStay(
  stay: ParkingStay,
  { tx, scope, now }: ScanContext,
): Promise<PayerStay | undefined> {
  const owed = (await duesOf(tx, scope, [stay], now))(stay)
  const settled = addFen(stay.paid, stay.discount)
  if (!stay.inTime || (!owed.fee.blocks.length && settled === 0)) return undefined
  const minutes = stayMinutes(stay.inTime, now)
  return {
    plateNo: stay.plateNo,
    inTime: stay.inTime,
    stayMinutes: minutes,
    stayText: durationText(minutes),
    shouldPay: owed.shouldPay,
    paid: stay.paid,
    ...(await discountsOf(tx, scope.ownerId, stay.id, owed)),
    due: owed.due,
    sentence: sentenceOf(stay, owed),
    coupons: couponLinesOf(owed),
    leaveBefore: owed.leaveBefore,
    isCovered: isCoveredByCoupons(owed),
  }
}

interface AskedCar {
  readonly code: string
  readonly plateNo?: string | undefined
  readonly carKey?: string | undefined
}

const findByPlate = async (
  { lot }: ScannedPlace,
  { tx, scope }: ScanContext,
  plateNo: string,
): Promise<ParkingStay | undefined> => {
  const where = [
    sql`t.park_id = ${lot.id} and t.plate_no = ${plateNo}`,
    sql`t.state in ${codes(stayState, 'inside', 'paid')}`,
  ]
  return (await findAll(tx, parkingStay, scope, {}, { where, limit: 1 }))[0]
}

interface FoundStay {
  readonly stay: ParkingStay
  readonly view: PayerStay
}

interface Answer {
  readonly place: ScannedPlace
  readonly found: FoundStay | undefined
  /** Nobody has guessed it: the lane has seen the car, or the telephone has brought it in. */
  readonly isKnown: boolean
}

async function lookUp(
  place: ScannedPlace,
  c: ScanContext,
  { plateNo, carKey }: Omit<AskedCar, 'code'>,
): Promise<Answer> {
  const { ownerId, lane } = place
  const plate = plateNo === undefined ? undefined : normalizePlate(plateNo)
  const stay = plate === undefined ? await findOwnStay(place, c, carKey) : await findByPlate(place, c, plate)
  const view = stay && (await viewOfStay(stay, c))
  const isWaiting =
    plate !== undefined && lane && (await findWaitingPlate(c.tx, ownerId, lane.id, c.now)) === plate
  return {
    place,
    found: stay && view ? { stay, view } : undefined,
    isKnown: isWaiting || (plate === undefined && stay !== undefined),
  }
}

/**
 * The stay that somebody asks for: of the telephone's own car, of the car that the lane itself has seen,
 * or of a plate, which may be a guess.
 */
async function requireStay({ app, ip }: AnonymousContext, { code, ...car }: AskedCar) {
  if (car.plateNo === undefined && car.carKey === undefined) throw invalidField('PlateNo', '请输入车牌')
  const { place, found, isKnown } = await atScannedPlace(app, code, (at, c) => lookUp(at, c, car))
  const guess = { ip, parkId: place.lot.id }
  if (!isKnown) {
    await assertCanAsk(app, guess)
  }
  if (!found) throw await missedPlate(app, guess)
  return { ...found, ownerId: place.ownerId }
}

async function pay(anybody: AnonymousContext, input: AskedCar & { readonly amount: PayerStay['due'] }) {
  const { app } = anybody
  const { stay, ownerId } = await requireStay(anybody, input)
  const started = await inCompanyOf(app, ownerId, c => startStayPayment(c, stay.id, input.amount))
  if (started.kind === 'covered')
    return { receipt: await signPayLink(app, { kind: 'stay', ownerId, id: stay.id }) }
  const { id, url } = started.order
  return { url, receipt: await signPayLink(app, { kind: 'order', ownerId, id }) }
}

/** How it went: of an order, or of a stay whose coupons covered all. */
async function receiptOf({ app }: AnonymousContext, token: string) {
  const link = await readPayLink(app, token, ['order', 'stay'])
  if (!link) throw invalidCode()
  return inCompanyOf(app, link.ownerId, async c => {
    const order = link.kind === 'order' ? await findStayOrder(c.tx, link.ownerId, link.id) : undefined
    const stayId = link.kind === 'stay' ? link.id : order?.refId
    const [stay] = stayId === undefined ? [] : await findByIds(c.tx, parkingStay, c.scope, [stayId])
    if (!stay || (link.kind === 'order' && !order)) throw invalidCode()
    const inNow = isInside(stay)
    const owed = inNow ? (await duesOf(c.tx, c.scope, [stay], c.now))(stay) : undefined
    return {
      plateNo: stay.plateNo,
      parkName: stay.parkName ?? '',
      amount: order?.amount ?? (0 as const),
      state: order?.state ?? ('paid' as const),
      isReturned: order?.state === 'refunded',
      hasLeft: !inNow,
      leaveBefore: owed?.leaveBefore,
    }
  })
}

export const payerHandlers = [
  anonymous(openPayerPage, ({ code, carKey }, { app }) =>
    atScannedPlace(app, code, (place, c) => viewOfPlace(place, c, carKey)),
  ),
  anonymous(findPayerStay, async (input, a) => (await requireStay(a, input)).view),
  anonymous(payStay, (input, a) => pay(a, input)),
  anonymous(getPayerReceipt, ({ receipt }, a) => receiptOf(a, receipt)),
]
