import { CompanyLocked } from '#kit/server/company-scope.ts'
import { errorCode, isServerError } from '#kit/server/database-error.ts'
import { isDatabaseUnavailable } from '#kit/server/db.ts'
import { KeyRevoked } from './key-revoked.ts'

/** PostgreSQL on the data itself: out of range, a rule that it breaks, too large. It says so every time. */
const ofData = /^(22|23|42|54)/

/**
 * Whether a message that was not stored may be stored when it comes again: its failure is the database's, not
 * its own, or the company is taken for a while. One that fails by itself is refused, or it would keep those
 * behind it waiting for ever.
 */
export const isRetryable = (err: unknown): boolean =>
  err instanceof KeyRevoked ||
  err instanceof CompanyLocked ||
  isDatabaseUnavailable(err) ||
  (isServerError(err) && !ofData.test(errorCode(err)))
