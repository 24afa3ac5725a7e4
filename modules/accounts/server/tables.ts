/** The tables of this module, each with the other modules that may read it; none but this one writes them. */
export const tables = {
  captcha: [],
  login_attempt: [],
  manager: ['bills', 'room-inspection', 'work-orders'],
  manager_data_domain: [],
  manager_secret: [],
  print_edition: [],
  project_menu: [],
  property: ['bills', 'payments', 'products', 'residents', 'work-orders'],
  property_print: [],
  property_secret: [],
  qr_login: [],
  role: [],
  sms_code: [],
  used_ticket: [],
} as const
