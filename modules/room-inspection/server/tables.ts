/** The tables of this module, each with its readers among the other modules; this one alone writes. */
export const tables = {
  inspection_check: [],
  inspection_finding: [],
  inspection_item: [],
  inspection_standard: [],
  room_inspection: [],
} as const
