/** The tables of this module, each with the other modules that may read it; none but this one writes them. */
export const tables = {
  room: [
    'access',
    'bills',
    'companies',
    'deposits',
    'fees',
    'messaging',
    'meters',
    'notices',
    'parking-payments',
    'payments',
    'prestore',
    'resident-bills',
    'resident-page',
    'residents',
    'room-inspection',
    'visitors',
    'work-orders',
  ],
  room_change_log: [],
} as const
