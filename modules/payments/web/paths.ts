import type { Id } from '#kit/domain/id.ts'
import { cashierPath } from '#modules/bills/contract/cashier-address.ts'

const basePath = '/finance/chargemanage'

/** Where the screens of this module are. */
export const paths = {
  cashier: cashierPath,
  records: `${basePath}/paidbills`,
  refunds: `${basePath}/backpaidbills`,
  trades: `${basePath}/tradingcenter`,
  handover: `${basePath}/handover`,
  close: `${basePath}/dayclose`,
} as const

export const recordPath = (id: Id): string => `${paths.records}/paidbilldetail/${id}`
