export { createCallerLoader, findActiveCaller, loadActiveCallers } from './caller.ts'
export { assertGrantableToKey, keyMenuTree, keyPermissionsOf, loadCompanyCaller } from './key-permissions.ts'
export { requireCaptcha } from './identity-check.ts'
export { onCompanyCreated, createCompany, registerLogin, type NewCompany } from './company.ts'
export { sendSmsCode, consumeSmsCode } from './sms-code.ts'
export {
  ensureTemplateVersion,
  loadTemplateVersions,
  loadPrintTemplate,
  loadPrintTemplates,
} from './print-settings.ts'
export { updateSubscription, type Subscription } from './subscription.ts'
export { onAccountLeft, refuseReceiver, registerOpenWork, type OpenWorkKind } from './open-work.ts'
export { createTicketRefusal, verifyTicket } from './sso-ticket.ts'
export { registerStaffIds } from './staff-link.ts'
export { onDataDomainSaved } from './domain-event.ts'
export { smsOf, smsSignName } from './sms.ts'
export { smsReportKey } from './sms-report-key.ts'
export { SmsFault } from './sms-fault.ts'
export { openWechat, WechatFault, wechatOf, type Wechat } from './wechat.ts'
export { simulatedOpenId } from './wechat-simulator.ts'
export { wechatSettings } from './settings.ts'
export { keepMessage, listenOnLoopback } from './loopback-server.ts'
export { hashPassword } from './password.ts'
export { requireOldPassword, requireOutsidePassword, type OutsideAccount } from './outside-password.ts'
export { findPasswordChangeFault } from '../domain/password.ts'
