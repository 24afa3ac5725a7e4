/** The tables of this module, each with the other modules that may read it; none but this one writes them. */
export const tables = {
  meter: ['bills', 'fee-reports', 'fees'],
  meter_plan: [],
  meter_reading: ['bills', 'fee-reports'],
  meter_replace: ['bills'],
  meter_unread: [],
} as const
