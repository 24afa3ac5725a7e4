import type { ServerModule } from '#kit/server/handle.ts'
import { uniqueSays } from '#kit/server/handle.ts'
import { accountHandlers } from './account.ts'
import { codeHandlers } from './codes.ts'
import { companyHandlers } from './own-company.ts'
import { domainHandlers } from './data-domain.ts'
import { deviceHandlers } from './devices.ts'
import { managerExport } from './export.ts'
import { factorHandlers } from './factor.ts'
import { guideHandlers } from './guide.ts'
import { logHandlers } from './log.ts'
import { managerHandlers } from './manager.ts'
import { printHandlers } from './print.ts'
import { qrHandlers } from './qr.ts'
import { reportHandlers } from './rights-report.ts'
import { roleHandlers } from './role.ts'
import { signInHandlers } from './sign-in.ts'
import { wechatHandlers } from './wechat.ts'

uniqueSays({
  manager_login_live: '该账号已被使用，请换一个账号',
  role_name_live: '已有同名角色，请换一个名称',
  manager_wechat_live: '该微信已绑定公司里的另一个账号，请先在那个账号解除绑定',
  property_print_live: '打印设置刚被他人保存，请刷新后重试',
  manager_owner_live: '公司已有超级管理员，权限移交请用「权限移交」',
})

export const server: ServerModule = {
  handlers: [
    ...signInHandlers,
    ...accountHandlers,
    ...managerHandlers,
    ...managerExport.handlers,
    ...roleHandlers,
    ...domainHandlers,
    ...codeHandlers,
    ...qrHandlers,
    ...wechatHandlers,
    ...deviceHandlers,
    ...factorHandlers,
    ...companyHandlers,
    ...guideHandlers,
    ...logHandlers,
    ...reportHandlers,
    ...printHandlers,
  ],
  jobs: [managerExport.job],
}
