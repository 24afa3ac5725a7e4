/** The tables of this module, each with its readers among the other modules; this one alone writes. */
export const tables = {
  access_dirty: [],
  access_plan_day: [],
  access_record: [],
  access_record_rest: [],
  doorway: [],
  doorway_device: ['visitors'],
  doorway_group: [],
  doorway_public_time: [],
  intercom: [],
  pass_code: [],
  person_link: [],
  vip_doorway: [],
} as const
