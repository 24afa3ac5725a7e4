/** The tables of this module, each with its readers among the other modules; this one alone writes. */
export const tables = {
  park_count_change: [],
  park_fee_rule: [],
  park_lane: ['parking-booth', 'parking-cameras'],
  park_lane_command: ['parking-booth'],
  park_lane_event: ['parking-booth'],
  parking_charge: ['parking-booth'],
  parking_stay: ['parking-booth', 'parking-payments'],
} as const
