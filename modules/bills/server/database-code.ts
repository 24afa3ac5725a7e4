/** PostgreSQL's code of a failed statement (`23505`); undefined for other errors. */
export const databaseCodeOf = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined
