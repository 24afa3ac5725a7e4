/** The tables of this module, each with its readers among the other modules; this one alone writes. */
export const tables = {
  park_month_order: ['parking-booth'],
} as const
