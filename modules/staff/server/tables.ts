/** The tables of this module, each with the other modules that may read it; none but this one writes them. */
export const tables = {
  department: ['approvals', 'attendance', 'messaging', 'notices', 'patrol', 'work-orders'],
  staff: [
    'access',
    'approvals',
    'attendance',
    'cleaning',
    'messaging',
    'notices',
    'patrol',
    'planned-work',
    'portal',
    'purchases',
    'residents',
    'work-orders',
  ],
  staff_fingerprint: ['access'],
  staff_fingerprint_template: [],
  staff_tag: [],
} as const
