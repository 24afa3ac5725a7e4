/** The message of whatever was thrown, for the log. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
