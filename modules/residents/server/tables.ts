/** The tables of this module, each with the other modules that may read it; none but this one writes them. */
export const tables = {
  face_key: [],
  identity_card: [],
  resident: ['bills', 'companies', 'fees', 'payments', 'prestore', 'work-orders'],
  resident_wechat_ticket: [],
  user_blocklist: [],
  user_room: ['bills', 'fees', 'payments', 'work-orders'],
  user_room_log: [],
} as const
