/** The tables of this module, each with its readers among the other modules; this one alone writes. */
export const tables = {
  park_shift: [],
  park_shift_charge: [],
  park_shift_event: [],
} as const
