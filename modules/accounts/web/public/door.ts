/** Pieces of pages outside the shell, for other modules' own. Apart from `public.ts`, which the shell itself fetches. */
export { Door, Field } from '../door.tsx'
export { SmsField, faultsOf } from '../sms-field.tsx'
