export { resolveAudience } from './audience.ts'
