/** The tables of this module, each with the other modules that may read it; none but this one writes them. */
export const tables = {
  holiday: ['attendance'],
  notification: ['notices'],
  notification_setting: [],
  property_suggest: [],
  system_notice: [],
  user_setup: [],
} as const
