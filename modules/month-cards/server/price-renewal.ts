import { refuse, refuseField } from '#kit/contract/wire.ts'
import { partsOf, type Day } from '#kit/domain/day.ts'
import type { Decimal } from '#kit/domain/decimal.ts'
import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Fen } from '#kit/domain/money.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import {
  countMonths,
  loadChargeableStandards,
  versionOn,
  type ChargeableStandard,
} from '#modules/fees/server/public.ts'
import type { Car } from '#modules/parking/contract/car.ts'
import { monthOrderState } from '../contract/choices.ts'
import { renewalRefusal } from '../domain/order-state.ts'
import { anchorDayOf, priceOfMonths, renewalBegin, renewalEnd, type RenewalRules } from '../domain/renewal.ts'
import { getRenewalRules } from './settings.ts'

export interface PricedRenewal {
  readonly standard: ChargeableStandard
  readonly unitPrice: Decimal
  readonly oldBegin: Day | undefined
  readonly oldEnd: Day | undefined
  readonly newBegin: Day
  readonly newEnd: Day
  readonly anchorDay: number
  readonly amount: Fen
}

const standardFault = (name: string, fault: string): never =>
  refuse(`月租标准「${name}」${fault}，请编辑车辆，另选标准`)

/** Only a fixed price by the month says what a month costs. */
function faultOfStandard({ standard, item, formula }: ChargeableStandard, today: Day): string | undefined {
  const hasEnded = standard.endDate !== undefined && standard.endDate < today
  if (standard.state === 'off' || item.state === 'off' || hasEnded) return '已停用'
  if (item.feeType !== 'monthCard') return '的收费项目不是月卡类'
  return formula.formulaType === 'fixed' ? undefined : '不是固定金额'
}

async function requireStandard(db: Db, ownerId: Id, row: Car, today: Day): Promise<ChargeableStandard> {
  const id = defined(row.feeStandardId)
  const found = (await loadChargeableStandards(db, ownerId, { ids: [id] })).get(id)
  if (!found) return refuse(`车辆「${row.plateNo}」的月租标准已被删除，请编辑车辆，另选标准`)
  const fault = faultOfStandard(found, today)
  return fault === undefined ? found : standardFault(found.standard.name, fault)
}

/** The day of the month that the last months of the car went by. */
async function findAnchorDay(db: Db, ownerId: Id, carId: Id): Promise<number | undefined> {
  const last = await db.one<{ anchorDay: number }>(sql`
    select anchor_day
    from park_month_order
    where owner_id = ${ownerId}
      and car_id = ${carId}
      and state = ${code(monthOrderState, 'paid')}
      and ${notDeleted()}
    order by new_end desc, id desc
    limit 1
  `)
  return last?.anchorDay
}

const countRenewed = (standard: ChargeableStandard, rules: RenewalRules, months: number, days: [Day, Day]) =>
  rules.monthEnd === 'anniversary'
    ? { numerator: BigInt(months), denominator: 1n }
    : countMonths({ begin: days[0], end: days[1] }, standard.standard.prorateMode).value

/** PRK-4: what months for a car cost today, and the days that they give. */
export async function priceRenewal(
  db: Db,
  ownerId: Id,
  row: Car,
  months: number,
  today: Day,
): Promise<PricedRenewal> {
  const refusal = renewalRefusal(row)
  if (refusal) refuse(refusal)
  const standard = await requireStandard(db, ownerId, row, today)
  const rules = await getRenewalRules(db, ownerId, row.projectCode)
  const newBegin = renewalBegin(row.endDate, today, rules)
  const earlier = [
    await findAnchorDay(db, ownerId, row.id),
    row.beginDate === undefined ? undefined : partsOf(row.beginDate)[2],
  ]
  const anchorDay = anchorDayOf(newBegin, earlier)
  const newEnd = renewalEnd(newBegin, months, rules.monthEnd, anchorDay)
  const unitPrice = versionOn(standard.prepared.standard.versions, newBegin)?.price
  if (unitPrice === undefined) return standardFault(standard.standard.name, `在 ${newBegin} 没有单价`)
  const amount = priceOfMonths(unitPrice, countRenewed(standard, rules, months, [newBegin, newEnd]))
  if (amount === 0) {
    refuseField('Months', '金额为零，无需续费；请用“调整有效期”办理')
  }
  const { beginDate: oldBegin, endDate: oldEnd } = row
  return { standard, unitPrice, oldBegin, oldEnd, newBegin, newEnd, anchorDay, amount }
}
