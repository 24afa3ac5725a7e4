/** The tables of this module, each with the other modules that may read it; none but this one writes them. */
export const tables = {
  fee_formula: [],
  fee_item: ['bills', 'fee-reports', 'invoices', 'prestore'],
  fee_package: [],
  fee_relation: ['bills', 'meters', 'onboarding'],
  fee_standard: ['bills'],
  fee_standard_version: ['bills'],
} as const
