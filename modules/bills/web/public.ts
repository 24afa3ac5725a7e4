/** What a till shows before the server has reckoned (PAY-14). */
export { roundedOff } from '../domain/allocate.ts'
