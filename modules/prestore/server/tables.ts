/** The tables of this module, each with the other modules that may read it; none but this one writes them. */
export const tables = {
  prestore_account: ['fee-reports', 'invoices'],
  prestore_entry: ['invoices'],
  prestore_switch: [],
  prestore_transfer: [],
} as const
