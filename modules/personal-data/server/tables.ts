/** The tables of this module, each with the other modules that may read it; none but this one writes them. */
export const tables = {
  erasure_request: [],
  personal_data_hold: [],
  retention_run: [],
  retention_setting: [],
} as const
