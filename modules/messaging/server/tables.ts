/** The tables of this module, each with its readers among the other modules; this one alone writes. */
export const tables = {
  message_batch: [],
  message_early_report: [],
  message_pace: [],
  outgoing_message: [],
  property_sms: [],
  sms_account: [],
  sms_block: [],
  sms_ledger: [],
  sms_number: [],
  sms_number_file: [],
  sms_template: [],
} as const
