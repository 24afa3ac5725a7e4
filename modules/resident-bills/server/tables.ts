/** This module stores nothing: bills are of `bills`, orders and records of `payments`. */
export const tables = {} as const
