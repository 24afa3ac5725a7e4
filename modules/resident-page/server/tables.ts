/** This module stores nothing: its links are signed, its parts are those of other modules. */
export const tables = {} as const
