/** The tables of this module, each with the other modules that may read it; none but this one writes them. */
export const tables = {
  cashier_handover: [],
  day_close: ['fee-reports'],
  fee_refund: ['fee-reports', 'reconcile'],
  pay_channel: ['reconcile'],
  pay_detail: ['deposits', 'fee-reports', 'merchant-coupons', 'resident-bills', 'work-orders'],
  pay_line: [],
  pay_notice: [],
  pay_order: ['reconcile'],
  pay_record: [
    'deposits',
    'fee-reports',
    'invoices',
    'merchant-coupons',
    'onboarding',
    'prestore',
    'reconcile',
    'resident-bills',
  ],
  pos_terminal: [],
  receipt_counter: [],
} as const
