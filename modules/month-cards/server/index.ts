import './follow-bills.ts'
import './personal-data.ts'
import { crudHandlers, joinServers } from '#kit/server/crud.ts'
import { registerDependentRows } from '#kit/server/dependents.ts'
import { sql } from '#kit/server/db.ts'
import { contains } from '#kit/server/table.ts'
import { code } from '#kit/server/sql.ts'
import type { Car } from '#modules/parking/contract/car.ts'
import { normalizePlate } from '#modules/parking/contract/licence-plate.ts'
import { monthOrderState } from '../contract/choices.ts'
import { exportMonthOrders, monthOrders } from '../contract/month-order.ts'
import { endingHandlers, unpaidOrdersCron } from './ending.ts'
import { renewalHandlers } from './renewal.ts'

registerDependentRows('car', {
  label: '待支付的月卡订单',
  table: 'park_month_order',
  where: (row: Car) => sql`car_id = ${row.id} and state = ${code(monthOrderState, 'pending')}`,
})

const orderServer = crudHandlers(monthOrders, {
  keyword: word => contains(sql`t.plate_no`, normalizePlate(word)),
  export: exportMonthOrders,
})

export const server = joinServers(orderServer, {
  crons: [unpaidOrdersCron],
  handlers: [...renewalHandlers, ...endingHandlers],
})
