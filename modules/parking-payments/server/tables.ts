/** It has no table of its own: orders are of payments, charges and stays of the lanes. */
export const tables = {} as const
