const textMember = (value: unknown, key: 'code' | 'message' | 'severity'): string => {
  if (typeof value !== 'object' || value === null || !(key in value)) return ''
  const member: unknown = Reflect.get(value, key)
  return typeof member === 'string' ? member : ''
}

/** The code of an error of PostgreSQL (`23505`) or of Node (`ECONNRESET`); empty where it has none. */
export const errorCode = (error: unknown): string => textMember(error, 'code')

/** The text of an error, whatever was thrown. */
export const errorMessage = (error: unknown): string =>
  textMember(error, 'message') || errorCode(error) || String(error)

/** PostgreSQL itself refused the statement; its connection remains usable. */
export const isServerError = (error: unknown): boolean => textMember(error, 'severity') !== ''

/**
 * The columns of a prepared statement have another type since it was prepared: a migration ran beside this
 * process. The connection refuses the statement until it is prepared under another name.
 */
export const isOutdatedPlan = (error: unknown): boolean =>
  errorCode(error) === '0A000' && errorMessage(error).startsWith('cached plan must not change')

/**
 * PostgreSQL chose this transaction as a deadlock's victim, could not serialise it, or did not run it with
 * statements from before a migration: it has been undone.
 */
export const isRetriable = (error: unknown): boolean =>
  ['40001', '40P01'].includes(errorCode(error)) || isOutdatedPlan(error)

/** A statement came after one that failed: says nothing of why. */
export const isAborted = (error: unknown): boolean => errorCode(error) === '25P02'

/**
 * Errors of connections to the database. Of Node's codes (`ECONNRESET`) no error says whose connection it
 * was: one to a file store or a payment channel has the same.
 */
const connectionErrors = new WeakSet<object>()

/** Where a connection to the database fails, its error is marked as such; returns the error. */
export function markConnectionError<T>(error: T): T {
  if (typeof error === 'object' && error !== null) {
    connectionErrors.add(error)
  }
  return error
}

const isConnectionError = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && connectionErrors.has(error)

const connectionMessages =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|server closed the connection unexpectedly|failure on connection marked as essential/
/** Citus: a node is gone, reported without a code that would say so. */
const nodeMessages = [
  /^failed to (COPY to shard|complete COPY on|read result|send \d+ bytes)/,
  /^(could not connect to any active placements|connection not open|connection to the remote node)/,
  /^terminating connection (due to|because of)/,
  /^the database system is (starting up|shutting down|in recovery mode|not yet accepting connections)/,
]

/**
 * PostgreSQL cannot be reached, is going down or lacks memory or connections (class 53 but a full disk,
 * `disk-space.ts`): the caller may come back soon. When a node of a distributed
 * engine dies under a statement, only the message says so.
 */
export const isDatabaseUnavailable = (error: unknown): boolean =>
  /^(08|57P0|53(?!100))/.test(errorCode(error)) ||
  isConnectionError(error) ||
  connectionMessages.test(textMember(error, 'message')) ||
  nodeMessages.some(pattern => pattern.test(textMember(error, 'message')))
