/** The tables of this module, each with its readers among the other modules; this one alone writes. */
export const tables = {
  purchase: [],
  purchase_order: [],
  purchase_receipt: [],
  purchase_setting: [],
  supplier: [],
} as const
