import { menus, nameplate } from '#kit/contract/module.ts'

export const menu = menus('accounts', {
  manager: { label: '管理员', buttons: { domain: '数据范围', reset: '重置密码', resign: '离职交接', export: '导出' } },
  role: { label: '角色与权限', buttons: { export: '导出' } },
  company: { label: '公司信息', buttons: { secret: '重置密钥' } },
  log: { label: '操作日志', buttons: { export: '导出' } },
})

export const plate = nameplate({
  name: 'accounts', label: '账号与权限', menus: menu,
  screens: [
    { path: '/login', title: '登录', needs: undefined, bare: true },
    { path: '/wisdomlogin', title: '智慧平台登录', needs: undefined, bare: true },
    { path: '/psiplogin', title: 'PSIP登录', needs: undefined, bare: true },
    { path: '/doorwaylogin', title: '门禁系统登录', needs: undefined, bare: true },
    { path: '/parklogin', title: '停车系统登录', needs: undefined, bare: true },
    { path: '/officelogin', title: '办公系统登录', needs: undefined, bare: true },
    { path: '/ssologin', title: '单点登录', needs: undefined, bare: true },
    { path: '/goregister', title: '开通账号', needs: undefined, bare: true },
    { path: '/foundPassword', title: '找回密码', needs: undefined, bare: true },
    { path: '/retricepassword', title: '重置密码', needs: undefined, bare: true },
    { path: '/QrCode', title: '扫码登录', needs: undefined, bare: true },
    { path: '/changepassword', title: '修改密码', needs: undefined, bare: true },
    { path: '/setup', title: '开始使用', needs: undefined, bare: true },
  ],
})
