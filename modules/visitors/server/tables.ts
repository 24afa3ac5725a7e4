/** The tables of this module, each with its readers among the other modules; this one alone writes. */
export const tables = {
  invite_code_reading: [],
  invite_rule: [],
  invite_template: [],
  invite_valid: [],
  invite_visitor: ['parking-payments'],
  visit_record: [],
  visitor_block: [],
  visitor_check_type: [],
  visitor_invitation: ['parking-payments'],
  visitor_location: [],
  visitor_setting: [],
} as const
