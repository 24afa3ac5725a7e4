/** What hosts pay; orders are of payments, charges and stays of the lanes. */
export const tables = { parking_host_fee: [] } as const
