export { createCallerLoader } from './caller.ts'
export { requireCaptcha } from './sms-code-handlers.ts'
export { onCompanyCreated, createCompany, type NewCompany, registerLogin } from './company.ts'
export { sendSmsCode, consumeSmsCode } from './sms-code.ts'
export {
  ensureTemplateVersion,
  loadTemplateVersions,
  loadPrintTemplate,
  loadPrintTemplates,
} from './print-settings.ts'
export { updateSubscriptions, type Subscription } from './subscription.ts'
export { registerOpenWork, type OpenWorkKind } from './open-work.ts'
export { createTicketRefusal, verifyTicket } from './sso-ticket.ts'
export { smsOf } from './sms.ts'
export { WechatFault, wechatOf } from './wechat.ts'
