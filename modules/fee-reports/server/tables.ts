/** The tables of this module, each with the other modules that may read it; none but this one writes them. */
export const tables = {
  fc_pending: [],
  fc_summary: [],
  fee_month: [],
  fee_pulse: [],
  fee_pulse_time: [],
} as const
