/** The tables of this module, each with the other modules that may read it; none but this one writes them. */
export const tables = {
  company: ['access', 'bills', 'fees', 'invoices', 'parking', 'payments', 'prestore', 'resident-page'],
  company_room: ['access', 'fees', 'payments', 'visitors'],
  company_worker: ['access', 'parking', 'resident-page'],
} as const
