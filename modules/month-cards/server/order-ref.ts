/** What bills and pay orders of months name them by. */
export const monthOrderRef = 'monthOrder'
