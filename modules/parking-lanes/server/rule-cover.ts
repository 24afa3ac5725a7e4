import { labelOf } from '#kit/contract/field.ts'
import type { Day } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import { dayOfMoment } from '#kit/domain/moment.ts'
import { sql } from '#kit/server/db.ts'
import type { WriteContext } from '#kit/server/handler.ts'
import { codes } from '#kit/server/sql.ts'
import { findAll } from '#kit/server/table.ts'
import { carKind as carKindChoice } from '#modules/parking/contract/car-labels.ts'
import { stayState } from '../contract/choices.ts'
import type { ParkFeeRule } from '../contract/fee-rule.ts'
import { parkingStay, type ParkingStay } from '../contract/stay.ts'
import { isInGap, priceGaps, type PriceGap } from '../domain/applicable-rule.ts'
import { chargedSpan } from '../domain/stay-charge.ts'
import { findStayRights } from './stay-rights.ts'

const shownPlates = 3
const maxInside = 20_000

type Context = Pick<WriteContext, 'tx' | 'scope' | 'now' | 'today'>

export interface PricedPark {
  readonly parkId: Id
  readonly parkName: string
  readonly isOpen: boolean
}

/** Cars that come in from today on would leave without paying. */
function laterFault({ parkName }: PricedPark, gaps: readonly PriceGap[], today: Day): string | undefined {
  const ended = gaps.filter(gap => isInGap(gap, today))
  const [first] = ended
  if (!first) return undefined
  const kinds = ended.map(({ kind }) => labelOf(carKindChoice, kind)).join('、')
  const until = first.until === undefined ? '此后' : `${first.until} 之前`
  const remedy = `请先新增自 ${today} 起生效的规则，不再收费的新增金额为 0 的规则`
  return `「${parkName}」${until}入场的${kinds}将没有收费规则，不计费；${remedy}`
}

/** Cars that are inside and owe by a rule would owe nothing. */
async function insideFault(
  { parkId }: PricedPark,
  gaps: readonly PriceGap[],
  { tx, scope, now }: Context,
): Promise<string | undefined> {
  const where = [sql`t.park_id = ${parkId}`, sql`t.state in ${codes(stayState, 'inside', 'paid')}`]
  const inside = await findAll(tx, parkingStay, scope, { order: 'inTime' }, { where, limit: maxInside })
  const rightOf = await findStayRights(tx, scope.ownerId, inside, now)
  const losesPrice = (stay: ParkingStay): boolean => {
    if (!stay.inTime) return false
    const span = chargedSpan({ ...stay, inTime: stay.inTime }, rightOf(stay), now)
    const day = dayOfMoment(stay.inTime)
    return gaps.some(gap => gap.kind === span?.carKind && isInGap(gap, day))
  }
  const free = inside.filter(losesPrice)
  const [first] = free
  if (!first?.inTime) return undefined
  const plates = free.slice(0, shownPlates).map(stay => stay.plateNo)
  const shown = `${plates.join('、')}${free.length > shownPlates ? ' 等' : ''}`
  const remedy = `请先新增 ${dayOfMoment(first.inTime)} 或更早生效的规则，或待车辆离场`
  return `在场的 ${free.length} 辆车（${shown}）将没有收费规则，出场不计费；${remedy}`
}

/** Why rules of a car park may not become others: cars would be left without any that is for them. */
export async function coverFault(
  park: PricedPark,
  before: readonly ParkFeeRule[],
  after: readonly ParkFeeRule[],
  c: Context,
): Promise<string | undefined> {
  const gaps = priceGaps(before, after)
  if (!gaps.length) return undefined
  return (await insideFault(park, gaps, c)) ?? (park.isOpen ? laterFault(park, gaps, c.today) : undefined)
}
