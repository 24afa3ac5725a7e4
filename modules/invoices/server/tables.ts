/** The tables of this module, each with the other modules that may read it; none but this one writes them. */
export const tables = {
  invoice_good: [],
  invoice_notice: [],
  invoice_part: [],
  invoice_record: ['fee-reports'],
  invoice_set: [],
  invoice_title: [],
} as const
