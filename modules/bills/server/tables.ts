/** The tables of this module, each with the other modules that may read it; none but this one writes them. */
export const tables = {
  bill: [
    'deposits',
    'fee-reports',
    'invoices',
    'merchant-coupons',
    'month-cards',
    'payments',
    'prestore',
    'resident-bills',
    'work-orders',
  ],
  bill_adjust: ['fee-reports'],
  /** Counted by servers of the version before alone; `document_counter` took its place. */
  bill_counter: [],
  bill_follow_up: [],
  bill_month: ['fee-reports'],
  bill_move: ['fee-reports'],
  bill_run: [],
  fee_notice: [],
  share_pool: [],
} as const
