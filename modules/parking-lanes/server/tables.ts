/** The tables of this module, each with its readers among the other modules; this one alone writes. */
export const tables = {
  park_count_change: [],
  park_fee_rule: [],
  park_lane: [],
  park_lane_command: [],
  park_lane_event: [],
  parking_charge: [],
  parking_stay: [],
} as const
