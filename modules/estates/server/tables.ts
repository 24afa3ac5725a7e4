/** The tables of this module, each with the other modules that may read it; none but this one writes them. */
export const tables = {
  building: ['accounts', 'cleaning', 'fee-reports', 'meters'],
  estate: [
    'access',
    'accounts',
    'bills',
    'charging',
    'companies',
    'fee-reports',
    'files',
    'merchant-coupons',
    'prestore',
    'system',
    'visitors',
    'wechat',
    'work-orders',
  ],
  estate_setting: ['bills', 'meters', 'parking', 'parking-cameras'],
  public_area: ['bills', 'fees', 'meters', 'payments', 'planned-work'],
  unit: [],
} as const
