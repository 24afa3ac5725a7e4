/**
 * Pieces of pages outside the shell, for other modules' own. Apart from `public.ts`, which the shell itself
 * fetches.
 */
export { WechatBindPage } from '../wechat-bind-page.tsx'
export { AuthLayout, LabelledField } from '../auth-layout.tsx'
export { AuthTextField, smsCodeFault, useAuthForm, type Faults } from '../auth-form.tsx'
export { SmsField, type SolvedCaptcha } from '../sms-field.tsx'
