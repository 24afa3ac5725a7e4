import { defined } from '#kit/domain/defined.ts'
import { addDays, type Day } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import { asFen } from '#kit/domain/money.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { openGoldenApp } from '#db/golden/golden-app.ts'
import { getBill } from '#modules/bills/contract/bill-detail.ts'
import { updateEstateSetting } from '#modules/estates/contract/estate.ts'
import { listFormulas } from '#modules/fees/contract/formula.ts'
import { addItem } from '#modules/fees/contract/item.ts'
import { addStandard } from '#modules/fees/contract/standard-calls.ts'
import { cars, type Car } from '#modules/parking/contract/car.ts'
import { payBills } from '#modules/payments/contract/payment.ts'
import { getMonthOrder, type MonthOrder } from '../contract/month-order.ts'
import { quoteRenewal, renewCar } from '../contract/renewal.ts'

export const today: Day = '2026-11-21'
export const projectCode = 'GOLD0001'

const itemOf = (code: string, feeType: 'monthCard' | 'cyclic') =>
  ({
    code,
    name: `月租费${code}`,
    feeType,
    category: 'parking',
    incomeKind: 'own',
    inRate: true,
    billMode: 'manual',
    scene: 'car',
    allowMulti: false,
    allowOnline: true,
    autoDeduct: false,
    principalSettles: false,
    lateFeeSwitch: false,
  }) as const

const standardOf = (code: string) =>
  ({
    projectCode,
    code,
    name: `月租${code}`,
    cycleType: 'anniversary',
    cycleMonths: 1,
    alignYear: false,
    chargeMode: 'ahead',
    startRule: 'fixedDate',
    prorateMode: 'actual',
    advanceDays: 0,
    delayDays: 0,
    dueBase: 'begin',
    dueDays: 0,
    dueSkipHoliday: false,
    roundType: 'halfUp',
    roundUnit: 'fen',
    tiersStretch: true,
    effectiveDate: '2025-01-01',
  }) as const

/** A project whose cars pay 300 a month; nobody approves a refund. */
export async function openMonthCardFixture() {
  const t = await openGoldenApp({ works: true })
  const me: CallOptions = await t.owner
  const set = (key: string, value: string) => t.call(updateEstateSetting, { projectCode, key, value }, me)
  await set('RefundAuditFrom', '99999999')
  const formulas = (await t.call(listFormulas, { keyword: '固定金额', size: 50 }, me)).rows
  const formulaId = defined(formulas.find(row => row.formulaType === 'fixed')).id
  const addPriced = async (code: string, feeType: 'monthCard' | 'cyclic'): Promise<Id> => {
    const { id: feeItemId } = await t.call(addItem, itemOf(code, feeType), me)
    const input = { ...standardOf(code), feeItemId, formulaId, price: '300' }
    return (await t.call(addStandard, input, me)).id
  }
  const feeStandardId = await addPriced('YK', 'monthCard')
  let counter = 0
  return {
    t,
    me,
    set,
    addPriced,
    addCar: (overrides: object = {}): Promise<Car> =>
      t.call(
        cars.add,
        {
          projectCode,
          plateNo: `粤M${String(10_000 + ++counter)}`,
          plateColor: 'blue',
          carKind: 'month',
          ownerName: '钱一',
          beginDate: addDays(today, -30),
          endDate: addDays(today, 9),
          feeStandardId,
          ...overrides,
        },
        me,
      ),
    renew: async (row: Car, months = 1): Promise<MonthOrder> => {
      const { amount } = await t.call(quoteRenewal, { carId: row.id, months }, me)
      return t.call(renewCar, { carId: row.id, months, expectAmount: amount }, me)
    },
    pay: async (order: MonthOrder, amount = order.amount) => {
      const { unpaid } = await t.call(getBill, { id: defined(order.billId) }, me)
      return t.call(
        payBills,
        {
          projectCode,
          billIds: [String(order.billId)],
          expectAmount: unpaid,
          methods: [{ method: 'cash', amount: asFen(amount) }],
        },
        me,
      )
    },
    readCar: (row: Car): Promise<Car> => t.call(cars.get, { id: row.id }, me),
    readOrder: (order: MonthOrder): Promise<MonthOrder> => t.call(getMonthOrder, { id: order.id }, me),
  }
}

export type MonthCardFixture = Awaited<ReturnType<typeof openMonthCardFixture>>
