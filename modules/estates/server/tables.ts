/** The tables of this module, each with the other modules that may read it; none but this one writes them. */
export const tables = {
  building: ['accounts', 'activities', 'cleaning', 'fee-reports', 'meters', 'notices', 'resident-page'],
  estate: [
    'access',
    'accounts',
    'bills',
    'charging',
    'companies',
    'fee-reports',
    'files',
    'messaging',
    'notices',
    'prestore',
    'resident-page',
    'system',
    'visitors',
    'wechat',
    'work-orders',
  ],
  estate_setting: ['bills', 'meters', 'parking', 'parking-cameras'],
  public_area: ['bills', 'fees', 'meters', 'payments', 'planned-work'],
  unit: [],
} as const
