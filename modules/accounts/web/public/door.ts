/**
 * Pieces of pages outside the shell, for other modules' own. Apart from `public.ts`, which the shell itself
 * fetches.
 */
export { BindWechat } from '../bind-wechat.tsx'
export { Door, Field } from '../door.tsx'
export { SmsField, faultsOf } from '../sms-field.tsx'
