import type { DailyScreen } from '#kit/web/shell/choose-quick-links.ts'
import { paths as billPaths } from '#modules/bills/module.ts'
import { publicAreaScreens } from '#modules/estates/module.ts'
import { paths as meterPaths } from '#modules/meters/module.ts'
import { placeScreens } from '#modules/parking/module.ts'
import { paths as paymentPaths } from '#modules/payments/module.ts'
import { paths as residentPaths } from '#modules/residents/module.ts'
import { paths as roomPaths } from '#modules/rooms/module.ts'
import { paths as systemPaths } from '#modules/system/module.ts'
import { paths as orderPaths } from '#modules/work-orders/module.ts'

/**
 * What the people of an estate do from day to day, each with the permission that it needs. The first five
 * that somebody may do are the default shortcuts until there is a usage history; settings are not among them.
 */
export const dailyScreens: readonly DailyScreen[] = [
  { path: paymentPaths.cashier, right: 'payments.cashier.pay' },
  { path: billPaths.bills, right: 'bills.bill.view' },
  { path: paymentPaths.records, right: 'payments.record.view' },
  { path: paymentPaths.refunds, right: 'payments.refund.view' },
  { path: paymentPaths.handover, right: 'payments.handover.view' },
  { path: meterPaths.readings, right: 'meters.reading.add' },
  { path: meterPaths.phoneReading, right: 'meters.reading.phone' },
  { path: orderPaths.own, right: 'work-orders.order.handle' },
  { path: orderPaths.register, right: 'work-orders.order.add' },
  { path: meterPaths.records, right: 'meters.reading.add' },
  { path: residentPaths.links, right: 'residents.link.checkout' },
  { path: residentPaths.list, right: 'residents.resident.add' },
  { path: systemPaths.suggestions, right: 'system.suggest.edit' },
  { path: roomPaths.board, right: 'rooms.room.view' },
  { path: meterPaths.meters, right: 'meters.meter.edit' },
  { path: publicAreaScreens.paths.list, right: 'estates.area.edit' },
  { path: placeScreens.paths.list, right: 'parking.place.state' },
]
