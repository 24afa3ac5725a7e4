/** The tables of this module, each with the other modules that may read it; none but this one writes them. */
export const tables = {
  car: ['bills', 'fees', 'month-cards', 'payments', 'prestore'],
  car_group: [],
  car_validity: [],
  park: ['fee-reports', 'merchant-coupons', 'parking-booth', 'parking-lanes'],
  park_place: ['bills', 'fee-reports', 'fees', 'payments', 'resident-bills'],
} as const
