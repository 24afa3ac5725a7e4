import { sourceType } from '#modules/fees/contract/choices.ts'
import { cashierAddress } from '#modules/payments/module.ts'
import type { MonthOrder } from '../contract/month-order.ts'

export { paths } from '../module.ts'

/** The cashier with the bills of the car open. */
export const cashierPath = ({ carId, projectCode }: Pick<MonthOrder, 'carId' | 'projectCode'>): string =>
  cashierAddress(sourceType.rows.car[0], String(carId), projectCode)
