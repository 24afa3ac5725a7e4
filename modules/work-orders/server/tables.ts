/** The tables of this module, each with the other modules that may read it; none but this one writes them. */
export const tables = {
  work_order: [],
  work_order_charge: [],
  work_order_charge_line: [],
  work_order_duty: [],
  work_order_evaluation: [],
  work_order_notify: [],
  work_order_person: [],
  work_order_person_config: [],
  work_order_record: [],
  work_order_role: [],
  work_order_setting: [],
  work_order_type: ['room-inspection'],
  work_order_visit: [],
  work_order_warning: [],
  work_order_warning_sent: [],
} as const
