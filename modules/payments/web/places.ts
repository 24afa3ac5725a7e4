const base = '/finance/chargemanage'

/** Where the screens of this module are. */
export const places = {
  cashier: `${base}/cashier`,
  records: `${base}/paidbills`,
  refunds: `${base}/backpaidbills`,
  trades: `${base}/tradingcenter`,
  handover: `${base}/handover`,
  close: `${base}/dayclose`,
} as const

export const seeRecord = (id: number): string => `${places.records}/paidbilldetail/${id}`
