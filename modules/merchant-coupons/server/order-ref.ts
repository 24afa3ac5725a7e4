/** What bills and pay orders of merchants name them by. */
export const merchantOrderRef = 'merchantOrder'
