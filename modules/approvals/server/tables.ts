/** The tables of this module, each with its readers among the other modules; this one alone writes. */
export const tables = {
  process: [],
  process_comment: [],
  process_copy: [],
  process_delegate: [],
  process_edition: [],
  process_form: [],
  process_instance: [],
  process_signature: [],
  process_task: [],
} as const
