/** The tables of this module, each with the other modules that may read it; none but this one writes them. */
export const tables = {
  merchant: ['merchant-coupons'],
  merchant_account: [],
  merchant_session: [],
  merchant_staff: [],
} as const
