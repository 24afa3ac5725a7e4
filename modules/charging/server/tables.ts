/** The tables of this module, each with its readers among the other modules; this one alone writes. */
export const tables = {
  charger_command: [],
  charger_exception: [],
  charger_hub: [],
  charger_order: [],
  charger_port: [],
  charger_sample: [],
  charger_standard: [],
} as const
