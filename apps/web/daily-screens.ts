import type { DailyScreen } from '#kit/web/shell/choose-quick-links.ts'

/**
 * What the people of an estate do from day to day, each with the permission that it needs. The first five
 * that somebody may do are the default shortcuts until there is a usage history; settings are not among them.
 */
export const dailyScreens: readonly DailyScreen[] = [
  { path: '/finance/chargemanage/cashier', right: 'payments.cashier.pay' },
  { path: '/finance/chargemanage/chargeList', right: 'bills.bill.view' },
  { path: '/finance/chargemanage/paidbills', right: 'payments.record.view' },
  { path: '/finance/chargemanage/backpaidbills', right: 'payments.refund.view' },
  { path: '/finance/chargemanage/handover', right: 'payments.handover.view' },
  { path: '/intelligentMeter/checkmeter', right: 'meters.reading.add' },
  { path: '/intelligentMeter/checkmeter/mobilemeterreading', right: 'meters.reading.phone' },
  { path: '/quality/workOrderManagement/mine', right: 'work-orders.order.handle' },
  { path: '/quality/workOrderManagement/register', right: 'work-orders.order.add' },
  { path: '/intelligentMeter/checkmeter/records', right: 'meters.reading.add' },
  { path: '/customer/usermanage/residency', right: 'residents.link.checkout' },
  { path: '/customer/usermanage', right: 'residents.resident.add' },
  { path: '/quality/serviceManage/feedbacklist', right: 'system.suggest.edit' },
  { path: '/service/data/roomboard', right: 'rooms.room.view' },
  { path: '/intelligence/metermanage/metermanage', right: 'meters.meter.edit' },
  { path: '/service/data/PublicAreaManage', right: 'estates.area.edit' },
  { path: '/service/data/parklots/carportlist', right: 'parking.place.state' },
]
