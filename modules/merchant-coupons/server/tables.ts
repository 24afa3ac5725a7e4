/** The tables of this module, each with its readers among the other modules; this one alone writes. */
export const tables = {
  merchant_coupon_code: [],
  merchant_coupon_stock: [],
  merchant_link: [],
  merchant_order: [],
  merchant_order_detail: [],
  merchant_order_return: [],
  merchant_parking_coupon: [],
  merchant_parking_record: [],
  merchant_parking_ticket: [],
} as const
