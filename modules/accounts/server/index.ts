import './personal-data.ts'
import { uniqueMessages, type ServerModule } from '#kit/server/handler.ts'
import './file-access.ts'
import { accountHandlers } from './account.ts'
import { smsCodeHandlers } from './sms-code-handlers.ts'
import { companyHandlers } from './own-company.ts'
import { dataDomainHandlers } from './data-domain.ts'
import { deviceHandlers } from './devices.ts'
import { emailHandlers } from './email.ts'
import { forgottenPasswordHandlers } from './forgotten-password.ts'
import { identityBindingHandlers } from './identity-binding.ts'
import { identityProviderHandlers } from './identity-provider.ts'
import { identitySignInHandlers } from './identity-sign-in.ts'
import { jobRoleHandlers } from './job-roles.ts'
import { managerExport } from './manager-export.ts'
import { secondFactorHandlers } from './second-factor.ts'
import { operationLogHandlers } from './operation-log.ts'
import { managerHandlers } from './manager.ts'
import { ownershipTransferHandlers } from './ownership-transfer.ts'
import { printHandlers } from './print-settings.ts'
import { projectMenuHandlers } from './project-menu.ts'
import { qrLoginHandlers } from './qr-login.ts'
import { permissionReportHandlers } from './permission-report.ts'
import { resignationHandlers } from './resignation.ts'
import { roleHandlers } from './role.ts'
import { logSetupCode } from './setup-code.ts'
import { signInHandlers } from './sign-in.ts'
import { wechatBindingHandlers } from './wechat-binding.ts'
import { companyData } from './company-data.ts'
import { companyExportHandlers, companyExportJob } from './company-export.ts'

uniqueMessages({
  manager_login_live: '该账号已被使用，请更换账号',
  role_name_live: '已有同名角色，请更换名称',
  manager_wechat_live: '该微信已绑定本公司的其他账号，请先在该账号解除绑定',
  property_print_live: '打印设置刚被他人保存，请刷新后重试',
  manager_owner_live: '公司已有超级管理员，权限移交请用「权限移交」',
})

export const server: ServerModule = {
  companyData,
  handlers: [
    ...signInHandlers,
    ...accountHandlers,
    ...managerHandlers,
    ...managerExport.handlers,
    ...resignationHandlers,
    ...ownershipTransferHandlers,
    ...roleHandlers,
    ...jobRoleHandlers,
    ...projectMenuHandlers,
    ...dataDomainHandlers,
    ...smsCodeHandlers,
    ...forgottenPasswordHandlers,
    ...qrLoginHandlers,
    ...wechatBindingHandlers,
    ...emailHandlers,
    ...identityProviderHandlers,
    ...identitySignInHandlers,
    ...identityBindingHandlers,
    ...deviceHandlers,
    ...secondFactorHandlers,
    ...companyHandlers,
    ...companyExportHandlers,
    ...operationLogHandlers,
    ...permissionReportHandlers,
    ...printHandlers,
  ],
  jobs: [managerExport.job, companyExportJob],
  onStart: logSetupCode,
}
