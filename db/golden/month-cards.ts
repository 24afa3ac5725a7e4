import { defined } from '#kit/domain/defined.ts'
import type { Day } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { findAll, insert } from '#kit/server/table.ts'
import { payableBills } from '#modules/bills/server/public.ts'
import { feeItem } from '#modules/fees/contract/item.ts'
import { feeStandard, standardVersion } from '#modules/fees/contract/standard.ts'
import type { MonthOrder } from '#modules/month-cards/contract/month-order.ts'
import { priceRenewal } from '#modules/month-cards/server/price-renewal.ts'
import { createOrder, type Context } from '#modules/month-cards/server/renewal.ts'
import { car } from '#modules/parking/contract/car.ts'
import { carKind, carState } from '#modules/parking/contract/car-labels.ts'
import { resolvePayer, settle } from '#modules/payments/server/public.ts'
import { seedMoment } from './seed-day.ts'

/** What a month in the car parks of a project costs. */
async function seedStandard(tx: Tx, scope: Scope, projectCode: string): Promise<Id> {
  const item = await insert(tx, feeItem, scope, {
    code: 'YZC',
    name: '月租停车费',
    feeType: 'monthCard',
    category: 'parking',
    incomeKind: 'own',
    inRate: false,
    billMode: 'manual',
    scene: 'car',
    allowMulti: false,
    allowOnline: true,
    autoDeduct: false,
    principalSettles: false,
    lateFeeSwitch: false,
    taxRate: '0.09',
    sort: 45,
    state: 'on',
  })
  const formula = await tx.one<{ id: Id }>(sql`
    select id from fee_formula where owner_id = ${scope.ownerId} and name = '固定金额' and ${notDeleted()}
  `)
  const standard = await insert(tx, feeStandard, scope, {
    projectCode,
    code: 'YZ01',
    name: '地下车库月租',
    feeItemId: item.id,
    formulaId: defined(formula).id,
    cycleType: 'anniversary',
    cycleMonths: 1,
    alignYear: false,
    chargeMode: 'ahead',
    startRule: 'card',
    prorateMode: 'actual',
    advanceDays: 0,
    delayDays: 0,
    dueBase: 'begin',
    dueDays: 0,
    dueSkipHoliday: false,
    roundType: 'halfUp',
    roundUnit: 'fen',
    tiersStretch: true,
    state: 'on',
  })
  await insert(tx, standardVersion, scope, {
    standardId: standard.id,
    effectiveDate: '2000-01-01',
    price: '300',
    extraProrate: false,
  })
  return standard.id
}

async function pay(c: Context, { id, billId, projectCode, plateNo }: MonthOrder): Promise<void> {
  const { tx, scope, now, today } = c
  const bills = await payableBills(tx, scope, [defined(billId)], today, { lock: true })
  const { principal } = defined(bills[0]).owed
  await settle(tx, scope, {
    projectCode,
    type: 'payment',
    bills,
    allocations: [{ billId: defined(billId), principal, late: 0 }],
    tenders: [{ method: 'cash', amount: principal }],
    change: 0,
    toPrestore: 0,
    payer: resolvePayer(bills, {}),
    sourceName: plateNo,
    at: now,
    cashier: { id: scope.operatorId, name: scope.name },
    remark: `月卡订单 ${id}`,
  })
}

/** Renewals of today in a project, the later half of them not paid yet; its month cars have their price. */
export async function seedMonthCards(tx: Tx, owner: Scope, projectCode: string, today: Day): Promise<void> {
  const scope = { ...owner, time: new Date().toISOString() }
  const feeStandardId = await seedStandard(tx, scope, projectCode)
  await tx.execute(sql`
    update car
    set fee_standard_id = ${feeStandardId}
    where owner_id = ${scope.ownerId}
      and project_code = ${projectCode}
      and car_kind = ${code(carKind, 'month')}
      and car_state <> ${code(carState, 'cancelled')}
  `)
  const due = await findAll(
    tx,
    car,
    scope,
    { projectCode, order: 'endDate,id' },
    {
      where: [sql`t.fee_standard_id = ${feeStandardId} and t.car_state = ${code(carState, 'normal')}`],
      limit: 4,
    },
  )
  const c: Context = { tx, scope, today, now: seedMoment(scope) }
  for (const [i, row] of due.entries()) {
    const months = i % 2 ? 3 : 1
    const { amount } = await priceRenewal(tx, scope.ownerId, row, months, today)
    const order = await createOrder(c, { carId: row.id, months, expectAmount: amount })
    if (i < due.length / 2) {
      await pay(c, order)
    }
  }
}
