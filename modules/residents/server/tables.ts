/** The tables of this module, each with the other modules that may read it; none but this one writes them. */
export const tables = {
  face_key: ['access'],
  identity_card: ['access'],
  resident: ['access', 'bills', 'companies', 'fees', 'parking', 'payments', 'prestore', 'work-orders'],
  resident_fingerprint: ['access'],
  resident_fingerprint_template: [],
  resident_wechat_ticket: [],
  user_blocklist: ['access', 'visitors'],
  user_room: [
    'access',
    'bills',
    'deposits',
    'fees',
    'payments',
    'prestore',
    'room-inspection',
    'rooms',
    'work-orders',
  ],
  user_room_log: ['access'],
} as const
