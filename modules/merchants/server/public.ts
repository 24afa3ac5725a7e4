export { isSessionToken, readMerchantSession, type MerchantSession } from './session.ts'
