/** The tables of this module, each with its readers among the other modules; this one alone writes. */
export const tables = {
  attendance_apply: [],
  attendance_day: [],
  attendance_device: [],
  attendance_exemption: [],
  attendance_group: [],
  attendance_log: [],
  attendance_member: [],
  attendance_month: [],
  attendance_schedule: [],
  attendance_shift: [],
} as const
